// A recorded game as a board draws it, at any of its steps.
import type { SeatView, EndView, EntryView, ReplayView, ReplayStep, TableView } from '../protocol.gen'
import type { Hint, GameModel, Animator } from './game'
import { reducedMotion } from './settings.svelte'
import { t } from './i18n.svelte'

export const SPEEDS = [0.5, 1, 2, 4]
const DWELL_MS = 1300

export class Recording implements GameModel {
  readonly live = false
  readonly pending = null
  readonly previewReply = null
  readonly seatView = null
  readonly myTurn = false
  animator: Animator | null = null

  at = $state(0)
  speed = $state(1)
  playing = $state(false)
  hint = $state.raw<Hint | null>(null)
  private replay = $state.raw<ReplayView>(null!)
  private timer = 0

  readonly steps: ReplayStep[] = $derived(this.replay.steps)
  readonly last: number = $derived(this.steps.length - 1)
  readonly entries: EntryView[] = $derived(this.steps.slice(0, this.at + 1).map((step) => step.entry))
  readonly latest: EntryView[] = $derived(this.entries.slice(-1))
  readonly shown: TableView = $derived(this.tableAt(this.at))
  /** The step and number of each round's beginning. */
  readonly rounds: { at: number; round: number }[] = $derived(this.steps.flatMap((step, at) => beginning(step, at)))

  constructor(replay: ReplayView) {
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
    this.replay = replay
    this.at = Math.min(this.at, replay.steps.length - 1)
  }

  /** Show a step; a single step forward is animated. */
  go(to: number): void {
    const at = Math.max(0, Math.min(this.last, to))
    if (at === this.at) return
    const apply = (): void => void (this.at = at)
    if (at === this.at + 1 && this.animator && !reducedMotion() && !document.hidden) this.animator([this.steps[at]!.entry], apply)
    else apply()
  }

  /** Go to the start of the previous or next round. */
  goRound(way: -1 | 1): void {
    const starts = this.rounds.map((mark) => mark.at)
    const next = way < 0 ? starts.findLast((at) => at < this.at) : starts.find((at) => at > this.at)
    this.go(next ?? (way < 0 ? 0 : this.last))
  }

  toggle(): void {
    if (this.playing) return this.pause()
    if (this.at === this.last) this.at = 0
    this.playing = true
    this.wait()
  }

  pause(): void {
    clearTimeout(this.timer)
    this.playing = false
  }

  private wait(): void {
    this.timer = window.setTimeout(() => {
      this.go(this.at + 1)
      if (this.at === this.last) this.pause()
      else this.wait()
    }, DWELL_MS / this.speed)
  }

  private tableAt(at: number): TableView {
    const { table } = this.replay
    const { entry, movers, view } = this.steps[at]!
    const seats = table.seats.map(asRecorded)
    const gone = { moves: [], end: null, asked: '', agreed: [], next_game: '' }
    return { ...table, ...gone, seats, status: 'playing', number: entry.number + 1, movers, view }
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
