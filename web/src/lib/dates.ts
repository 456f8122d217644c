// Dates from the server's timestamps, which are in seconds, as the reader writes them.
import { language } from './i18n.svelte'

/** Return the reader's own form of the language, such as en-GB or fr-CA, or the language. */
function locale(): string {
  return navigator.languages.find((tag) => tag.startsWith(`${language()}-`)) ?? language()
}

export function day(seconds: number): string {
  return new Intl.DateTimeFormat(locale(), { day: 'numeric', month: 'long', year: 'numeric' }).format(seconds * 1000)
}

/** Return a date with the time of the day. */
export function moment(seconds: number): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'short' }).format(seconds * 1000)
}

/** Return a short date. */
export function shortDay(seconds: number): string {
  return new Intl.DateTimeFormat(locale(), { day: 'numeric', month: 'short', year: '2-digit' }).format(seconds * 1000)
}
