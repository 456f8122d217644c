// The points of a tile in words, and the tiles that are counted.
import { t } from '../lib/i18n.svelte'

interface Placing {
  row: number
  column: number
  across: number
  down: number
  points: number
}

/** Return the points as "3 across + 2 down = 5". */
export function scored({ across, down, points }: Placing): string {
  const parts = []
  if (across > 1) parts.push(t('azul.across', { n: across }))
  if (down > 1) parts.push(t('azul.down', { n: down }))
  return parts.length ? `${parts.join(' + ')} = ${t('points', { n: points })}` : t('rules.score.alone')
}

/** Return the spaces of the runs through a space. */
export function runs(rows: string[], { row, column, across, down }: Placing): Set<string> {
  const found = new Set<string>()
  const walk = (r: number, c: number, stepR: number, stepC: number): void => {
    for (; (rows[r]?.[c] ?? '.') !== '.'; r += stepR, c += stepC) found.add(`${r}-${c}`)
  }
  if (across > 1) for (const step of [-1, 1]) walk(row, column + step, 0, step)
  if (down > 1) for (const step of [-1, 1]) walk(row + step, column, step, 0)
  return found
}
