// Where a replay comes from: this server, a link that holds the whole game, or a file.
import { fetchJson } from '../lib/api'
import { shared } from '../lib/router.svelte'
import type { ReplayView } from '../protocol.gen'

export type Source = { id: string } | { short: string } | { file: string }

export function fetchReplay(source: Source, seat: number | null): Promise<ReplayView> {
  const query = seat === null ? '' : `?seat=${seat}`
  if ('id' in source) return fetchJson('GET', `/api/games/${source.id}/replay${query}`)
  if ('short' in source) return fetchJson('GET', `/api/replay/${source.short.replace('.', '/')}${query}`)
  return fetchJson('POST', `/api/replay${query}`, { record: source.file })
}

/** Return the short form of a game from a link or from its fragment; empty if there is none. */
export function shortIn(text: string): string {
  return /(?:^|#)([a-z]+\d+\.[\w-]+)$/.exec(text.trim())?.[1] ?? ''
}

/** Return the path of the replay or review of a game; a file has only the general one. */
export function pathTo(source: Source, what: 'replay' | 'review'): string {
  return 'id' in source ? `/${what}/${source.id}` : `/${what}${'short' in source ? `#${source.short}` : ''}`
}

export function linkTo(source: Source): string {
  return 'file' in source ? '' : shared(pathTo(source, 'replay'))
}
