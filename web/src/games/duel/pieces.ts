// The pieces of Azul Duel as letters. Rows, columns and slots count from 0.
import type { Duel } from '../../protocol.gen'

export const COLOURS = 'byrkt'
export const SPECIAL = '*'
export const JOKER = '?'
export const FACE_DOWN = '#'
export const EMPTY = '.'
export const SIX = [0, 1, 2, 3, 4, 5]
/** The total cost of one to four broken tiles, and the cost of the start tile (DU35). */
export const BROKEN = [1, 3, 6, 10]
export const START_TILE_COST = 2
export const START_SCORE = 5

const SECOND: Record<string, string> = { B: 'r', Y: 'k', R: 't', K: 'b', T: 'y' }
const CHIPS = 'byrktBYRKT'

/** Return the colours of a chip: a capital letter shows its colour and a second one. */
export function coloursOf(chip: string): string {
  return chip.toLowerCase() + (SECOND[chip] ?? '')
}

export function sortedChips(chips: string): string {
  return Array.from(chips)
    .sort((one, other) => CHIPS.indexOf(one) - CHIPS.indexOf(other))
    .join('')
}

/** Return a plate after a quarter turn to the right. */
export function turned(plate: string): string {
  return plate[2]! + plate[0]! + plate[3]! + plate[1]!
}

export function turnedBack(plate: string): string {
  return turned(turned(turned(plate)))
}

/** Return the four orientations of a plate. */
export function ways(plate: string): string[] {
  return [plate, turned(plate), turned(turned(plate)), turnedBack(plate)]
}

export function kindOf(plate: string): string {
  return plate.includes(SPECIAL) ? SPECIAL : JOKER
}

/** Return the row and column of a slot's space. */
export function spot(slot: number, space: number): { row: number; column: number } {
  return { row: Math.floor(slot / 3) * 2 + Math.floor(space / 2), column: (slot % 3) * 2 + (space % 2) }
}

/** Return what is printed on a space of the dome; empty where no plate lies. */
export function printed(board: Duel.Board, row: number, column: number): string {
  const plate = board.dome[Math.floor(row / 2) * 3 + Math.floor(column / 2)]!
  return plate[(row % 2) * 2 + (column % 2)] ?? ''
}

/** Return whether a line can never go to the dome: its row is full of plates, and no space there is free for its colour (DU32). */
export function isStuck(board: Duel.Board, row: number): boolean {
  const tile = board.lines[row]![0]
  const takes = (column: number): boolean => {
    const print = printed(board, row, column)
    return !print || (board.tiles[row]![column] === EMPTY && (print === tile || print === JOKER))
  }
  return !!tile && !SIX.some(takes)
}

/** Return each colour of a heap with its count. */
export function heaps(tiles: string): [string, number][] {
  return Array.from(COLOURS, (letter): [string, number] => [letter, tiles.split(letter).length - 1]).filter(([, n]) => n)
}

/** Return how many tiles of a colour the moons give: all of the large one, and the top of each small stack (DU24). */
export function onMoons(factories: Duel.Factory[], colour: string): number {
  const [large, ...small] = factories
  return large!.moon.split(colour).length - 1 + small.filter((factory) => factory.moon.endsWith(colour)).length
}

/** Return how many tiles of a colour a sun (0 to 4) or the moons (m) give. */
export function countOf({ factories }: Duel.View, source: string, colour: string): number {
  return source === 'm' ? onMoons(factories, colour) : factories[Number(source)]!.sun.split(colour).length - 1
}
