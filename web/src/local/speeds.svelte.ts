// How long each level takes for a move at this device: measured once, and kept.
import type { Speed } from '../protocol.gen'
import { fetchJson } from '../lib/api'

const KEY = 'tessella.speeds'

function read(): Record<string, Speed> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, Speed>
  } catch {
    return {}
  }
}

const kept: Record<string, Speed> = $state(read())

export function speedOf(title: string, level: string): Speed | undefined {
  return kept[`${title} ${level}`]
}

/** Measure the levels of a game one after the other, until `stop` says that the reader has something better to do. */
export async function measure(title: string, levels: string[], stop: () => boolean): Promise<void> {
  for (const level of levels) {
    if (stop()) return
    if (speedOf(title, level)) continue
    kept[`${title} ${level}`] = await fetchJson<Speed>('POST', '/api/here/speed', { title, level })
    localStorage.setItem(KEY, JSON.stringify(kept))
  }
}
