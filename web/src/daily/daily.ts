// Daily deals: requests, and what is said of a try.
import { fetchJson } from '../lib/api'
import { language, maybe, t } from '../lib/i18n.svelte'
import type { DailyBegun, DailyTable, DailyTry } from '../protocol.gen'

const ORDER = ['azul', 'duel', 'blockers']

/** Return deals in the order in which the games stand on every page. */
export function inOrder<Deal extends { title: string }>(deals: readonly Deal[]): Deal[] {
  const at = (title: string): number => (ORDER.includes(title) ? ORDER.indexOf(title) : ORDER.length)
  return deals.toSorted((one, other) => at(one.title) - at(other.title))
}

export const gameName = (title: string): string => maybe(`game.${title}`, title)
export const against = (level: string): string => t('daily.against', { level: maybe(`level.${level}.the`, maybe(`level.${level}`, level)) })

/** Begin the one try at a deal, or return to it; give the address of its table. */
export async function begin(day: string, title: string): Promise<string> {
  const { id } = await fetchJson<DailyBegun>('POST', `/api/daily/${day}/${title}`)
  return `/table/${id}`
}

/** Return how a try ended, in a sentence. */
export function outcome({ place, score, other }: DailyTry): string {
  if (place === null) return t('daily.ended')
  if (score === null || other === null) return t('daily.resigned')
  return t(place !== 1 ? 'daily.lost' : score === other ? 'daily.drawn' : 'daily.won', { score, other })
}

/** Return a day, which is the same everywhere, as the reader writes it. */
export function dayName(day: string): string {
  return new Intl.DateTimeFormat(language(), { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' }).format(Date.parse(`${day}T12:00:00Z`))
}

/** Return the result and the address of the deal for others to read; neither tells anything of the deal. */
export function boast({ day, title, level, yours }: DailyTable, address: string): string {
  const better = yours?.better_than == null ? '' : ` · ${t('daily.better', { n: yours.better_than })}`
  const result = yours ? `${outcome(yours)} ${against(level)}${better}` : ''
  return [`${t('daily.title.of', { game: gameName(title) })} · ${dayName(day)}`, result, address].filter(Boolean).join('\n')
}
