// Tracks every tile, plate and chip of Azul Duel: what is still unseen decides what can be drawn.
import { count, draw, heap } from './bag'
import type { Below, Follower } from './types'

const COLOURS = 'byrkt'
const PLATES = 'ykt* ?btk trb? kyr? k*tr ty?k *krb ybk* trb* yr?b y*kr tkr? bk*t rty? tb?y *tyb r?bk *ybr'.split(' ')
const CHIPS = 'bbyyrrkkttBBYYRRKKTT'
const SHOWS: Record<string, string> = { B: 'br', Y: 'yk', R: 'rt', K: 'kb', T: 'ty' }
const FACTORY_TILES = [5, 4, 4, 4, 4]
const ROWS = 6

export function follow(): Follower {
  return new Duel()
}

/** A plate that lies face down; its face is undecided until a player looks at it. */
interface Back {
  kind: '*' | '?'
  face: string
}

interface Factory {
  sun: string
  moon: string
  /** Empty, `#` while it lies face down, or the chip. */
  chip: string
}

class Board {
  lines = Array<string>(ROWS).fill('')
  dome = Array<string>(9).fill('')
  tiles = Array.from({ length: ROWS }, () => Array<string>(ROWS).fill(''))
  broken = ''
  chips = ''
  /** The number of chips taken so far. */
  taken = 0
  row = 0

  get plates(): number {
    return this.dome.filter(Boolean).length
  }

  /** Return the six spaces of a dome row; `.` where no plate lies. */
  spaces(row: number): string {
    const [first, half] = [Math.floor(row / 2) * 3, (row % 2) * 2]
    return this.dome.slice(first, first + 3).map((plate) => plate.slice(half, half + 2) || '..').join('')
  }

  /** DU30: return the columns of a row that can take a colour. */
  free(row: number, colour: string): number[] {
    const spaces = this.spaces(row)
    return [0, 1, 2, 3, 4, 5].filter((column) => (spaces[column] === colour || spaces[column] === '?') && !this.tiles[row]![column])
  }

  /** DU31: return whether the chips can pay for the missing tiles: two of the colour each, or any three. */
  canPay(colour: string, missing: number): boolean {
    const matching = Array.from(this.chips).filter((chip) => (SHOWS[chip] ?? chip).includes(colour)).length
    const others = this.chips.length - matching
    for (let number = 0; number <= Math.min(matching, 2 * missing); number += 1)
      if (3 * missing - Math.floor(number / 2) - number <= others) return true
    return false
  }
}

class Duel implements Follower {
  private bag = [13, 13, 13, 13, 13]
  private tower = [0, 0, 0, 0, 0]
  private factories: Factory[] = []
  private stack: Back[] = []
  private open: string[] = []
  private hand: Back[] = []
  private chips = CHIPS
  private readonly unseen = { '*': PLATES.filter((plate) => plate.includes('*')), '?': PLATES.filter((plate) => plate.includes('?')) }
  private readonly boards = [new Board(), new Board()]
  private phase: 'prepare' | 'first' | 'act' | 'tile' | 'over' = 'prepare'
  private round = 0
  private start = 0
  private current = 0
  private holder: number | null = null
  private stacking = 0

  // Deals

  async deal(below: Below): Promise<string> {
    const dealt = await this.decide(below)
    this.goOn()
    return dealt
  }

  private async decide(below: Below): Promise<string> {
    if (this.phase === 'act') return this.hand.length ? this.look(below) : this.reveal(below)
    if (this.phase !== 'prepare' && this.phase !== 'first') throw new Error('nothing is dealt now')
    if (!this.round && !this.open.length) return this.shuffle(below)
    return this.toOpen ? this.turnOver(below) : this.fill(below)
  }

  private get toOpen(): number {
    return Math.min(3 - this.open.length, this.stack.length)
  }

  private async shuffle(below: Below): Promise<string> {
    this.start = await below(2)
    const left = [9, 9]
    for (let i = 0; i < PLATES.length; i += 1) this.stack.push({ kind: (await draw(left, below)) ? '?' : '*', face: '' })
    const kinds = this.stack.map((back) => back.kind).join('')
    return `${this.start}:${kinds} ${await this.turnOver(below)}`
  }

  private async turnOver(below: Below): Promise<string> {
    const opened = this.stack.splice(0, this.toOpen)
    await this.face(opened, below)
    this.open.push(...opened.map((back) => back.face))
    if (this.phase === 'first' && this.boards.every((board) => board.plates)) this.phase = 'act'
    return opened.map((back) => back.face).join(' ')
  }

  private async look(below: Below): Promise<string> {
    await this.face(this.hand, below)
    return this.hand.map((back) => back.face).join(' ')
  }

  /** Decide the faces of plates: each unseen one of the kind is equally likely. */
  private async face(backs: Back[], below: Below): Promise<void> {
    for (const back of backs) {
      const unseen = this.unseen[back.kind]
      if (!back.face) back.face = unseen.splice(await below(unseen.length), 1)[0]!
    }
  }

