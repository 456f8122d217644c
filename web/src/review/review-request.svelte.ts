// Requests the review of a game and polls until it is done; a stored review is returned at once.
import { fetchJson, ApiError } from '../lib/api'
import { ensurePerson } from '../lib/session.svelte'
import type { Source } from '../replay/source'
import type { Report, ReviewView } from '../protocol.gen'

const FIRST_POLL_MS = 600
const MAX_POLL_MS = 4000
const KEY = 'tessella.reviews'
const MAX_STORED = 40

export class ReviewRequest {
  seen = $state.raw<ReviewView | null>(null)
  /** Why there is no review: the rule of the server's error, or `failed`. */
  error = $state('')
  private timer = 0
  private closed = false

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
    this.closed = true
    clearTimeout(this.timer)
  }

  /** Load the stored review, or order one. */
  async begin(): Promise<void> {
    this.error = ''
    await this.poll(async () => (await this.find()) ?? (await this.create()))
  }

  private async poll(question: () => Promise<ReviewView>, wait = FIRST_POLL_MS): Promise<void> {
    try {
      this.seen = await question()
      if (this.seen.status === 'failed') this.error = 'failed'
      else if (this.seen.status !== 'done') this.pollLater(wait)
    } catch (exc) {
      this.error = exc instanceof ApiError ? exc.rule : 'failed'
    }
  }

  private pollLater(wait: number): void {
    if (this.closed) return
    const question = async (): Promise<ReviewView> => (await this.find()) ?? (await this.create())
    this.timer = window.setTimeout(() => void this.poll(question, Math.min(MAX_POLL_MS, wait * 1.4)), wait)
  }

  /** Return the review with its progress; null if none was ordered. */
  private async find(): Promise<ReviewView | null> {
    const path = this.path()
    if (!path) return null
    return fetchJson<ReviewView>('GET', path).catch((exc: unknown) => {
      if (exc instanceof ApiError && exc.status === 404) return null
      throw exc
    })
  }

  private path(): string {
    if ('id' in this.source) return `/api/games/${this.source.id}/review`
    const id = this.seen?.id ?? ('short' in this.source ? kept()[this.source.short] : '')
    return id ? `/api/reviews/${id}` : ''
  }

  private async create(): Promise<ReviewView> {
    const create = (): Promise<ReviewView> =>
      'id' in this.source ? fetchJson('POST', `/api/games/${this.source.id}/review`) : fetchJson('POST', '/api/reviews', { record: this.record })
    const seen = await create().catch(async (exc: unknown) => {
      if (!(exc instanceof ApiError) || exc.status !== 401) throw exc
      await ensurePerson('')
      return create()
    })
    if ('short' in this.source) keep(this.source.short, seen.id)
    return seen
  }
}

/** Return the ids of the reviews of games in links, so that they open offline too. */
function kept(): Record<string, string> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, string>
  } catch {
    return {}
  }
}

function keep(short: string, id: string): void {
  const all = Object.entries({ ...kept(), [short]: id }).slice(-MAX_STORED)
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(all)))
  } catch {
    // Without storage the review is ordered again.
  }
}
