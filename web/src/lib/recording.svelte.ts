// A game that was played, at any of its steps: what a board draws when nobody plays.
import type { ChairSeen, EndSeen, Film, ReplaySeen, ReplayStep, TableSeen } from '../wire'
import type { Hint, Scene, Stage } from './scene'
import { still } from './settings.svelte'
import { t } from './words.svelte'

export const SPEEDS = [0.5, 1, 2, 4]
const DWELL = 1300

export class Recording implements Scene {
  readonly live = false
  readonly pending = null
  readonly foreseen = null
  readonly chair = null
  readonly myTurn = false
  stage: Stage | null = null

  at = $state(0)
  speed = $state(1)
  playing = $state(false)
  hint = $state.raw<Hint | null>(null)
  private replay = $state.raw<ReplaySeen>(null!)
  private timer = 0

  readonly steps: ReplayStep[] = $derived(this.replay.steps)
  readonly last: number = $derived(this.steps.length - 1)
  readonly films: Film[] = $derived(this.steps.slice(0, this.at + 1).map((step) => step.film))
  readonly latest: Film[] = $derived(this.films.slice(-1))
  readonly shown: TableSeen = $derived(this.tableAt(this.at))
  /** The steps at which a round begins, with its number. */
  readonly rounds: { at: number; round: number }[] = $derived(this.steps.flatMap((step, at) => beginning(step, at)))

  constructor(replay: ReplaySeen) {
    this.replay = replay
  }

  get seat(): number | null {
    return this.replay.table.seat
  }

  /** How it all ended, whatever is shown now. */
  get end(): EndSeen | null {
    return this.replay.table.end
  }

  get record(): string {
    return this.replay.record
  }

  /** The whole game for a link, or nothing if it is too long. */
  get short(): string {
    return this.replay.short
  }

  /** The same game as another seat saw it. */
  see(replay: ReplaySeen): void {
    this.replay = replay
    this.at = Math.min(this.at, replay.steps.length - 1)
  }

  /** Show a step. One step forward is shown as it happened; everything else at once. */
  go(to: number): void {
    const at = Math.max(0, Math.min(this.last, to))
    if (at === this.at) return
    const apply = (): void => void (this.at = at)
    if (at === this.at + 1 && this.stage && !still() && !document.hidden) this.stage([this.steps[at]!.film], apply)
    else apply()
  }

  /** The beginning of the round before or after. */
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
    }, DWELL / this.speed)
  }

  private tableAt(at: number): TableSeen {
    const { table } = this.replay
    const { film, movers, view } = this.steps[at]!
    const chairs = table.chairs.map(asRecorded)
    const gone = { moves: [], end: null, asked: '', agreed: [], next_game: '' }
    return { ...table, ...gone, chairs, status: 'playing', number: film.number + 1, movers, view }
  }

  // Nobody plays here

  seconds(): null {
    return null
  }
  foresee(): void {}
  play(): void {}
  wish(): void {}
}

function asRecorded(chair: ChairSeen, seat: number): ChairSeen {
  const name = chair.name || t('replay.player', { n: seat + 1 })
  return { ...chair, name, level: chair.is_bot ? chair.level : '', present: true, seconds: null }
}

function beginning(step: ReplayStep, at: number): { at: number; round: number }[] {
  const events = step.film.events as { type: string; round?: number }[]
  return events.flatMap((event) => (event.type === 'RoundStarted' && event.round ? [{ at, round: event.round }] : []))
}
