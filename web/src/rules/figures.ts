// The small boards beside the rules, by the rule that they explain. They draw what scripts/web-examples wrote down.
import type { Component } from 'svelte'

export type Figures = Record<string, Component>

export const FIGURES: Record<string, () => Promise<{ figures: Figures }>> = {
  azul: () => import('./azul'),
  duel: () => import('./duel'),
  blockers: () => import('./blockers'),
}
