// The board and tiles of Blockers!: names of cells, where a face fits, groups, and coordinates for drawing.
export const COLOURS = 'byrgv'
export const SYMBOLS = 'shapdcmto'
export const WILD = 'w'
export const SIZE = 9
export const CELLS = Array.from({ length: SIZE * SIZE }, (_, cell) => cell)
const LETTERS = 'ABCDEFGHI'

export const rowOf = (cell: number): number => Math.floor(cell / SIZE)
export const columnOf = (cell: number): number => cell % SIZE
export const blockOf = (cell: number): number => 3 * Math.floor(rowOf(cell) / 3) + Math.floor(columnOf(cell) / 3)

export function cellName(cell: number): string {
  return LETTERS[rowOf(cell)]! + (columnOf(cell) + 1)
}

export function cellAt(name: string): number {
  return LETTERS.indexOf(name[0]!) * SIZE + Number(name[1]) - 1
}

/** Return whether a face fits a cell by its row, column or block. */
export function belongs(face: string, cell: number): boolean {
  return face === WILD || face === LETTERS[rowOf(cell)] || face === String(columnOf(cell) + 1) || face === SYMBOLS[blockOf(cell)]
}

/** A parsed move: b7@D7x is tile b7 on cell D7, with a capture; no cell if the tile is put aside. */
export interface Written {
  tile: string
  cell: number | null
  captures: boolean
}

export function readMove(move: string): Written {
  const [tile, where] = move.split('@') as [string, string]
  return { tile, cell: where === '-' ? null : cellAt(where), captures: where.endsWith('x') }
}

/** Return a move in notation, legal or not; a tile on the cell is captured. */
export function writeMove(tile: string, cell: number, colours: string): string {
  return `${tile}@${cellName(cell)}${colours[cell] === '.' ? '' : 'x'}`
}

/** What the chosen tile can do on a cell: be placed, capture, fit without being legal, or not fit. */
export type Light = 'may' | 'take' | 'no' | 'else'

export function lightsOf(tile: string, moves: string[]): Light[] {
  const open = moves.map(readMove).filter((move) => move.tile === tile)
  return CELLS.map((cell) => {
    const move = open.find((one) => one.cell === cell)
    if (move) return move.captures ? 'take' : 'may'
    return belongs(tile.at(-1)!, cell) ? 'no' : 'else'
  })
}

/** Return the tiles of a heap, which is written with two characters per tile. */
export function tilesOf(heap: string): { colour: string; face: string }[] {
  return Array.from({ length: heap.length / 2 }, (_, i) => ({ colour: heap[2 * i]!, face: heap[2 * i + 1]! }))
}

// Groups: tiles of one colour that touch edge to edge

type Way = readonly [down: number, across: number]
const UP: Way = [-1, 0]
const RIGHT: Way = [0, 1]
const DOWN: Way = [1, 0]
const LEFT: Way = [0, -1]

function step(cell: number, ...ways: Way[]): number | null {
  const row = ways.reduce((sum, way) => sum + way[0], rowOf(cell))
  const column = ways.reduce((sum, way) => sum + way[1], columnOf(cell))
  return row >= 0 && row < SIZE && column >= 0 && column < SIZE ? row * SIZE + column : null
}

export interface Group {
  colour: string
  cells: number[]
}

export function groupsOf(colours: string): Group[] {
  const met = new Set<number>()
  return CELLS.filter((cell) => colours[cell] !== '.').flatMap((cell) => (met.has(cell) ? [] : [gather(colours, cell, met)]))
}

function gather(colours: string, first: number, met: Set<number>): Group {
  const cells = [first]
  met.add(first)
  for (const cell of cells) {
    for (const way of [UP, RIGHT, DOWN, LEFT]) {
      const near = step(cell, way)
      if (near === null || met.has(near) || colours[near] !== colours[first]) continue
      met.add(near)
      cells.push(near)
    }
  }
  return { colour: colours[first]!, cells }
}

// Coordinates: a cell is 1 wide, with gaps between blocks for the symbol above and a line beside

export const BESIDE = 0.1
export const ABOVE = 0.34
export const across = (column: number): number => column + BESIDE * Math.floor(column / 3)
export const down = (row: number): number => row + ABOVE * (Math.floor(row / 3) + 1)
export const WIDTH = across(SIZE - 1) + 1
export const HEIGHT = down(SIZE - 1) + 1

/** Return the outline of a group as an SVG path, inset in its cells and continued across gaps. */
export function outline(cells: number[], inset: number): string {
  const inside = new Set(cells)
  return cells.map((cell) => edges(cell, (...ways) => inside.has(step(cell, ...ways) ?? -1), inset)).join('')
}

function edges(cell: number, has: (...ways: Way[]) => boolean, inset: number): string {
  const [row, column] = [rowOf(cell), columnOf(cell)]
  const [x, y] = [across(column), down(row)]
  const side = { left: x + inset, right: x + 1 - inset, top: y + inset, bottom: y + 1 - inset }
  const near = { left: x, right: across(column + 1), top: y, bottom: down(row + 1) }
  const left = has(LEFT) ? near.left : side.left
  const right = has(RIGHT) ? near.right : side.right
  const top = has(UP) ? near.top : side.top
  const bottom = has(DOWN) ? near.bottom : side.bottom
  const corner = (one: Way, other: Way, path: string): string => (has(one) && has(other) && !has(one, other) ? path : '')
  return [
    has(UP) ? '' : `M${left} ${top}H${right}`,
    has(RIGHT) ? '' : `M${right} ${top}V${bottom}`,
    has(DOWN) ? '' : `M${left} ${bottom}H${right}`,
    has(LEFT) ? '' : `M${left} ${top}V${bottom}`,
    corner(UP, LEFT, `M${side.left} ${near.top}V${side.top}H${near.left}`),
    corner(UP, RIGHT, `M${side.right} ${near.top}V${side.top}H${near.right}`),
    corner(DOWN, LEFT, `M${side.left} ${near.bottom}V${side.bottom}H${near.left}`),
    corner(DOWN, RIGHT, `M${side.right} ${near.bottom}V${side.bottom}H${near.right}`),
  ].join('')
}

/** Return the cell that a key moves to; the edge stops arrows, other keys return null. */
export function walk(cell: number, key: string): number | null {
  const ways: Record<string, Way> = { ArrowUp: UP, ArrowRight: RIGHT, ArrowDown: DOWN, ArrowLeft: LEFT }
  if (key === 'Home') return cell - columnOf(cell)
  if (key === 'End') return cell - columnOf(cell) + SIZE - 1
  const way = ways[key]
  return way ? (step(cell, way) ?? cell) : null
}
