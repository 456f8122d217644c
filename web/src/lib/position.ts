// A position that stands alone, as a board draws it: a puzzle, or a step of a lesson.
import type { TableView } from '../protocol.gen'

type Position = Pick<TableView, 'id' | 'title' | 'rules' | 'number' | 'movers' | 'view' | 'moves'> & { seat: number }

const CALM = { is_bot: false, level: '', left: false, resigned: false, present: true, pledged: true, revealed: true, seconds: null, away: null }
const REST = { spectators: 0, commitment: '', rated: false, asked: '', agreed: [], next_game: '', end: null, branch: null, daily: '', board: null, choices: [] }

/** Return the number of seats that a line of rules names. */
export function seatsOf(rules: string): number {
  return Number(/seats=(\d)/.exec(rules)?.[1] ?? 2)
}

/** Return a table without clocks and bots; the reader has a seat. */
export function tableOf(position: Position, nameOf: (seat: number) => string): TableView {
  const seats = Array.from({ length: seatsOf(position.rules) }, (_, seat) => ({ ...CALM, name: nameOf(seat) }))
  return { ...REST, ...position, status: 'playing', seats }
}
