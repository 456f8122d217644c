// The current points of the scoring faces, for the cards at the table; the server scores the game.
import type { Duel } from '../../protocol.gen'
import { EMPTY, JOKER, printed, SIX, SPECIAL } from './pieces'

export type Face = Duel.Config['faces'][number]

export const PRICES: Record<Face, number[]> = {
  rows: [3],
  colour_rows: [4],
  columns: [7],
  outer: [1],
  diagonals: [10],
  corners: [3, 8],
  jokers: [2],
  empty_specials: [-3],
}
export const RULES: Record<Face, string> = {
  rows: 'DU50',
  colour_rows: 'DU51',
  columns: 'DU52',
  outer: 'DU53',
  diagonals: 'DU54',
  corners: 'DU55',
  jokers: 'DU56',
  empty_specials: 'DU57',
}

type Spot = [row: number, column: number]
const every = SIX.flatMap((row) => SIX.map((column): Spot => [row, column]))
const border = (i: number): boolean => i === 0 || i === 5
const corner = (top: number, left: number): Spot[] => [[top, left], [top, left + 1], [top + 1, left], [top + 1, left + 1]]

/** Return how often a face scores, one count per price. */
export function counts(face: Face, board: Duel.Board, config: Duel.Config): number[] {
  const full = (spots: Spot[]): boolean => spots.every(([row, column]) => board.tiles[row]![column] !== EMPTY)
  const number = (all: Spot[][]): number => all.filter(full).length
  switch (face) {
    case 'rows':
      return [number(SIX.map((row) => SIX.map((column) => [row, column])))]
    case 'columns':
      return [number(SIX.map((column) => SIX.map((row) => [row, column])))]
    case 'diagonals':
      return [number([SIX.map((i) => [i, i]), SIX.map((i) => [i, 5 - i])])]
    case 'outer':
      return [number(every.filter(([row, column]) => border(row) || border(column)).map((spot) => [spot]))]
    case 'corners':
      return [number([corner(0, 0), corner(0, 4)]), number([corner(4, 0), corner(4, 4)])]
    case 'colour_rows':
      return [board.tiles.filter((row) => colours(row, config) >= 5).length]
    case 'jokers': {
      const spots = every.filter(([row, column]) => printed(board, row, column) === JOKER)
      return [full(spots) ? spots.length : 0]
    }
    case 'empty_specials':
      return [every.filter(([row, column]) => printed(board, row, column) === SPECIAL && !full([[row, column]])).length]
  }
}

/** DU51, in its three readings: a special tile is a colour, is none, or two of them spoil the row. */
function colours(row: string, config: Duel.Config): number {
  if (config.special_counts_as_colour === 'alone' && row.split(SPECIAL).length > 2) return 0
  const tiles = new Set(row.replaceAll(EMPTY, ''))
  if (!config.special_counts_as_colour) tiles.delete(SPECIAL)
  return tiles.size
}

export function points(face: Face, board: Duel.Board, config: Duel.Config): number {
  return counts(face, board, config).reduce((sum, count, i) => sum + count * PRICES[face][i]!, 0)
}