  private async reveal(below: Below): Promise<string> {
    let shown = ''
    for (const factory of this.hidden) {
      factory.chip = this.chips[await below(this.chips.length)]!
      this.chips = this.chips.replace(factory.chip, '')
      shown += factory.chip
    }
    return shown
  }

  /** DU26: the empty factories whose chip is turned over next. */
  private get hidden(): Factory[] {
    return this.factories.filter(({ sun, moon, chip }) => chip === '#' && !sun && !moon)
  }

  private async fill(below: Below): Promise<string> {
    let large = await this.drawTiles(FACTORY_TILES[0]!, below)
    if (colours(large) === 1) large = await this.drawAgain(large, below)
    const heaps = [heap(large, COLOURS)]
    for (const number of FACTORY_TILES.slice(1)) heaps.push(heap(await this.drawTiles(number, below), COLOURS))
    this.factories = heaps.map((sun, number) => ({ sun, moon: '', chip: number ? '#' : '' }))
    this.phase = this.round ? 'act' : 'first'
    this.current = this.round ? this.start : 1 - this.start
    this.round += 1
    return heaps.map((tiles) => tiles || '-').join(' ')
  }

  /** DU40: draw from the bag and, when it is empty, refill it from the tower. */
  private async drawTiles(number: number, below: Below): Promise<number[]> {
    const drawn = [0, 0, 0, 0, 0]
    for (let i = 0; i < number; i += 1) {
      if (!this.bag.some(Boolean)) this.pour()
      if (this.bag.some(Boolean)) drawn[await draw(this.bag, below)]! += 1
    }
    return drawn
  }

  /** DU11: return tiles of a single colour to the bag and draw a fill with several, if possible. */
  private async drawAgain(large: number[], below: Below): Promise<number[]> {
    this.bag = this.bag.map((n, kind) => n + large[kind]!)
    if (colours(this.bag) === 1) this.pour()
    const fills = colours(this.bag) > 1 ? TWO_COLOURED : [large]
    const ways = fills.map((fill) => fill.reduce((product, n, kind) => product * choose(this.bag[kind]!, n), 1))
    const again = fills[await draw(ways, below)]!
    this.bag = this.bag.map((n, kind) => n - again[kind]!)
    return again
  }

  private pour(): void {
    this.bag = this.bag.map((n, kind) => n + this.tower[kind]!)
    this.tower = [0, 0, 0, 0, 0]
  }

  // Moves

  play(act: string): void {
    const [, prefix, move] = /^(?:(\d):)?(.+)$/.exec(act)!
    const board = this.boards[this.current]!
    if (this.phase === 'tile') this.tileBy(prefix ? Number(prefix) : this.boards.findIndex((one) => one.row < ROWS), move!)
    else if (move === 'd+') this.hand.push(this.stack.shift()!)
    else if (move!.startsWith('s')) this.stackUp(move!.slice(1))
    else if (move!.startsWith('c')) this.takeChip(board, this.factories[Number(move![1])]!)
    else if (move!.startsWith('u')) this.putBack(move!.slice(1))
    else if (move!.length === 5) this.lay(board, move!)
    else if (move !== 'd=') this.take(board, move!)
    this.goOn()
  }

  private endTurn(): void {
    this.current = 1 - this.current
  }

  private lay(board: Board, move: string): void {
    const plate = move.slice(1)
    board.dome[Number(move[0]) - 1] = plate
    const printed = PLATES.find((one) => turns(one).includes(plate))!
    if (this.hand.length) {
      this.hand = this.hand.filter((back) => back.face !== printed)
      return this.putBackLast()
    }
    this.open = this.open.filter((one) => one !== printed)
    if (this.phase === 'first') this.current = this.start
    else this.endTurn()
  }

  private putBack(plate: string): void {
    this.stack.push(this.hand.find((back) => back.face === plate)!)
    this.hand = this.hand.filter((back) => back.face !== plate)
    this.putBackLast()
  }

  /** Put the last plate under the stack and end the turn. */
  private putBackLast(): void {
    if (this.hand.length > 1) return
    this.stack.push(...this.hand.splice(0))
    this.endTurn()
  }

  private takeChip(board: Board, factory: Factory): void {
    board.chips += factory.chip
    board.taken += 1
    factory.chip = ''
    this.endTurn()
  }

  private take(board: Board, [source, colour, line]: string): void {
    const taken = source === 'm' ? this.takeMoons(colour!) : this.takeSun(Number(source), colour!)
    let tiles = colour!.repeat(taken)
    if (line !== '-') {
      const row = Number(line) - 1
      const filled = board.lines[row] + tiles
      board.lines[row] = filled.slice(0, row + 1)
      tiles = filled.slice(row + 1)
    }
    this.shatter(board, tiles)
    if (!this.stacking) this.endTurn()
  }

