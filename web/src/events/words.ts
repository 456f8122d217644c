// How events are put into words.
import { ApiError } from '../lib/api'
import { levelName } from '../lib/levels'
import { maybe, t } from '../lib/i18n.svelte'
import type { EventTableView, EventView } from '../protocol.gen'

export const FORMATS = ['swiss', 'round-robin', 'knockout'] as const

/** Return the name of an entrant; -1 is a bot that fills a seat. */
export function nameOf(event: EventView, entrant: number): string {
  const found = event.entrants[entrant]
  if (!found) return t('events.filler')
  if (found.level) return `${levelName(found.level)} ${entrant + 1}`
  return found.name === 'deleted' || !found.name ? t('events.deleted') : found.name
}

export function paceOf(event: EventView): string {
  return event.pace === 'days' ? t('events.pace.each', { n: event.days }) : t('events.pace.bank', { bank: event.bank / 60, increment: event.increment })
}

/** Return the table of an entrant in a round, or their bye. */
export function tableOf(event: EventView, entrant: number, round: number): EventTableView | undefined {
  return event.tables.find((table) => table.round === round && table.players.includes(entrant))
}

export function errorOf(exc: unknown): string {
  return exc instanceof ApiError ? maybe(`events.no.${exc.rule}`, maybe(`refused.${exc.rule}`, exc.message)) : String(exc)
}

/** Return points with their half, as people write them. */
export function pointsText(points: number): string {
  const whole = Math.floor(points)
  return points === whole ? String(points) : `${whole || ''}½`
}
