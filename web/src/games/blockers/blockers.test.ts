import { beforeAll, describe, expect, it, vi } from 'vitest'
import { need } from '../../lib/i18n.svelte'
import type { Blockers, EntryView, TableView } from '../../protocol.gen'
import { across, belongs, cellAt, cellName, CELLS, down, groupsOf, lightsOf, outline, readMove, tilesOf, walk, writeMove } from './pieces'
import { describe as inWords, previewText, ledger, rounds, roundOf, moveText, narrate } from './narrate'

const EMPTY = '.'.repeat(81)

/** A board from the cells that are not empty: `{ A1: 'b7' }`. */
function lay(tiles: Record<string, string>): Blockers.Board {
  const [colours, faces] = [[...EMPTY], [...EMPTY]]
  for (const [name, tile] of Object.entries(tiles)) [colours[cellAt(name)], faces[cellAt(name)]] = [tile[0]!, tile[1]!]
  return { colours: colours.join(''), faces: faces.join('') }
}

const tally = (groups: number[], captured: number[], counted: string | null): Blockers.Tally => ({
  groups,
  captured,
  counted,
  score: groups.length + (counted ? Math.max(...captured) : 0),
})

const hand = (colour: string, owner: number, more: Partial<Blockers.Hand> = {}): Blockers.Hand => ({
  colour, owner, rack: null, held: 5, supply: 23, played: 0, unseen: '', aside: '', ...more,
})

function tableOf(view: Partial<Blockers.View>, end: Partial<TableView['end']> | null = null): TableView {
  return { view: { config: { seats: 3, scoring: 'blockers' }, ...view }, end } as TableView
}

const entry = (...events: Blockers.Event[]): EntryView => ({ number: 0, kind: 'played', seat: 0, acts: [], events })
const name = (seat: number): string => ['Ilse', 'Tom', 'Ada'][seat]!

describe('cells', () => {
  it('are named by row and column', () => {
    expect([cellName(0), cellName(33), cellName(80)]).toEqual(['A1', 'D7', 'I9'])
    expect(CELLS.map((cell) => cellAt(cellName(cell)))).toEqual(CELLS)
  })
  it('take a letter in its row, a number in its column, a symbol in its block, the wild anywhere', () => {
    const home = (face: string): string => CELLS.filter((cell) => belongs(face, cell)).map(cellName).join(' ')
    expect(home('C')).toBe('C1 C2 C3 C4 C5 C6 C7 C8 C9')
    expect(home('2')).toBe('A2 B2 C2 D2 E2 F2 G2 H2 I2')
    expect(home('m')).toBe('G1 G2 G3 H1 H2 H3 I1 I2 I3')
    expect(home('w').split(' ')).toHaveLength(81)
  })
  it('are reached with arrow keys, up to the edge', () => {
    expect([walk(0, 'ArrowUp'), walk(0, 'ArrowLeft'), walk(0, 'ArrowRight'), walk(0, 'ArrowDown')]).toEqual([0, 0, 1, 9])
    expect([walk(8, 'ArrowRight'), walk(80, 'ArrowDown'), walk(13, 'Home'), walk(13, 'End')]).toEqual([8, 80, 9, 17])
    expect(walk(13, 'Enter')).toBeNull()
  })
})

describe('moves', () => {
  it('are read and written, with colour and capture', () => {
    expect(readMove('7@D7')).toEqual({ tile: '7', cell: 33, captures: false })
    expect(readMove('b7@D7x')).toEqual({ tile: 'b7', cell: 33, captures: true })
    expect(readMove('y7@-')).toEqual({ tile: 'y7', cell: null, captures: false })
    expect(writeMove('7', 33, EMPTY)).toBe('7@D7')
    expect(writeMove('b7', 33, lay({ D7: 'r7' }).colours)).toBe('b7@D7x')
  })
  it('light the cells of a tile; a cell that fits but is not legal differs from one that does not fit', () => {
    const lights = lightsOf('7', ['7@A7', '7@D7x', 'A@A1'])
    expect([lights[6], lights[33], lights[15], lights[0]]).toEqual(['may', 'take', 'no', 'else'])
    expect(lights.filter((light) => light === 'no')).toHaveLength(7)
  })
  it('read a heap of tiles', () => {
    expect(tilesOf('r7bs')).toEqual([{ colour: 'r', face: '7' }, { colour: 'b', face: 's' }])
    expect(tilesOf('')).toEqual([])
  })
})

