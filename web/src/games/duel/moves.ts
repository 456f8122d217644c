// A move of Azul Duel while it is composed: what was chosen so far, and what it can still become.
import type { Composition } from '../composer.svelte'
import { sortedChips } from './pieces'

export type Draft =
  /** Tiles of a colour from a sun (0 to 4) or the moons (m); then a line (1 to 6) or - for the broken space. */
  | { kind: 'tiles'; source: string; colour: string; line: string }
  /** A plate as it lies in the hand; then a slot (1 to 9). */
  | { kind: 'plate'; plate: string; slot: string }
  /** The leftover of a small factory, the bottom tile first. */
  | { kind: 'stack'; order: string }
  /** The drawn plates to put back, the first to go under the stack first; `picked` is to change places with another. */
  | { kind: 'return'; order: string[]; picked: string }
  /** Chips for the current line. */
  | { kind: 'pay'; row: string; chips: string }
  /** A move of a single choice: a chip, drawing, stopping, a space of the dome. */
  | { kind: 'whole'; move: string }

const TAKE = /^[0-4m][byrkt][1-6-]$/
const PLATE = /^[1-9][byrkt*?]{4}$/

export function isTake(move: string): boolean {
  return TAKE.test(move)
}

export function isPlate(move: string): boolean {
  return PLATE.test(move)
}

/** Return the draft that spells a move. */
export function draftOf(move: string): Draft {
  if (isTake(move)) return { kind: 'tiles', source: move[0]!, colour: move[1]!, line: move[2]! }
  if (isPlate(move)) return { kind: 'plate', plate: move.slice(1), slot: move[0]! }
  if (move.startsWith('s')) return { kind: 'stack', order: move.slice(1) }
  if (move.startsWith('u')) return { kind: 'return', order: [move.slice(1)], picked: '' }
  if (move.startsWith('p') && !move.endsWith('-')) return { kind: 'pay', row: move[1]!, chips: move.slice(2) }
  return { kind: 'whole', move }
}

/** Return the moves that a draft can still become. */
export function possible(draft: Draft, moves: string[]): string[] {
  switch (draft.kind) {
    case 'tiles':
      return moves.filter((move) => isTake(move) && move.startsWith(draft.source + draft.colour))
    case 'plate':
      return moves.filter((move) => isPlate(move) && move.slice(1) === draft.plate)
    case 'stack':
      return moves.filter((move) => move.startsWith(`s${draft.order}`))
    case 'return':
      return moves.filter((move) => move === `u${draft.order[0]}`)
    case 'pay':
      return moves.filter((move) => move.startsWith('p') && holds(move.slice(2), draft.chips))
    case 'whole':
      return moves.filter((move) => move === draft.move)
  }
}

/** Return the move that a draft spells, legal or not; empty while a choice is missing. */
export function moveOf(draft: Draft | null, moves: string[]): string {
  switch (draft?.kind) {
    case undefined:
      return ''
    case 'tiles':
      return draft.line && draft.source + draft.colour + draft.line
    case 'plate':
      return draft.slot && draft.slot + draft.plate
    case 'stack': {
      const left = possible(draft, moves)
      return draft.order && left.length === 1 ? left[0]! : ''
    }
    case 'return':
      return `u${draft.order[0]}`
    case 'pay': {
      const move = `p${draft.row}${sortedChips(draft.chips)}`
      return moves.includes(move) ? move : ''
    }
    case 'whole':
      return draft.move
  }
}

/** Return the draft with a line or a slot as its target; null if nothing is in the hand. */
export function aimed(draft: Draft | null, target: string): Draft | null {
  if (draft?.kind === 'tiles') return { ...draft, line: target }
  return draft?.kind === 'plate' ? { ...draft, slot: target } : null
}

/** Return the plates with two of them in each other's place. */
export function swapped(order: string[], one: string, other: string): string[] {
  return order.map((plate) => (plate === one ? other : plate === other ? one : plate))
}

/** Return whether a set of chips contains another. */
export function holds(chips: string, some: string): boolean {
  const left = Array.from(chips)
  return Array.from(some).every((chip) => {
    const at = left.indexOf(chip)
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  })
}

/** Return the chips that can be added to a payment. */
export function payable(moves: string[], chips: string): Set<string> {
  const left = moves.filter((move) => move.startsWith('p') && holds(move.slice(2), chips))
  return new Set(Array.from('byrktBYRKT').filter((chip) => left.some((move) => holds(move.slice(2), chips + chip))))
}

/** Return the tiles that can be stacked next. */
export function stackable(moves: string[], order: string): Set<string> {
  const left = moves.filter((move) => move.startsWith(`s${order}`))
  return new Set(left.map((move) => move[1 + order.length] ?? '').filter(Boolean))
}

export const composition: Composition<Draft, string> = {
  moveOf,
  isOpen: (draft, moves) => possible(draft, moves).length > 0,
  focusAfter: () => '.offer',
  moveAt: (draft, target, moves) => {
    const move = moveOf(aimed(draft, target), moves)
    return moves.includes(move) ? move : ''
  },
}