  private takeSun(number: number, colour: string): number {
    const factory = this.factories[number]!
    const all = factory.sun.length
    const rest = factory.sun.replaceAll(colour, '')
    if (number && new Set(rest).size > 1) {
      this.stacking = number
      factory.sun = rest
    } else {
      factory.sun = ''
      factory.moon = rest
    }
    if (!number && !rest) this.holder = this.current
    return all - rest.length
  }

  private takeMoons(colour: string): number {
    const [large, ...small] = this.factories
    const some = large!.moon.split(colour).length - 1
    large!.moon = large!.moon.replaceAll(colour, '')
    if (some) this.holder ??= this.current
    const tops = small.filter((factory) => factory.moon.endsWith(colour))
    for (const factory of tops) factory.moon = factory.moon.slice(0, -1)
    return some + tops.length
  }

  private stackUp(tiles: string): void {
    Object.assign(this.factories[this.stacking]!, { sun: '', moon: tiles })
    this.stacking = 0
    this.endTurn()
  }

  private shatter(board: Board, tiles: string): void {
    const room = 4 - board.broken.length
    board.broken += tiles.slice(0, room)
    this.discard(tiles.slice(room))
  }

  private discard(tiles: string): void {
    for (const [kind, n] of count(tiles, COLOURS).entries()) this.tower[kind]! += n
  }

  // Consequences

  private goOn(): void {
    if (this.phase === 'act' && !this.hand.length && !this.stacking && !this.hidden.length) this.passOver()
    if (this.phase === 'tile' && this.boards.every((board) => board.row === ROWS)) this.finishRound()
  }

  /** DU29: pass if the player cannot act; tile the domes if neither can. */
  private passOver(): void {
    if (this.canAct(this.current)) return
    if (this.canAct(1 - this.current)) return this.endTurn()
    this.phase = 'tile'
    for (const board of this.boards) this.tile(board)
  }

  private canAct(seat: number): boolean {
    const board = this.boards[seat]!
    if (this.factories.some(({ sun, moon }) => sun || moon)) return true
    if (2 * this.round > board.taken && this.factories.some(({ chip }) => chip && chip !== '#')) return true
    const tokens = 2 * Math.min(this.round, 4) - Math.max(0, board.plates - 1)
    return tokens > 0 && this.open.length + this.stack.length > 0
  }

  private tileBy(seat: number, move: string): void {
    const board = this.boards[seat]!
    const row = board.row
    if (move.startsWith('t')) this.place(board, Number(move[2]) - 1)
    else if (move.endsWith('-')) this.leave(board)
    else {
      for (const chip of move.slice(2)) board.chips = board.chips.replace(chip, '')
      board.lines[row] = board.lines[row]!.padEnd(row + 1, '+')
    }
    this.tile(board)
  }

  /** DU30: tile line by line from the top until a choice is needed. */
  private tile(board: Board): void {
    while (board.row < ROWS) {
      const line = board.lines[board.row]!
      const free = line ? board.free(board.row, line[0]!) : []
      const full = line.length > board.row
      if (full ? free.length > 1 : free.length && board.canPay(line[0]!, board.row + 1 - line.length)) return
      if (full && free.length) this.place(board, free[0]!)
      else this.leave(board)
    }
    this.discard(board.broken)
    board.broken = ''
  }

  private place(board: Board, column: number): void {
    const line = board.lines[board.row]!
    board.tiles[board.row]![column] = line[0]!
    board.lines[board.row] = ''
    board.row += 1
    this.discard(line.slice(1))
  }

  /** DU32: keep the line, or break it if no space beside it can ever take its tile. */
  private leave(board: Board): void {
    const [row, line] = [board.row, board.lines[board.row]!]
    board.row += 1
    if (!line || board.spaces(row).includes('.') || board.free(row, line[0]!).length) return
    board.lines[row] = ''
    this.shatter(board, line)
  }

  private finishRound(): void {
    for (const board of this.boards) board.row = 0
    this.start = this.holder ?? this.start
    this.holder = null
    this.phase = this.round === 5 ? 'over' : 'prepare'
  }
}

/** Return the four orientations of a plate. */
function turns(plate: string): string[] {
  const right = (one: string): string => one[2]! + one[0]! + one[3]! + one[1]!
  const ways = [plate]
  while (ways.length < 4) ways.push(right(ways.at(-1)!))
  return ways
}

function colours(counts: number[]): number {
  return counts.filter(Boolean).length
}

function choose(n: number, k: number): number {
  let ways = 1
  for (let i = 0; i < k; i += 1) ways = (ways * (n - i)) / (i + 1)
  return ways
}

/** Every fill of the large factory with more than one colour, ordered by its counts. */
const TWO_COLOURED = Array.from({ length: 5 ** 5 }, (_, n) => [625, 125, 25, 5, 1].map((unit) => Math.floor(n / unit) % 5)).filter(
  (fill) => fill.reduce((sum, number) => sum + number, 0) === FACTORY_TILES[0],
)
