// Composes a move from what the player points at: the same steps for every board.
import { onMount, tick } from 'svelte'
import type { Animator, GameModel } from '../lib/game'
import { settings } from '../lib/settings.svelte'
import { lift } from '../lib/sound'
import type { PreviewReply, TableView } from '../protocol.gen'

/** A pointer that only crosses the board requests no previews. */
const HOVER_DELAY_MS = 90

/** What a game defines: a draft is what was chosen so far, a target is what the pointer can be over. */
export interface Composition<Draft, Target> {
  /** Return the move that a draft spells, legal or not; empty while a choice is missing. */
  moveOf(draft: Draft, moves: string[]): string
  /** Return whether a draft can still become a legal move. */
  isOpen(draft: Draft, moves: string[]): boolean
  /** Return the move to preview while the pointer is over a target; empty for none. */
  moveAt(draft: Draft, target: Target, moves: string[]): string
  /** A draft is played: what follows from it can be prepared. */
  played?(draft: Draft): void
  /** Return what gets the focus once a draft was played by keyboard. */
  focusAfter?(draft: Draft): string
}

export class MoveComposer<Draft, Target, Preview> {
  draft = $state.raw<Draft | null>(null)
  hovered = $state.raw<Target | null>(null)
  /** The board, in which the focus moves. */
  root = $state<HTMLElement>()
  byKeyboard = false
  private startedAt = 0
  private origin: EventTarget | null = null

  readonly shown: TableView = $derived.by(() => this.model.shown!)
  readonly moves: string[] = $derived.by(() => (this.model.pending ? [] : this.shown.moves))
  readonly move: string = $derived.by(() => (this.draft ? this.composition.moveOf(this.draft, this.moves) : ''))
  readonly legal: boolean = $derived.by(() => this.moves.includes(this.move))
  /** The move drawn on the board: the composed one, or the one under the pointer. */
  readonly inspected: string = $derived.by(() => this.move || this.pointedAt())
  readonly allowed: boolean = $derived.by(() => this.moves.includes(this.inspected))
  readonly answer: PreviewReply | null = $derived.by(() => (this.inspected && this.model.previewReply?.move === this.inspected ? this.model.previewReply : null))
  readonly preview: Preview | null = $derived.by(() => (this.allowed ? ((this.answer?.preview as Preview | undefined) ?? null) : null))

  /** Create it while a component is set up: its effects end with the component. */
  constructor(
    private readonly getModel: () => GameModel,
    private readonly composition: Composition<Draft, Target>,
    animate: Animator,
  ) {
    onMount(() => {
      this.model.animator = animate
      return () => (this.model.animator = null)
    })
    $effect(() => this.dropStale())
    $effect(() => this.requestPreview())
  }

  get model(): GameModel {
    return this.getModel()
  }

  private pointedAt(): string {
    return this.draft && this.hovered !== null ? this.composition.moveAt(this.draft, this.hovered, this.moves) : ''
  }

  /** Clear a draft that the table no longer allows. */
  private dropStale(): void {
    const changed = !this.moves.length || this.shown.number !== this.startedAt
    if (this.draft && changed && !this.composition.isOpen(this.draft, this.moves)) this.clear()
  }

  private requestPreview(): (() => void) | undefined {
    const { inspected } = this
    if (!inspected) return
    const timer = setTimeout(() => this.model.requestPreview(inspected), this.move ? 0 : HOVER_DELAY_MS)
    return () => clearTimeout(timer)
  }

  /** Continue with a draft: play it if one tap is enough; by keyboard, focus the next choice. */
  set(next: Draft, event: MouseEvent, nextChoice = ''): void {
    if (!this.moves.length) return
    if (!this.draft) {
      this.origin = event.currentTarget
      lift()
    }
    this.draft = next
    this.startedAt = this.shown.number
    this.byKeyboard = event.detail === 0
    if (this.legal && settings.confirm === 'tap') return this.play(event)
    const goal = this.legal ? '.confirm' : this.move ? '' : nextChoice
    if (this.byKeyboard && goal) void this.focus(goal)
  }

  /** Begin with a draft that nobody chose yet. */
  begin(draft: Draft): void {
    this.draft = draft
    this.startedAt = this.shown.number
  }

  clear(): void {
    this.draft = null
    this.hovered = null
  }

  /** Clear the draft; by keyboard, return to where it was started. */
  cancel(): void {
    this.clear()
    if (this.byKeyboard && this.origin instanceof HTMLElement) this.origin.focus()
  }

  play(event: MouseEvent): void {
    const { draft, move } = this
    if (!draft || !this.legal) return
    this.byKeyboard = event.detail === 0
    const goal = this.composition.focusAfter?.(draft)
    this.clear()
    this.composition.played?.(draft)
    this.model.play(move)
    if (this.byKeyboard && goal) void this.focus(goal)
  }

  /** Whether a player who uses the keyboard waits: at the offer, or nowhere. */
  waitsByKeyboard(): boolean {
    const at = document.activeElement
    return this.byKeyboard && (at === document.body || !!at?.matches('.offer'))
  }

  async focus(selector: string): Promise<void> {
    await tick()
    this.root?.querySelector<HTMLElement>(selector)?.focus()
  }

  readonly onkeydown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && this.draft && !document.querySelector('dialog[open], :popover-open')) this.cancel()
  }
}
