// What a board draws: a live game, a recording or a puzzle.
import type { Command, EntryView, PreviewReply, SeatView, TableView } from '../protocol.gen'

/** Animates entries: it may measure the page before and after `apply`, which updates it. Returns how long it takes. */
export type Animator = (entries: EntryView[], apply: () => void) => number | void

/** A move to show on the board. */
export interface Hint {
  seat: number
  move: string
}

export interface GameModel {
  readonly shown: TableView | null
  /** Whether moves can be made. */
  readonly live: boolean
  /** All entries so far. */
  readonly entries: EntryView[]
  /** The entries of the current step. */
  readonly latest: EntryView[]
  /** A move that was sent but is not shown yet. */
  readonly pending: { move: string } | null
  /** The latest preview received. */
  readonly previewReply: PreviewReply | null
  /** A move to draw as if its seat were composing it. */
  readonly hint?: Hint | null
  readonly seat: number | null
  readonly seatView: SeatView | null
  readonly myTurn: boolean
  /** How entries are animated; set by the board. */
  animator: Animator | null
  /** Return the seconds on a seat's clock; null without clocks. */
  seconds(seat: number): number | null
  /** Return the words that a player is saying now, if any. */
  words?(seat: number): string
  requestPreview(move: string): void
  play(move: string): void
  request(action: Command['action']): void
}
