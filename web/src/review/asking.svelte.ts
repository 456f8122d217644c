// Asks the coach about a game, and waits for what it says. A game that was looked at before is answered at once.
import { ask, Refused } from '../lib/api'
import { be } from '../lib/session.svelte'
import type { Source } from '../replay/source'
import type { Report, ReviewSeen } from '../wire'

const SOON = 600
const LATE = 4000
const KEY = 'tessella.reviews'
const MOST_KEPT = 40

export class Asking {
  seen = $state.raw<ReviewSeen | null>(null)
  /** Why there is nothing to show: a word of ours, or that of the server. */
  wrong = $state('')
  private timer = 0
  private gone = false

  constructor(
    private readonly source: Source,
    private readonly record: string,
  ) {
    void this.begin()
  }

  get report(): Report | null {
    return this.seen?.report ?? null
  }

  close(): void {
    this.gone = true
    clearTimeout(this.timer)
  }

  /** What is known already; or else the coach is asked to look. */
  async begin(): Promise<void> {
    this.wrong = ''
    await this.hear(async () => (await this.look()) ?? (await this.order()))
  }

  private async hear(question: () => Promise<ReviewSeen>, wait = SOON): Promise<void> {
    try {
      this.seen = await question()
      if (this.seen.status === 'failed') this.wrong = 'failed'
      else if (this.seen.status !== 'done') this.later(wait)
    } catch (problem) {
      this.wrong = problem instanceof Refused ? problem.rule : 'failed'
    }
  }

  private later(wait: number): void {
    if (this.gone) return
    const question = async (): Promise<ReviewSeen> => (await this.look()) ?? (await this.order())
    this.timer = window.setTimeout(() => void this.hear(question, Math.min(LATE, wait * 1.4)), wait)
  }

  /** The review as far as it is; nothing if nobody asked for it yet. */
  private async look(): Promise<ReviewSeen | null> {
    const path = this.path()
    if (!path) return null
    return ask<ReviewSeen>('GET', path).catch((problem: unknown) => {
      if (problem instanceof Refused && problem.status === 404) return null
      throw problem
    })
  }

  private path(): string {
    if ('id' in this.source) return `/api/games/${this.source.id}/review`
    const id = this.seen?.id ?? ('short' in this.source ? kept()[this.source.short] : '')
    return id ? `/api/reviews/${id}` : ''
  }

  private async order(): Promise<ReviewSeen> {
    const order = (): Promise<ReviewSeen> =>
      'id' in this.source ? ask('POST', `/api/games/${this.source.id}/review`) : ask('POST', '/api/reviews', { record: this.record })
    const seen = await order().catch(async (problem: unknown) => {
      if (!(problem instanceof Refused) || problem.status !== 401) throw problem
      await be('')
      return order()
    })
    if ('short' in this.source) keep(this.source.short, seen.id)
    return seen
  }
}

/** By which name the server keeps the review of a game in a link, so that it opens without a network too. */
function kept(): Record<string, string> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, string>
  } catch {
    return {}
  }
}

function keep(short: string, id: string): void {
  const all = Object.entries({ ...kept(), [short]: id }).slice(-MOST_KEPT)
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(all)))
  } catch {
    // A browser that keeps nothing asks again.
  }
}