describe('groups', () => {
  it('touch edge to edge, not diagonally, and not around the edge of the board', () => {
    const { colours } = lay({ A1: 'bA', A2: 'b2', B3: 'bB', A9: 'b9', B1: 'y1' })
    const found = groupsOf(colours).map(({ colour, cells }) => colour + cells.map(cellName).join(''))
    expect(found).toEqual(['bA1A2', 'bA9', 'yB1', 'bB3'])
  })
  it('are outlined in closed lines, across the gaps between blocks too', () => {
    for (const cells of [['A1'], ['A3', 'A4'], ['C3', 'C4', 'D3'], ['A1', 'A2', 'A3', 'B1', 'B3', 'C1', 'C2', 'C3']]) {
      const ends = new Map<string, number>()
      for (const point of endpoints(outline(cells.map(cellAt), 0.03))) ends.set(point, (ends.get(point) ?? 0) + 1)
      expect([...ends.values()].filter((count) => count % 2)).toEqual([])
    }
  })
  it('are outlined inside their cells', () => {
    expect(outline([0], 0.25)).toBe(`M0.25 ${down(0) + 0.25}H0.75M0.75 ${down(0) + 0.25}V${down(0) + 0.75}M0.25 ${down(0) + 0.75}H0.75M0.25 ${down(0) + 0.25}V${down(0) + 0.75}`)
    expect(across(3)).toBeGreaterThan(across(2) + 1)
  })
})

/** Where the lines of a path begin and end; a closed line has each point twice. */
function endpoints(path: string): string[] {
  return path.split('M').slice(1).flatMap((line) => {
    const [start, ...steps] = line.split(/(?=[HV])/)
    let [x, y] = start!.split(' ').map(Number) as [number, number]
    const points = [[x, y]]
    for (const step of steps) {
      if (step[0] === 'H') x = Number(step.slice(1))
      else y = Number(step.slice(1))
    }
    points.push([x, y])
    return points.map((point) => point.map((n) => n!.toFixed(3)).join())
  })
}

