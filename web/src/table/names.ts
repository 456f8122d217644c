// How those at a table are called.
import { maybe, t } from '../lib/words.svelte'
import type { TableSeen } from '../wire'

export function nameAt(table: TableSeen, seat: number): string {
  const chair = table.chairs[seat]
  if (!chair?.name) return t('chair.free')
  if (!chair.is_bot) return chair.name
  const alike = table.chairs.flatMap((other, at) => (other.is_bot && other.level === chair.level ? [at] : []))
  const name = maybe(`level.${chair.level}`, chair.name)
  return alike.length > 1 ? `${name} ${alike.indexOf(seat) + 1}` : name
}

/** 4:07, or 2 d 3 h when it is long. */
export function clock(seconds: number): string {
  if (seconds >= 86_400) return `${Math.floor(seconds / 86_400)} d ${Math.floor((seconds % 86_400) / 3_600)} h`
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), Math.floor(seconds % 60)]
  const two = (n: number): string => String(n).padStart(2, '0')
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}
