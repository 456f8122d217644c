// The scoring faces that a table can be set with (DU05): one face of each of three tiles, or of all four.
export const SCORINGS = ['first', 'other', 'four', 'surprise'] as const

const TILES = [
  ['rows', 'colour_rows'],
  ['columns', 'outer'],
  ['diagonals', 'corners'],
  ['jokers', 'empty_specials'],
]

/** The faces as the server reads them; for a surprise, one tile is left out and the others are thrown. */
export function facesOf(scoring: (typeof SCORINGS)[number], random = Math.random): string {
  const out = Math.floor(random() * TILES.length)
  const side = { first: () => 0, other: () => 1, four: () => 0, surprise: () => Math.floor(random() * 2) }[scoring]
  const left = { first: 3, other: 3, four: -1, surprise: out }[scoring]
  return TILES.filter((_, i) => i !== left)
    .map((faces) => faces[side()])
    .join()
}
