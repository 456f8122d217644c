// How clubs are put into words.
import { ApiError } from '../lib/api'
import { language, maybe } from '../lib/i18n.svelte'

export function errorOf(exc: unknown): string {
  return exc instanceof ApiError ? maybe(`clubs.no.${exc.rule}`, maybe(`refused.${exc.rule}`, exc.message)) : String(exc)
}

/** Return the name of a weekday in the reader's language; 0 is Monday. */
export function weekdayName(weekday: number): string {
  return new Intl.DateTimeFormat(language(), { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2024, 0, 1 + weekday))
}

/** Return a minute of the day as a time, such as 19:00. */
export function timeOf(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
}
