// What a board draws: a live table, one that was recorded, or a puzzle.
import type { ChairSeen, Film, Foreseen, TableSeen, Wish } from '../wire'

/** Shows films: it may look at the page before and after `apply`, which makes the page as it is then. */
export type Stage = (films: Film[], apply: () => void) => void

/** A move that is pointed out on the board. */
export interface Hint {
  seat: number
  move: string
}

export interface Scene {
  readonly shown: TableSeen | null
  /** Whether moves can be made here: a recording has none. */
  readonly live: boolean
  /** Everything that was shown so far. */
  readonly films: Film[]
  /** The films of the step that is shown now. */
  readonly latest: Film[]
  /** A move that was sent and is not shown yet. */
  readonly pending: { move: string } | null
  /** What the last move that was asked about would do. */
  readonly foreseen: Foreseen | null
  /** A move to be drawn as if that seat were putting it together. */
  readonly hint?: Hint | null
  readonly seat: number | null
  readonly chair: ChairSeen | null
  readonly myTurn: boolean
  /** The board may set how films are shown. */
  stage: Stage | null
  /** Seconds on the clock of a seat now, or null without clocks. */
  seconds(seat: number): number | null
  foresee(move: string): void
  play(move: string): void
  wish(what: Wish['what']): void
}
