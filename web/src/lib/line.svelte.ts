// A line of play from a position, stepped through on the board that shows the position.
import type { EntryView, ReplayStep } from '../protocol.gen'
import type { Animator } from './game'
import { Stepper } from './stepper.svelte'

export class Line extends Stepper {
  readonly last: number

  /** `steps` are the moves of the line; `animator` returns that of the board on which it is shown. */
  constructor(
    readonly steps: ReplayStep[],
    private readonly animator: () => Animator | null,
  ) {
    super()
    this.last = steps.length
  }

  /** The step on the board; null before the first move. */
  get step(): ReplayStep | null {
    return this.steps[this.at - 1] ?? null
  }

  /** The moves made so far. */
  get entries(): EntryView[] {
    return this.steps.slice(0, this.at).map((step) => step.entry)
  }

  protected get drawer(): Animator | null {
    return this.animator()
  }

  protected entryAt(at: number): EntryView {
    return this.steps[at - 1]!.entry
  }
}
