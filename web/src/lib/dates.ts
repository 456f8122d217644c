// Moments of the server, which are seconds, as people write them.
import { language } from './words.svelte'

export function day(seconds: number): string {
  return new Intl.DateTimeFormat(language(), { day: 'numeric', month: 'long', year: 'numeric' }).format(seconds * 1000)
}

/** A day of this year or another one, in few letters. */
export function shortDay(seconds: number): string {
  return new Intl.DateTimeFormat(language(), { day: 'numeric', month: 'short', year: '2-digit' }).format(seconds * 1000)
}
