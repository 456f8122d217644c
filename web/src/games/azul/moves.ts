// A move of Azul while it is composed: a colour of a source, then a line; on a grey wall, a space.
import type { Composition } from '../composer.svelte'

export interface Draft {
  /** A factory (1 to 9) or c for the centre; empty where a space of the wall is chosen. */
  source: string
  colour: string
  /** A line (1 to 5), - for the floor, or a space of the wall such as t24; empty while none is chosen. */
  target: string
}

export function draftOf(move: string): Draft {
  if (move.startsWith('t')) return { source: '', colour: '', target: move }
  return { source: move[0]!, colour: move[1]!, target: move[2]! }
}

export function moveOf({ source, colour, target }: Draft): string {
  return target && source + colour + target
}

/** Return the lines that can take the tiles of a draft. */
export function linesFor({ source, colour }: Draft, moves: string[]): Set<string> {
  return new Set(moves.filter((move) => move.startsWith(source + colour)).map((move) => move[2]!))
}

export const composition: Composition<Draft, string> = {
  moveOf,
  isOpen: (draft, moves) => (draft.source ? linesFor(draft, moves).size > 0 : moves.includes(draft.target)),
  focusAfter: () => '.offer',
  moveAt: (draft, line, moves) => (draft.source && linesFor(draft, moves).has(line) ? moveOf({ ...draft, target: line }) : ''),
}
