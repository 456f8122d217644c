// Dates from the server's timestamps, which are in seconds.
import { language } from './i18n.svelte'

export function day(seconds: number): string {
  return new Intl.DateTimeFormat(language(), { day: 'numeric', month: 'long', year: 'numeric' }).format(seconds * 1000)
}

/** Return a short date. */
export function shortDay(seconds: number): string {
  return new Intl.DateTimeFormat(language(), { day: 'numeric', month: 'short', year: '2-digit' }).format(seconds * 1000)
}
