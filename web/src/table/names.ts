// Names of players, and clocks as text.
import { maybe, t } from '../lib/i18n.svelte'
import type { TableView } from '../protocol.gen'

/** Return the name of a player, and the number that tells bots of the same level apart; empty if there is none. */
export function namePartsAt(table: TableView, seat: number): [name: string, number: string] {
  const occupant = table.seats[seat]
  if (!occupant?.name) return [t('seat.free'), '']
  if (!occupant.is_bot) return [occupant.name, '']
  const alike = table.seats.flatMap((other, at) => (other.is_bot && other.level === occupant.level ? [at] : []))
  return [maybe(`level.${occupant.level}`, occupant.name), alike.length > 1 ? String(alike.indexOf(seat) + 1) : '']
}

export function nameAt(table: TableView, seat: number): string {
  return namePartsAt(table, seat).filter(Boolean).join(' ')
}

/** Return a time as 4:07, or as 2 d 3 h from one day. */
export function clock(seconds: number): string {
  if (seconds >= 86_400) return `${Math.floor(seconds / 86_400)} d ${Math.floor((seconds % 86_400) / 3_600)} h`
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), Math.floor(seconds % 60)]
  const two = (n: number): string => String(n).padStart(2, '0')
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}
