// The small boards of the shop window: a position of each game, and the tiles that travel on it.

/** A piece on a small board. Coordinates count in tiles; `from` is where a piece comes from that is not at rest. */
export interface Laid {
  kind: string
  x: number
  y: number
  ghost?: boolean
  from?: [x: number, y: number]
}

const AZUL = 'byrkw'
const WALL = ['11011', '01110', '11100', '00110', '10001']
const LINES = ['r', 'kk', 'ww', 'yyyy', 'rr']
/** The full lines, and the column of the wall that each goes to. */
const FULL: Record<number, number> = { 0: 2, 1: 4, 3: 4 }
export const WALL_X = 5.55

export function azulBoard(): { slots: Laid[]; pieces: Laid[] } {
  const slots: Laid[] = []
  const pieces: Laid[] = []
  for (const [y, laid] of WALL.entries()) {
    for (let i = 0; i <= y; i += 1) slots.push({ kind: '', x: 4 - i, y })
    for (let i = FULL[y] === undefined ? 0 : 1; i < LINES[y]!.length; i += 1) pieces.push({ kind: LINES[y]![i]!, x: 4 - i, y })
    for (const [column, one] of Array.from(laid).entries()) {
      const [kind, x] = [AZUL[(column - y + 5) % 5]!, WALL_X + column]
      pieces.push({ kind, x, y, ghost: one === '0' })
      if (FULL[y] === column) pieces.push({ kind, x, y, from: [4, y] })
    }
  }
  return { slots, pieces }
}

/** Six plates as they lie: four spaces each, capital where a tile lies. */
const PLATES = ['Bt?Y', 'kRBt', 'yK*r', 'T?bY', 'Ry*K', 'bTY?']
export const PLATES_X = 4.2
export const PLATE = 2.14

export function duelBoard(): { plates: Laid[]; pieces: Laid[] } {
  const plates = PLATES.map((kind, i) => ({ kind, x: PLATES_X + (i % 3) * PLATE, y: 0.06 + Math.floor(i / 3) * PLATE }))
  const pieces = plates.flatMap(({ kind, x, y }) =>
    Array.from(kind, (letter, i): Laid => ({ kind: letter.toLowerCase(), x: x + 0.07 + (i % 2), y: y + 0.07 + Math.floor(i / 2), ghost: letter === letter.toLowerCase() })),
  )
  // from the sun, the moon and the sun again to printed spaces of their colours
  const goes = (from: [number, number], plate: number, space: number): Laid => ({ ...pieces[plate * 4 + space]!, ghost: false, from })
  pieces.push({ kind: 'b', x: 0.75, y: 0.72 }, { kind: 'y', x: 0.75, y: 2.76 }, { kind: 'k', x: 2.1, y: 2.3 })
  pieces.push(goes([0.85, 1.7], 0, 1), goes([2.1, 1.2], 1, 0), goes([0.85, 1.7], 2, 3))
  return { plates, pieces }
}

const ROWS = ['..b.y...r', '.bb..y.rr', 'g.b..yy.r', 'gg...v..r', '.g..vvv.b', 'y..r..v.b', 'yy.rr..g.', '.y..r.gg.', 'v...v.g..']
const SYMBOLS = 'shapdcmto'
const DROPPED = new Set([15, 34, 48, 71])
export const across = (cell: number): number => cell + 0.12 * Math.floor(cell / 3)

export function blockersBoard(): Laid[] {
  const met = new Set<string>()
  const faceAt = (colour: string, y: number, x: number): string => {
    const faces = ['ABCDEFGHI'[y]!, String(x + 1), SYMBOLS[3 * Math.floor(y / 3) + Math.floor(x / 3)]!]
    const face = [0, 1, 2].map((i) => faces[(i + x + y) % 3]!).find((one) => !met.has(colour + one)) ?? 'w'
    met.add(colour + face)
    return face
  }
  return ROWS.flatMap((row, y) =>
    Array.from(row).flatMap((colour, x): Laid[] => {
      if (colour === '.') return []
      const at = { kind: colour + faceAt(colour, y, x), x: across(x), y: across(y) }
      return [DROPPED.has(9 * y + x) ? { ...at, from: [at.x, at.y - 1.4] } : at]
    }),
  )
}
