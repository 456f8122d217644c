// A recorded game as a board draws it, at any of its steps.
import type { SeatView, EndView, EntryView, ReplayView, ReplayStep, TableView } from '../protocol.gen'
import type { Hint, GameModel, Animator } from './game'
import { t } from './i18n.svelte'
import { Line } from './line.svelte'
import { Stepper } from './stepper.svelte'

export class Recording extends Stepper implements GameModel {
  readonly live = false
  readonly pending = null
  readonly previewReply = null
  readonly seatView = null
  readonly myTurn = false
  animator: Animator | null = null

  hint = $state.raw<Hint | null>(null)
  /** A line of play that the board shows instead of the game. */
  line = $state.raw<Line | null>(null)
  private replay = $state.raw<ReplayView>(null!)

  readonly steps: ReplayStep[] = $derived(this.replay.steps)
  readonly last: number = $derived(this.steps.length - 1)
  readonly entries: EntryView[] = $derived([...this.steps.slice(0, this.at + 1).map((step) => step.entry), ...(this.line?.entries ?? [])])
  readonly latest: EntryView[] = $derived(this.entries.slice(-1))
  readonly shown: TableView = $derived(this.tableAt(this.line?.step ?? this.steps[this.at]!))
  /** The step and number of each round's beginning. */
  readonly rounds: { at: number; round: number }[] = $derived(this.steps.flatMap((step, at) => beginning(step, at)))

  constructor(replay: ReplayView) {
    super()
    this.replay = replay
  }

  get seat(): number | null {
    return this.replay.table.seat
  }

  /** The result, whichever step is shown. */
  get end(): EndView | null {
    return this.replay.table.end
  }

  get record(): string {
    return this.replay.record
  }

  /** The whole game for a link; empty if it is too long. */
  get short(): string {
    return this.replay.short
  }

  /** Show the same game from another seat. */
  see(replay: ReplayView): void {
    this.follow(null)
    this.replay = replay
    this.at = Math.min(this.at, replay.steps.length - 1)
  }

  /** Go to the start of the previous or next round. */
  goRound(way: -1 | 1): void {
    const starts = this.rounds.map((mark) => mark.at)
    const next = way < 0 ? starts.findLast((at) => at < this.at) : starts.find((at) => at > this.at)
    this.go(next ?? (way < 0 ? 0 : this.last))
  }

  /** Show a step of the game, also from within a line. */
  override go(to: number): void {
    if (this.line) this.follow(null)
    super.go(to)
  }

  /** Show a line of play instead of the game, from the current step on; null returns to the game. */
  follow(steps: ReplayStep[] | null): void {
    this.pause()
    this.line?.pause()
    this.line = steps && new Line(steps, () => this.animator)
  }

  protected get drawer(): Animator | null {
    return this.animator
  }

  protected entryAt(at: number): EntryView {
    return this.steps[at]!.entry
  }

  private tableAt({ entry, movers, view, board }: ReplayStep): TableView {
    const { table } = this.replay
    const seats = table.seats.map(asRecorded)
    const gone = { moves: [], choices: [], end: null, asked: '', agreed: [], next_game: '' }
    return { ...table, ...gone, seats, status: 'playing', number: entry.number + 1, movers, view, board }
  }

  // A recording has no clock and takes no moves

  seconds(): null {
    return null
  }
  requestPreview(): void {}
  play(): void {}
  request(): void {}
}

function asRecorded(occupant: SeatView, seat: number): SeatView {
  const name = occupant.name || t('replay.player', { n: seat + 1 })
  return { ...occupant, name, level: occupant.is_bot ? occupant.level : '', present: true, seconds: null }
}

function beginning(step: ReplayStep, at: number): { at: number; round: number }[] {
  const events = step.entry.events as { type: string; round?: number }[]
  return events.flatMap((event) => (event.type === 'RoundStarted' && event.round ? [{ at, round: event.round }] : []))
}
