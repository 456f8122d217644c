// Steps shown one after the other on a board: a recorded game, or a line of play.
import type { EntryView } from '../protocol.gen'
import type { Animator } from './game'
import { reducedMotion } from './settings.svelte'

export const SPEEDS = [0.5, 1, 2, 4]
const DWELL_MS = 1300

export abstract class Stepper {
  at = $state(0)
  speed = $state(1)
  playing = $state(false)
  private timer = 0

  abstract readonly last: number
  /** How entries are animated; null if nothing is drawn. */
  protected abstract readonly drawer: Animator | null
  /** Return the entry that leads to a step. */
  protected abstract entryAt(at: number): EntryView

  /** Show a step; a single step forward is animated. */
  go(to: number): void {
    const at = Math.max(0, Math.min(this.last, to))
    if (at === this.at) return
    const apply = (): void => void (this.at = at)
    if (at === this.at + 1 && this.drawer && !reducedMotion() && !document.hidden) this.drawer([this.entryAt(at)], apply)
    else apply()
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
}
