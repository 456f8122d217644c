import type { Figures } from './types'
import Broken from './duel/Broken.svelte'
import Faces from './duel/Faces.svelte'
import Moons from './duel/Moons.svelte'
import Plate from './duel/Plate.svelte'
import Points from './duel/Points.svelte'
import Sun from './duel/Sun.svelte'

export const figures: Figures = { DU03: Plate, DU23: Sun, DU24: Moons, DU33: Points, DU35: Broken, DU50: Faces }
