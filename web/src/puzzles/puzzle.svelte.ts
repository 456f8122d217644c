// A puzzle as a board draws it; the server judges each move at once.
import { fetchJson, ApiError } from '../lib/api'
import type { Hint, GameModel, Animator } from '../lib/game'
import { t } from '../lib/i18n.svelte'
import type { SeatView, EntryView, PreviewReply, PuzzleAnswered, PuzzleView, TableView } from '../protocol.gen'
import { keep } from './solved'

export class Puzzle implements GameModel {
  readonly entries: EntryView[] = []
  readonly latest: EntryView[] = []
  animator: Animator | null = null

  pending = $state.raw<{ move: string } | null>(null)
  previewReply = $state.raw<PreviewReply | null>(null)
  /** The last attempt and the server's verdict; without a move, the solution was requested. */
  answer = $state.raw<(PuzzleAnswered & { move: string }) | null>(null)
  tries = $state(0)
  error = $state('')
  private readonly previews = new Map<string, Promise<PreviewReply>>()

  /** Whether the solution is known, found or shown. */
  readonly done: boolean = $derived(!!this.answer?.best)
  readonly hint: Hint | null = $derived.by(() => (this.answer?.best ? { seat: this.puzzle.seat, move: this.answer.best } : null))
  readonly shown: TableView = $derived.by(() => tableOf(this.puzzle, this.done))

  constructor(readonly puzzle: PuzzleView) {}

  /** Moves can be made until the solution is known. */
  get live(): boolean {
    return !this.done
  }

  get seat(): number {
    return this.puzzle.seat
  }

  get seatView(): SeatView {
    return this.shown.seats[this.seat]!
  }

  get myTurn(): boolean {
    return !this.pending && !this.done
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
    void this.say('')
  }

  private async say(move: string): Promise<void> {
    if (this.pending || this.done) return
    this.pending = { move }
    this.error = ''
    try {
      const answer = await fetchJson<PuzzleAnswered>('POST', `/api/puzzles/${this.puzzle.id}/answer`, { move })
      if (move) this.tries += 1
      if (answer.best) keep(this.puzzle.id, move && answer.right && !this.answer?.best ? 'found' : 'shown', this.puzzle.day)
      this.answer = { ...answer, move }
    } catch (exc) {
      this.error = exc instanceof ApiError ? exc.rule : 'failed'
    } finally {
      this.pending = null
    }
  }

  // A puzzle has no clock and no opponents

  seconds(): null {
    return null
  }
  request(): void {}
}

function tableOf(puzzle: PuzzleView, done: boolean): TableView {
  const { id, title, rules, seat, view } = puzzle
  const count = Number(/seats=(\d)/.exec(rules)?.[1] ?? 2)
  const calm = { is_bot: false, level: '', left: false, resigned: false, present: true, pledged: true, revealed: true, seconds: null }
  const seats = Array.from({ length: count }, (_, at) => ({ ...calm, name: at === seat ? t('puzzles.you') : t('puzzles.other', { n: at + 1 }) }))
  const rest = { number: 0, spectators: 0, commitment: '', rated: false, asked: '', agreed: [], next_game: '', end: null }
  return { ...rest, id, title, rules, status: 'playing', seat, movers: done ? [] : [seat], seats, view, moves: done ? [] : puzzle.moves }
}
