// Why a move is not allowed. The server gives a reason in English with its blanks open; its translation is looked up by it.
import type { Blanks } from '../lib/i18n.svelte'
import type { PreviewReply } from '../protocol.gen'

export type IllegalMove = Pick<PreviewReply, 'rule' | 'message' | 'reason' | 'blanks'>

const CODES: Record<string, string> = { blue: 'b', yellow: 'y', red: 'r', black: 'k', white: 'w', turquoise: 't', green: 'g', violet: 'v' }

/** Return the blanks of a reason with its colours in the reader's language. */
export function translated(blanks: Blanks, colour: (letter: string) => string): Blanks {
  return Object.fromEntries(Object.entries(blanks).map(([name, value]) => [name, value in CODES ? colour(CODES[value]!) : value]))
}

/** Return whether a reason is a rule of a game, and not a code such as `notation`. */
export function isRule(id: string): boolean {
  return /^[A-Z]{2}\d+$/.test(id)
}
