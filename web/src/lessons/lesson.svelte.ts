// A lesson as a board draws it: one position after the other; the server answers each move at once.
import { fetchJson, ApiError } from '../lib/api'
import type { Animator, GameModel } from '../lib/game'
import { t } from '../lib/i18n.svelte'
import { seatsOf, tableOf } from '../lib/position'
import { reducedMotion } from '../lib/settings.svelte'
import type { EntryView, LessonAnswered, LessonView, PreviewReply, SeatView, StepView, TableView, Text } from '../protocol.gen'
import { keepProgress, progressOf } from './progress'

/** A position that has just changed is seen before anything moves on it. */
const PAUSE_MS = 600

export class Lesson implements GameModel {
  readonly entries: EntryView[] = []
  animator: Animator | null = null

  at = $state(0)
  latest = $state.raw<EntryView[]>([])
  pending = $state.raw<{ move: string } | null>(null)
  previewReply = $state.raw<PreviewReply | null>(null)
  /** The last move and what is said about it. */
  answer = $state.raw<(LessonAnswered & { move: string }) | null>(null)
  error = $state('')
  private view = $state.raw<unknown>(null)
  private number = $state(0)
  private timer = 0
  private readonly previews = new Map<string, Promise<PreviewReply>>()

  /** Whether the step is done: there was nothing to do, or the move was accepted. */
  readonly done: boolean = $derived.by(() => !this.step?.moves.length || !!this.answer?.accepted)
  readonly shown: TableView = $derived.by(() => this.table())

  constructor(readonly lesson: LessonView) {
    const { at, finished } = progressOf(lesson.title)
    this.at = finished ? 0 : Math.min(at, this.last)
    this.place(this.step?.view ?? lesson.last_round.view)
  }

  /** The number of the last round, which comes after the steps. */
  get last(): number {
    return this.lesson.steps.length
  }

  /** The current step; undefined at the last round. */
  get step(): StepView | undefined {
    return this.lesson.steps[this.at]
  }

  get title(): Text {
    return (this.step ?? this.lesson.last_round).title
  }

  /** What is said: about the move that was just made, or about the position. */
  get said(): Text {
    return this.answer?.said ?? (this.step ?? this.lesson.last_round).said
  }

  /** Open a step; what others do in it is animated when it follows the one before. */
  go(at: number): void {
    const next = at === this.at + 1
    this.at = Math.max(0, Math.min(this.last, at))
    this.answer = null
    this.error = ''
    this.previews.clear()
    keepProgress(this.lesson.title, this.at, this.at === this.last)
    if (next && this.step?.entries.length) this.open(this.step)
    else this.place(this.step?.view ?? this.lesson.last_round.view)
  }

  close(): void {
    clearTimeout(this.timer)
  }

  private open(step: StepView): void {
    this.place(step.before)
    const play = (): void => this.animate(step.entries, step.view)
    if (reducedMotion()) play()
    else this.timer = window.setTimeout(play, PAUSE_MS)
  }

  private place(view: unknown, entries: EntryView[] = []): void {
    clearTimeout(this.timer)
    this.timer = 0
    this.latest = entries
    this.view = view
    this.number += 1
  }

  private animate(entries: EntryView[], view: unknown): void {
    const apply = (): void => this.place(view, entries)
    if (this.animator && !reducedMotion() && !document.hidden) this.animator(entries, apply)
    else apply()
  }

  private table(): TableView {
    const { title, rules, seat } = this.lesson
    const { moves, movers } = this.step && !this.done && this.view === this.step.view ? this.step : { moves: [], movers: [] }
    const line = this.step ? rules : this.lesson.last_round.rules
    const many = seatsOf(line) > 2
    const nameOf = (at: number): string => (at === seat ? t('learn.you') : many ? t('learn.opponent_n', { n: at }) : t('learn.opponent'))
    return tableOf({ id: `lesson-${title}`, title, rules: line, seat, view: this.view, number: this.number, moves, movers }, nameOf)
  }

  // What a board asks of a game

  /** Moves can be made until one is accepted. */
  get live(): boolean {
    return !this.done
  }

  get seat(): number {
    return this.lesson.seat
  }

  get seatView(): SeatView {
    return this.shown.seats[this.seat]!
  }

  get myTurn(): boolean {
    return !this.pending && !this.done
  }

  play(move: string): void {
    void this.send(move)
  }

  /** Make the move that the step asks for. */
  show(): void {
    if (this.step) void this.send(this.step.solution)
  }

  /** Request the preview of a move; the answer arrives in `previewReply`. */
  requestPreview(move: string): void {
    if (!this.step) return
    const path = `${this.path}/preview?move=${encodeURIComponent(move)}`
    const asked = this.previews.get(move) ?? fetchJson<PreviewReply>('GET', path)
    this.previews.set(move, asked)
    asked.then(
      (reply) => (this.previewReply = reply),
      () => this.previews.delete(move),
    )
  }

  private get path(): string {
    return `/api/lessons/${this.lesson.title}/${this.step!.id}`
  }

  private async send(move: string): Promise<void> {
    if (this.pending || this.done) return
    const { at } = this
    this.pending = { move }
    this.error = ''
    try {
      const answer = await fetchJson<LessonAnswered>('POST', `${this.path}/answer`, { move })
      if (at !== this.at) return
      this.answer = { ...answer, move }
      if (answer.accepted) this.animate(answer.entries, answer.view)
    } catch (exc) {
      this.error = exc instanceof ApiError ? exc.rule : 'failed'
    } finally {
      this.pending = null
    }
  }

  // A lesson has no clock and no table to command

  seconds(): null {
    return null
  }
  request(): void {}
}
