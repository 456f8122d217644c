import type { Figures } from './types'
import Bonus from './azul/Bonus.svelte'
import Floor from './azul/Floor.svelte'
import Lines from './azul/Lines.svelte'
import Take from './azul/Take.svelte'
import Wall from './azul/Wall.svelte'

export const figures: Figures = { AZ10: Take, AZ13: Lines, AZ17: Floor, AZ22: Wall, AZ51: Bonus }
