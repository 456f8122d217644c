// Composes a move of any game: what the player points at narrows the legal moves down until one is left.
import type { Choice } from '../../protocol.gen'

/** A legal move, and where to point for it. */
export interface Option extends Choice {
  move: string
}

/** What was pointed at: ids of spaces and stacks, or a whole move that lies nowhere on the board. */
export type Draft = string[]

export const asButton = (move: string): string => `move ${move}`

export function optionsOf(moves: string[], choices: Choice[]): Option[] {
  return moves.map((move, i) => ({ move, ...(choices[i] ?? { words: { key: move, blanks: {} }, steps: [] }) }))
}

/** Return the moves that go with everything pointed at, in any order. */
export function open(draft: Draft, options: Option[]): Option[] {
  return options.filter(({ move, steps }) => draft.every((id) => steps.includes(id) || id === asButton(move)))
}

/** Return the move that a draft means; empty while several are left. */
export function meant(draft: Draft, options: Option[]): string {
  const left = draft.length ? open(draft, options) : []
  return left.length === 1 ? left[0]!.move : ''
}

/** Return what can be pointed at next. */
export function pointable(draft: Draft, options: Option[]): Set<string> {
  return new Set(open(draft, options).flatMap(({ steps }) => steps.filter((id) => !draft.includes(id))))
}

/** Return the moves that only a button can choose: they lie nowhere, or all that they point at is chosen. */
export function buttons(draft: Draft, options: Option[]): Option[] {
  const left = open(draft, options)
  return left.length > 1 || !draft.length ? left.filter(({ steps }) => steps.every((id) => draft.includes(id))) : []
}

/** Return the draft after pointing at something: it is added, taken back, or a new beginning. */
export function point(draft: Draft, id: string, options: Option[]): Draft {
  if (draft.includes(id)) return draft.filter((other) => other !== id)
  return open([...draft, id], options).length ? [...draft, id] : [id]
}
