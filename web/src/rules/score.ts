// The points of a tile as the examples give them, in words, and the tiles that are to be looked at.
import { t } from '../lib/words.svelte'

interface Placing {
  row: number
  column: number
  across: number
  down: number
  points: number
}

/** "3 across + 2 down = 5". */
export function scored({ across, down, points }: Placing): string {
  const parts = []
  if (across > 1) parts.push(t('azul.across', { n: across }))
  if (down > 1) parts.push(t('azul.down', { n: down }))
  return parts.length ? `${parts.join(' + ')} = ${t('points', { n: points })}` : t('rules.score.alone')
}

/** The neighbours that make the runs: from the space outward, as far as the lengths of the example reach. */
export function runs(rows: string[], { row, column, across, down }: Placing): Set<string> {
  const found = new Set<string>()
  const walk = (r: number, c: number, stepR: number, stepC: number): void => {
    for (; (rows[r]?.[c] ?? '.') !== '.'; r += stepR, c += stepC) found.add(`${r}-${c}`)
  }
  if (across > 1) for (const step of [-1, 1]) walk(row, column + step, 0, step)
  if (down > 1) for (const step of [-1, 1]) walk(row + step, column, step, 0)
  return found
}
