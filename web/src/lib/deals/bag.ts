// Bags of tiles, kept as one count per colour.
import type { Below } from './types'

/** Draw one tile from a bag of counts; return its kind. */
export async function draw(counts: number[], below: Below): Promise<number> {
  let place = await below(counts.reduce((sum, n) => sum + n, 0))
  let kind = 0
  while (place >= counts[kind]!) place -= counts[kind++]!
  counts[kind]! -= 1
  return kind
}

/** Return tiles as letters, from their counts. */
export function heap(counts: number[], colours: string): string {
  return counts.map((n, kind) => colours[kind]!.repeat(n)).join('')
}

/** Return the count of each colour among letters. */
export function count(tiles: string, colours: string): number[] {
  return Array.from(colours, (colour) => tiles.split(colour).length - 1)
}
