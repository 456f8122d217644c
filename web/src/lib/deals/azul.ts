// Tracks every tile of Azul: bag and lid decide what can be drawn.
import { count, draw, heap } from './bag'
import type { Below, Follower } from './types'

const COLOURS = 'byrkw'

export function follow(rules: string): Follower {
  return new Azul(Number(/seats=(\d)/.exec(rules)![1]), rules.includes('wall=grey'))
}

interface Board {
  lines: string[]
  wall: string[]
  floor: string
}

class Azul implements Follower {
  private bag = [20, 20, 20, 20, 20]
  private lid = [0, 0, 0, 0, 0]
  private factories: string[] = []
  private centre = ''
  private start: number | null = null
  private seat = 0
  private readonly boards: Board[]

  constructor(
    private readonly seats: number,
    private readonly grey: boolean,
  ) {
    this.boards = Array.from({ length: seats }, () => ({ lines: ['', '', '', '', ''], wall: Array.from({ length: 5 }, () => '.....'), floor: '' }))
  }

  async deal(below: Below): Promise<string> {
    const first = this.start === null ? await below(this.seats) : null
    this.start = first ?? this.start
    this.seat = this.start!
    this.centre = 'm'
    this.factories = []
    for (let factory = 0; factory <= 2 * this.seats; factory += 1) this.factories.push(await this.fill(below))
    return (first === null ? '' : `${first}:`) + this.factories.map((tiles) => tiles || '-').join(' ')
  }

  private async fill(below: Below): Promise<string> {
    const tiles = [0, 0, 0, 0, 0]
    for (let i = 0; i < 4; i += 1) {
      if (!this.bag.some(Boolean)) [this.bag, this.lid] = [this.lid, this.bag]
      if (this.bag.some(Boolean)) tiles[await draw(this.bag, below)]! += 1
    }
    return heap(tiles, COLOURS)
  }

  play(move: string): void {
    const [, prefix, text] = /^(?:(\d):)?(.+)$/.exec(move)!
    if (text!.startsWith('t')) this.tile(prefix ? Number(prefix) : this.chooser(), text!)
    else this.take(text!)
  }

  private take([source, colour, line]: string): void {
    const board = this.boards[this.seat]!
    this.seat = (this.seat + 1) % this.seats
    const from = source === 'c' ? this.centre : this.factories[Number(source) - 1]!
    let tiles = from.replaceAll(new RegExp(`[^${colour}]`, 'g'), '')
    const rest = from.replaceAll(colour!, '')
    if (source === 'c') {
      this.centre = rest.replace('m', '')
      if (rest.includes('m')) board.floor += 'm'
    } else {
      this.factories[Number(source) - 1] = ''
      this.centre += rest
    }
    if (line !== '-') {
      const row = Number(line) - 1
      const filled = board.lines[row] + tiles
      board.lines[row] = filled.slice(0, row + 1)
      tiles = filled.slice(row + 1)
    }
    this.fall(board, tiles)
    if (![...this.factories, this.centre].join('').replace('m', '')) for (const seat of this.boards.keys()) this.tile(seat)
  }

  private fall(board: Board, tiles: string): void {
    const room = Math.max(0, 7 - board.floor.length)
    board.floor += tiles.slice(0, room)
    this.discard(tiles.slice(room))
  }

  private discard(tiles: string): void {
    for (const [kind, n] of count(tiles, COLOURS).entries()) this.lid[kind]! += n
  }

  private chooser(): number {
    return this.boards.findIndex((board) => board.lines.some((line, row) => line.length > row))
  }

  /** Tile the wall from the top until a choice is needed; a given choice is for the first such line. */
  private tile(seat: number, choice = ''): void {
    const board = this.boards[seat]!
    for (const [row, line] of board.lines.entries()) {
      if (line.length <= row) continue
      const free = this.free(board, row, line[0]!)
      if (free.length > 1 && !choice.startsWith(`t${row + 1}`)) return
      const column = free.length > 1 ? Number(choice[2]) - 1 : free[0]
      board.lines[row] = ''
      if (column === undefined) this.fall(board, line)
      else {
        const wall = board.wall[row]!
        board.wall[row] = wall.slice(0, column) + line[0] + wall.slice(column + 1)
        this.discard(line.slice(1))
      }
    }
    if (board.floor.includes('m')) this.start = seat
    this.discard(board.floor)
    board.floor = ''
  }

  private free(board: Board, row: number, colour: string): number[] {
    const spaces = this.grey ? [0, 1, 2, 3, 4] : [(COLOURS.indexOf(colour) + row) % 5]
    const fits = (column: number): boolean => board.wall[row]![column] === '.' && board.wall.every((line) => line[column] !== colour)
    return board.wall[row]!.includes(colour) ? [] : spaces.filter(fits)
  }
}
