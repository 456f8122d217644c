// Whom the reader follows, who invites them, and the tables of friends; looked at again while the page is visible.
import type { CompanyView, Done } from '../protocol.gen'
import { fetchJson } from './api'

const LOOK_MS = 20_000

export class Friends {
  seen = $state.raw<CompanyView | null>(null)

  async look(): Promise<void> {
    if (!document.hidden) this.seen = await fetchJson<CompanyView>('GET', '/api/me/company').catch(() => this.seen)
  }

  async decline(game: string): Promise<void> {
    await fetchJson<Done>('DELETE', `/api/me/invitations/${game}`).catch(() => undefined)
    await this.look()
  }

  /** Look now and every few seconds, until the function returned is called. */
  watch(): () => void {
    void this.look()
    const timer = setInterval(() => void this.look(), LOOK_MS)
    return () => clearInterval(timer)
  }
}
