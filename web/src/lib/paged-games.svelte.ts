// A list of games, loaded one page at a time.
import type { GameListed, GamesListed } from '../protocol.gen'
import { fetchJson } from './api'

export class PagedGames {
  games = $state.raw<GameListed[]>([])
  busy = $state(false)
  /** Whether the first page was loaded or failed. */
  ready = $state(false)
  private next = $state<string | null>(null)

  constructor(private readonly path: string) {
    void this.load(path)
  }

  get more(): boolean {
    return this.next !== null
  }

  async loadMore(): Promise<void> {
    if (this.next !== null && !this.busy) await this.load(`${this.path}?before=${encodeURIComponent(this.next)}`)
  }

  /** Load a page; a game that moved between pages meanwhile is shown once. */
  private async load(path: string): Promise<void> {
    this.busy = true
    try {
      const page = await fetchJson<GamesListed>('GET', path)
      const known = new Set(this.games.map((game) => game.id))
      this.games = [...this.games, ...page.games.filter((game) => !known.has(game.id))]
      this.next = page.next
    } catch {
      // the list stays as it is; the button tries again
    } finally {
      this.busy = false
      this.ready = true
    }
  }
}