describe('in words', () => {
  beforeAll(async () => {
    vi.stubGlobal('document', { documentElement: {} })
    await need('blockers')
  })

  it('narrates a placement with its sum, and a capture with the captor', () => {
    const placed = { type: 'TilePlaced', seat: 0, cell: 33, colour: 'b', face: 's', rule: 'BL10' } as const
    expect(narrate({ ...placed, joined: [], group: 1 }, name)).toBe('Ilse places blue sun on D7: a new group.')
    expect(narrate({ ...placed, joined: [3, 2], group: 6 }, name)).toBe('Ilse places blue sun on D7: 3 + 2 + 1 = 6 together.')
    expect(narrate({ type: 'TileCaptured', seat: 1, cell: 33, colour: 'b', face: '7', group: 3, rest: 2, rule: 'BL14' }, name)).toBe('Tom captures blue 7.')
  })
  it('addresses the reader as you', () => {
    const placed: Blockers.Event = { type: 'TilePlaced', seat: 0, cell: 33, colour: 'b', face: 's', joined: [], group: 1, rule: 'BL10' }
    expect(narrate(placed, name, 0)).toBe('You placed blue sun on D7: a new group.')
    expect(narrate(placed, name, 1)).toBe('Ilse places blue sun on D7: a new group.')
  })
  it('omits a draw that the reader cannot see', () => {
    const drawn = { type: 'TilesDrawn', seat: 1, colour: 'y', count: 1, supply: 3, rule: 'BL16' } as const
    expect(narrate({ ...drawn, tiles: null }, name)).toBe('')
    expect(narrate({ ...drawn, tiles: 'w' }, name)).toBe('Tom draws yellow wild.')
  })
  it('says how a tie of the lowest was broken, and only then', () => {
    const ended = { type: 'GameEnded', rule: 'BL20' } as const
    expect(narrate({ ...ended, scores: [5, 5, 9], places: [2, 1, 3] }, name)).toMatch(/fewer captured tiles in all wins/)
    expect(narrate({ ...ended, scores: [5, 5, 9], places: [1, 1, 3] }, name)).toMatch(/shared/)
    expect(narrate({ ...ended, scores: [5, 9, 9], places: [1, 2, 2] }, name)).toBe('Every colour was played 24 times. The lowest score wins.')
  })
  it('writes a move, of one colour and of two', () => {
    expect([moveText('m@G2'), moveText('bm@G2x'), moveText('7@-')]).toEqual(['moon on G2', 'blue moon captures on G2', '7: put aside'])
  })
  it('previews groups and score with their sums', () => {
    const before = tally([3, 1], [0, 1, 0], 'y')
    const after = tally([3, 2, 1], [0, 2, 0], 'y')
    expect(previewText({ points: -2, cell: 3, captures: 'y', before, after })).toBe('You capture a yellow tile. Your groups: 2 → 3. Your score now: 2 + 1 = 3 → 3 + 2 = 5.')
  })
  it('explains a score: groups, the captures that count, and those that do not', () => {
    const [round] = rounds([entry({ type: 'SeatScored', seat: 1, tally: tally([4, 1], [2, 0, 3], 'r'), rule: 'BL21' })])
    expect(round!.seats).toEqual([
      {
        seat: 1,
        total: 5,
        items: [
          { text: '2 groups: 4, 1', points: 2, rule: 'BL21', head: 'groups' },
          { text: '2 blue: do not count', points: 0, rule: 'BL21', head: 'captures' },
          { text: '3 captured tiles: red', points: 3, rule: 'BL21', head: 'captures' },
        ],
      },
    ])
    expect(rounds([entry({ type: 'StartDrawn', seat: 0, rule: 'BL03' })])).toEqual([])
  })
  it('adds up in the ledger, and says who wins', () => {
    const tallies = [tally([4, 1], [0, 3, 1], 'y'), tally([2], [0, 0, 0], null), tally([1, 1, 1], [2, 2, 0], 'b')]
    const { rows, note } = ledger([], 3, tableOf({ tallies }, { reason: 'over', scores: [5, 1, 5], places: [2, 1, 2] }))
    expect(rows).toEqual([[2, 3], [1, 0], [3, 2]])
    expect(note).toBe('The lowest score wins.')
  })
  it('counts groups alone by the rules of Uptown, and says how a tie was broken', () => {
    const tallies = [tally([4], [0, 3, 1], null), tally([2], [0, 0, 0], null)]
    const { columns, rows, note } = ledger([], 2, tableOf({ tallies, config: { seats: 3, scoring: 'uptown' } }, { reason: 'over', scores: [1, 1], places: [2, 1] }))
    expect([columns.map(({ head }) => head), rows]).toEqual([['groups'], [[1], [1]]])
    expect(note).toBe('The fewest groups win. Equal scores: the player with fewer captured tiles in all wins.')
  })
  it('counts one round per tile of each player', () => {
    const view = (played: number[], seats: number): Blockers.View => ({ config: { seats, scoring: 'blockers' }, hands: played.map((n, i) => hand('byrg'[i]!, i % seats, { played: n })) }) as Blockers.View
    expect(roundOf(view([0, 0, 0], 3))).toEqual({ n: 1, total: 24 })
    expect(roundOf(view([1, 1, 0], 3))).toEqual({ n: 1, total: 24 })
    expect(roundOf(view([24, 24, 24], 3))).toEqual({ n: 24, total: 24 })
    expect(roundOf(view([3, 2, 2, 2], 2))).toEqual({ n: 5, total: 48 })
  })
  it('describes visible racks, and how many tiles the others hold', () => {
    const tallies = [tally([1], [0, 1, 0], 'y'), tally([], [0, 0, 0], null)]
    const sections = inWords(tableOf({ board: lay({ D7: 'b7' }), tallies, captured: ['y3', ''], hands: [hand('b', 0, { rack: 'A7' }), hand('y', 1)] }), name)
    expect(sections[0]!.lines).toContain('row D: D7 blue 7')
    expect(sections[1]!.title).toBe('Ilse: 2 points')
    expect(sections[1]!.lines).toEqual(['1 group + 1 captured (yellow) = 2. The lowest score wins.', '1 group: 1', 'blue, rack 5 · supply 23: blue A, blue 7', 'Captured: yellow 3'])
    expect(sections[2]!.lines).toContain('yellow, rack 5 · supply 23')
  })
})
