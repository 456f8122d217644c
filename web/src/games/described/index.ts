// The client of any game that describes its board: it draws the description, and knows nothing of the game.
import { maybe } from '../../lib/i18n.svelte'
import type { Game } from '../game'
import Board from './Board.svelte'
import { describe, illegalText, ledger, moveText, narrate, rounds, say, worth } from './words'

/** Return the client of the game of this title, whose texts must be loaded. */
export function gameOf(title: string): Game {
  const nobody = (seat: number): string => String(seat + 1)
  return {
    Board,
    facts: (table) => (table.board?.facts ?? []).map((words) => say(title, words, nobody)).map((label) => ({ label, short: '' })),
    score: (table, seat) => table.board?.scores[seat] ?? 0,
    narrate: (entry, name, style) => narrate(title, entry, name, style),
    rounds: (entries) => rounds(title, entries),
    ledger: (entries, seats) => ledger(title, entries, seats),
    describe: (table, name) => describe(title, table, name),
    moveText: (move, table) => moveText(title, move, table),
    previewText: (preview) => worth((preview as { points: number }).points),
    marks: () => [],
    illegalText: (answer) => illegalText(title, answer),
    help: () => maybe(`${title}.help`, ''),
  }
}
