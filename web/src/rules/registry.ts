// The small boards beside the rules, by game; they draw the positions that scripts/gen/web-examples generates.
import type { Figures } from './types'

export const FIGURES: Record<string, () => Promise<{ figures: Figures }>> = {
  azul: () => import('./azul'),
  duel: () => import('./duel'),
  blockers: () => import('./blockers'),
}
