// The choice of scoring faces for a new table (DU05): one face each of three tiles, or of all four.
export const SCORINGS = ['first', 'other', 'four', 'surprise'] as const
export type Scoring = (typeof SCORINGS)[number]

const TILES = [
  ['rows', 'colour_rows'],
  ['columns', 'outer'],
  ['diagonals', 'corners'],
  ['jokers', 'empty_specials'],
]

/** Return the faces as the server reads them; a surprise leaves out one tile and picks the sides at random. */
export function facesOf(scoring: Scoring, random = Math.random): string {
  const out = Math.floor(random() * TILES.length)
  const side = { first: () => 0, other: () => 1, four: () => 0, surprise: () => Math.floor(random() * 2) }[scoring]
  const left = { first: 3, other: 3, four: -1, surprise: out }[scoring]
  return TILES.filter((_, i) => i !== left)
    .map((faces) => faces[side()])
    .join()
}
