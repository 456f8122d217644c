// The names and descriptions of the levels of bots.
import { maybe } from './i18n.svelte'

export function levelName(level: string): string {
  return maybe(`level.${level}`, level)
}

/** Return a level's number and name, as in a list. */
export function levelTitle(level: string): string {
  const name = levelName(level)
  return name === level ? name : `${level}: ${name}`
}

/** Return what a level is like, in this game or in general. */
export function levelText(title: string, level: string): string {
  return maybe(`level.${title}.${level}.text`, maybe(`level.${level}.text`, ''))
}
