import type { Figures } from './types'
import Fits from './blockers/Fits.svelte'
import Groups from './blockers/Groups.svelte'
import Rack from './blockers/Rack.svelte'
import Score from './blockers/Score.svelte'

export const figures: Figures = { BL02: Fits, BL11: Rack, BL12: Groups, BL21: Score }
