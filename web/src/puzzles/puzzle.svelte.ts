// A position to be solved, as a board draws it: neither live nor recorded. Moves can be made, and are judged at once.
import { ask, Refused } from '../lib/api'
import type { Hint, Scene, Stage } from '../lib/scene'
import { t } from '../lib/words.svelte'
import type { ChairSeen, Film, Foreseen, PuzzleAnswered, PuzzleSeen, TableSeen } from '../wire'
import { keep } from './solved'

export class Puzzle implements Scene {
  readonly films: Film[] = []
  readonly latest: Film[] = []
  stage: Stage | null = null

  pending = $state.raw<{ move: string } | null>(null)
  foreseen = $state.raw<Foreseen | null>(null)
  /** The last try and what the server said of it; without a move, the solution was asked for. */
  answer = $state.raw<(PuzzleAnswered & { move: string }) | null>(null)
  tries = $state(0)
  wrong = $state('')
  private readonly foresights = new Map<string, Promise<Foreseen>>()

  /** The solution is known: found or told. */
  readonly done: boolean = $derived(!!this.answer?.best)
  readonly hint: Hint | null = $derived.by(() => (this.answer?.best ? { seat: this.puzzle.seat, move: this.answer.best } : null))
  readonly shown: TableSeen = $derived.by(() => tableOf(this.puzzle, this.done))

  constructor(readonly puzzle: PuzzleSeen) {}

  /** As long as it is not solved, moves can be made. */
  get live(): boolean {
    return !this.done
  }

  get seat(): number {
    return this.puzzle.seat
  }

  get chair(): ChairSeen {
    return this.shown.chairs[this.seat]!
  }

  get myTurn(): boolean {
    return !this.pending && !this.done
  }

  play(move: string): void {
    void this.say(move)
  }

  /** Ask what a move would do; the answer comes as `foreseen`. */
  foresee(move: string): void {
    const path = `/api/puzzles/${this.puzzle.id}/foresee?move=${encodeURIComponent(move)}`
    const asked = this.foresights.get(move) ?? ask<Foreseen>('GET', path)
    this.foresights.set(move, asked)
    asked.then(
      (foreseen) => (this.foreseen = foreseen),
      () => this.foresights.delete(move),
    )
  }

  /** Have the solution told. */
  tell(): void {
    void this.say('')
  }

  private async say(move: string): Promise<void> {
    if (this.pending || this.done) return
    this.pending = { move }
    this.wrong = ''
    try {
      const answer = await ask<PuzzleAnswered>('POST', `/api/puzzles/${this.puzzle.id}/answer`, { move })
      if (move) this.tries += 1
      if (answer.best) keep(this.puzzle.id, move && answer.right && !this.answer?.best ? 'found' : 'told', this.puzzle.day)
      this.answer = { ...answer, move }
    } catch (problem) {
      this.wrong = problem instanceof Refused ? problem.rule : 'failed'
    } finally {
      this.pending = null
    }
  }

  // Nobody waits here

  seconds(): null {
    return null
  }
  wish(): void {}
}

function tableOf(puzzle: PuzzleSeen, done: boolean): TableSeen {
  const { id, title, rules, seat, view } = puzzle
  const seats = Number(/seats=(\d)/.exec(rules)?.[1] ?? 2)
  const calm = { is_bot: false, level: '', left: false, resigned: false, present: true, pledged: true, revealed: true, seconds: null }
  const chairs = Array.from({ length: seats }, (_, at) => ({ ...calm, name: at === seat ? t('puzzles.you') : t('puzzles.other', { n: at + 1 }) }))
  const rest = { number: 0, spectators: 0, commitment: '', rated: false, asked: '', agreed: [], next_game: '', end: null }
  return { ...rest, id, title, rules, status: 'playing', seat, movers: done ? [] : [seat], chairs, view, moves: done ? [] : puzzle.moves }
}
