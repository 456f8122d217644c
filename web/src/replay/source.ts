// Where a game to be watched comes from: this server, a link that holds all of it, or a file.
import { ask } from '../lib/api'
import type { ReplaySeen } from '../wire'

export type Source = { id: string } | { short: string } | { file: string }

export function fetchReplay(source: Source, seat: number | null): Promise<ReplaySeen> {
  const query = seat === null ? '' : `?seat=${seat}`
  if ('id' in source) return ask('GET', `/api/games/${source.id}/replay${query}`)
  if ('short' in source) return ask('GET', `/api/replay/${source.short.replace('.', '/')}${query}`)
  return ask('POST', `/api/replay${query}`, { record: source.file })
}

/** The game in a link of ours, or in its end alone; nothing if there is none. */
export function shortIn(text: string): string {
  return /(?:^|#)([a-z]+\d+\.[\w-]+)$/.exec(text.trim())?.[1] ?? ''
}

/** The address of a game on this server: to be watched, or with the coach. A file is where it was brought. */
export function pathTo(source: Source, what: 'replay' | 'review'): string {
  return 'id' in source ? `/${what}/${source.id}` : `/${what}${'short' in source ? `#${source.short}` : ''}`
}

export function linkTo(source: Source): string {
  return 'file' in source ? '' : location.origin + pathTo(source, 'replay')
}
