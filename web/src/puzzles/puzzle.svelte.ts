// A puzzle as a board draws it. The server judges each move at once; what follows is played on the board:
// how a wrong move is punished, or the solution.
import { fetchJson, ApiError } from '../lib/api'
import type { Hint, GameModel, Animator } from '../lib/game'
import { t } from '../lib/i18n.svelte'
import { tableOf } from '../lib/position'
import { reducedMotion } from '../lib/settings.svelte'
import type { SeatView, EntryView, PreviewReply, PuzzleAnswered, PuzzleView, ReplayStep, TableView } from '../protocol.gen'
import { keep } from './solved'

/** The time between two moves of a line. */
const DWELL_MS = 1500

export class Puzzle implements GameModel {
  animator: Animator | null = null

  pending = $state.raw<{ move: string } | null>(null)
  previewReply = $state.raw<PreviewReply | null>(null)
  /** The last attempt and the server's verdict; without a move, the solution was requested. */
  answer = $state.raw<(PuzzleAnswered & { move: string }) | null>(null)
  /** How many steps of the answer have been played on the board. */
  at = $state(0)
  error = $state('')
  private timer = 0
  private readonly previews = new Map<string, Promise<PreviewReply>>()

  readonly steps: ReplayStep[] = $derived(this.answer?.steps ?? [])
  readonly entries: EntryView[] = $derived(this.steps.slice(0, this.at).map((step) => step.entry))
  readonly latest: EntryView[] = $derived(this.entries.slice(-1))
  /** Whether the solution is known, found or shown. */
  readonly done: boolean = $derived(!!this.answer?.solution)
  /** Whether a wrong move, and what follows it, is on the board. */
  readonly wrong: boolean = $derived(!!this.answer && !this.done)
  /** The solution is drawn as a move that is being composed, until it is played. */
  readonly hint: Hint | null = $derived.by(() => (this.answer?.solution && !this.at ? { seat: this.puzzle.seat, move: this.answer.solution.best } : null))
  readonly shown: TableView = $derived.by(() => this.table())

  constructor(readonly puzzle: PuzzleView) {}

  /** Moves can be made while no answer is on the board. */
  get live(): boolean {
    return !this.answer
  }

  get seat(): number {
    return this.puzzle.seat
  }

  get seatView(): SeatView {
    return this.shown.seats[this.seat]!
  }

  get myTurn(): boolean {
    return !this.pending && !this.answer
  }

  play(move: string): void {
    void this.say(move)
  }

  /** Request the preview of a move; the answer arrives in `previewReply`. */
  requestPreview(move: string): void {
    const path = `/api/puzzles/${this.puzzle.id}/preview?move=${encodeURIComponent(move)}`
    const asked = this.previews.get(move) ?? fetchJson<PreviewReply>('GET', path)
    this.previews.set(move, asked)
    asked.then(
      (reply) => (this.previewReply = reply),
      () => this.previews.delete(move),
    )
  }

  /** Give up and show the solution. */
  reveal(): void {
    this.again()
    void this.say('')
  }

  /** Put the position back after a wrong move. */
  again(): void {
    this.pause()
    if (this.done) return
    this.answer = null
    this.at = 0
  }

  /** Show a step of the answer; a single step forward is animated. */
  go(to: number): void {
    this.pause()
    this.step(to)
  }

  /** Play the answer on the board, from its first move. */
  replay(): void {
    this.go(0)
    this.wait(DWELL_MS / 2)
  }

  pause(): void {
    clearTimeout(this.timer)
    this.timer = 0
  }

  private async say(move: string): Promise<void> {
    if (this.pending || this.answer) return
    this.pending = { move }
    this.error = ''
    try {
      const answer = await fetchJson<PuzzleAnswered>('POST', `/api/puzzles/${this.puzzle.id}/answer`, { move })
      if (answer.solution) keep(this.puzzle.id, move && answer.right ? 'found' : 'shown', this.puzzle.day)
      this.answer = { ...answer, move }
      this.pending = null
      if (move) this.wait(this.step(1))
      else this.wait(DWELL_MS / 2)
    } catch (exc) {
      this.error = exc instanceof ApiError ? exc.rule : 'failed'
    } finally {
      this.pending = null
    }
  }

  /** Play the next step after a while, and so on to the last. */
  private wait(ms: number): void {
    if (this.at >= this.steps.length) return
    this.timer = window.setTimeout(() => this.wait(this.step(this.at + 1)), ms)
  }

  /** Show a step; return how long to look at it. */
  private step(to: number): number {
    const at = Math.max(0, Math.min(this.steps.length, to))
    const apply = (): void => void (this.at = at)
    const moves = at === this.at + 1 && this.animator && !reducedMotion() && !document.hidden
    const busy = moves ? this.animator!([this.steps[at - 1]!.entry], apply) : apply()
    return Math.max(DWELL_MS, (busy ?? 0) + DWELL_MS / 2)
  }

  private table(): TableView {
    const { id, title, rules, seat, view, moves } = this.puzzle
    const step = this.steps[this.at - 1]
    const now = step ? { view: step.view, movers: step.movers, moves: [] } : { view, movers: this.answer ? [] : [seat], moves: this.answer ? [] : moves }
    return tableOf({ id, title, rules, seat, number: this.at, ...now }, (at) => (at === seat ? t('puzzles.you') : t('puzzles.other')))
  }

  // A puzzle has no clock and no opponents

  seconds(): null {
    return null
  }
  request(): void {}
}
