import { describe, expect, it } from 'vitest'
import type { Duel, EntryView, TableView } from '../../protocol.gen'
import { distance } from '../arrows'
import { arithmetic } from './explain'
import { counts, points } from './faces'
import { aimed, draftOf, isPlate, isTake, moveOf, payable, possible, stackable, swapped } from './moves'
import { facesOf } from './options'
import { coloursOf, isStuck, onMoons, printed, sortedChips, spot, turned, turnedBack } from './pieces'
import { ledger, rounds, takeable } from './narrate'

const empty: Duel.Board = {
  score: 5,
  lines: ['', '', '', '', '', ''],
  dome: ['', '', '', '', '', '', '', '', ''],
  tiles: ['......', '......', '......', '......', '......', '......'],
  broken: '',
  chips: '',
  spent: '',
  row: 0,
}
const config: Duel.Config = { seats: 2, faces: ['rows', 'columns', 'diagonals'], special_counts_as_colour: true, free_draws: 'forced' }

describe('pieces', () => {
  it('turn a plate to the right as the rules do, and back', () => {
    expect(turned('ykt*')).toBe('ty*k')
    expect(turnedBack(turned('ykt*'))).toBe('ykt*')
  })
  it('know where a space of a slot lies, and what is printed there', () => {
    expect(spot(5, 2)).toEqual({ row: 3, column: 4 })
    const board = { ...empty, dome: empty.dome.with(5, 'ykt*') }
    expect(printed(board, 3, 4)).toBe('t')
    expect(printed(board, 3, 5)).toBe('*')
    expect(printed(board, 0, 0)).toBe('')
  })
  it('show the colours of chips, and sort them as the server does', () => {
    expect(['b', 'B', 'T'].map(coloursOf)).toEqual(['b', 'br', 'ty'])
    expect(sortedChips('TtBb')).toBe('btBT')
  })
  it('DU32: know a line that can never go to the dome', () => {
    const full = { ...empty, dome: ['ykt*', 'rty?', 'ykt*', ...empty.dome.slice(3)], lines: ['b', 'bb', '', '', '', 'b'] }
    expect([0, 1, 2, 5].map((row) => isStuck(full, row))).toEqual([true, false, false, false])
    expect(isStuck({ ...full, tiles: empty.tiles.with(1, '...r..') }, 1)).toBe(true)
    expect(isStuck({ ...full, dome: full.dome.with(2, '') }, 0)).toBe(false)
  })
  it('count all tiles of the large moon, but only the tops of stacks', () => {
    const moons = ['rrk', 'rk', 'kr', '', 'r'].map((moon) => ({ sun: '', moon, chip: '' }))
    expect(onMoons(moons, 'r')).toBe(4)
    expect(onMoons(moons, 'k')).toBe(2)
  })
})

describe('moves', () => {
  const acting = ['3r4', '3r-', 'mr1', 'c3', '3rty?', '3tyr?', '5rty?', 'd+']

  it('are distinguished: a take from factory 3, a plate in slot 3', () => {
    expect(acting.filter(isTake)).toEqual(['3r4', '3r-', 'mr1'])
    expect(acting.filter(isPlate)).toEqual(['3rty?', '3tyr?', '5rty?'])
  })
  it('light the lines for tiles, and the slots for a plate', () => {
    expect(possible({ kind: 'tiles', source: '3', colour: 'r', line: '' }, acting)).toEqual(['3r4', '3r-'])
    expect(possible({ kind: 'plate', plate: 'rty?', slot: '' }, acting)).toEqual(['3rty?', '5rty?'])
  })
  it('are written once all is chosen, even if illegal', () => {
    expect(moveOf(null, acting)).toBe('')
    expect(moveOf({ kind: 'tiles', source: '3', colour: 'r', line: '' }, acting)).toBe('')
    expect(moveOf({ kind: 'tiles', source: '3', colour: 'r', line: '1' }, acting)).toBe('3r1')
    expect(moveOf({ kind: 'plate', plate: 'rty?', slot: '5' }, acting)).toBe('5rty?')
    expect(moveOf({ kind: 'whole', move: 'c4' }, acting)).toBe('c4')
  })
  it('are aimed at a line or a slot, if something is in the hand', () => {
    expect(moveOf(aimed({ kind: 'tiles', source: 'm', colour: 'r', line: '' }, '1'), acting)).toBe('mr1')
    expect(moveOf(aimed({ kind: 'plate', plate: 'rty?', slot: '3' }, '5'), acting)).toBe('5rty?')
    expect(aimed({ kind: 'whole', move: 'd+' }, '5')).toBe(null)
    expect(aimed(null, '5')).toBe(null)
  })
  it('stack tile by tile, until only one order is left', () => {
    const stacks = ['sbyy', 'syby', 'syyb']
    expect(stackable(stacks, '')).toEqual(new Set('by'))
    expect(moveOf({ kind: 'stack', order: '' }, stacks)).toBe('')
    expect(moveOf({ kind: 'stack', order: 'y' }, stacks)).toBe('')
    expect(stackable(stacks, 'y')).toEqual(new Set('by'))
    expect(moveOf({ kind: 'stack', order: 'b' }, stacks)).toBe('sbyy')
    expect(moveOf({ kind: 'stack', order: 'yy' }, stacks)).toBe('syyb')
  })
  it('put plates back in the order that two swaps made, one move after the other', () => {
    const order = swapped(['ykt*', 'rty?', 'bk*t'], 'ykt*', 'bk*t')
    expect(order).toEqual(['bk*t', 'rty?', 'ykt*'])
    expect(moveOf({ kind: 'return', order, picked: '' }, ['uykt*', 'urty?', 'ubk*t'])).toBe('ubk*t')
    expect(possible({ kind: 'return', order, picked: '' }, ['uykt*', 'urty?'])).toEqual([])
    expect(moveOf(draftOf('urty?'), [])).toBe('urty?')
  })
  it('are asked for only where there is something to take', () => {
    expect(takeable(['3r4', 'c3'])).toBe('duel.take.chip or duel.take.sun')
    expect(takeable(['mr1', 'd+', '5rty?'])).toBe('duel.take.plate, duel.take.draw, or duel.take.moons')
  })
  it('pay with sets of chips, in whatever order they are chosen', () => {
    const payments = ['p3kK', 'p3bkT', 'p3-']
    expect(payable(payments, '')).toEqual(new Set('kKbT'))
    expect(payable(payments, 'K')).toEqual(new Set('k'))
    expect(payable(payments, 'kK')).toEqual(new Set())
    expect(moveOf({ kind: 'pay', row: '3', chips: 'Kk' }, payments)).toBe('p3kK')
    expect(moveOf({ kind: 'pay', row: '3', chips: 'Tkb' }, payments)).toBe('p3bkT')
    expect(moveOf({ kind: 'pay', row: '3', chips: 'k' }, payments)).toBe('')
  })
})

describe('faces', () => {
  const board = { ...empty, dome: empty.dome.with(0, '?btk').with(8, 'ykt*'), tiles: ['bbyrkt', 'bk....', 'r.k...', 'k..b..', 't...y.', 'y....*'] }
  it.each([
    ['rows', [1], 3],
    ['columns', [1], 7],
    ['diagonals', [1], 10],
    ['outer', [12], 12],
    ['corners', [1, 0], 3],
    ['colour_rows', [1], 4],
    ['jokers', [1], 2],
    ['empty_specials', [0], 0],
  ] as const)('count %s', (face, number, worth) => {
    expect(counts(face, board, config)).toEqual(number)
    expect(points(face, board, config)).toBe(worth)
  })
  it('count a special tile as a colour only if the option is set', () => {
    const row = { ...empty, tiles: empty.tiles.with(0, 'byrk*.') }
    expect(counts('colour_rows', row, config)).toEqual([1])
    expect(counts('colour_rows', row, { ...config, special_counts_as_colour: false })).toEqual([0])
    const alone = { ...config, special_counts_as_colour: 'alone' as const }
    expect(counts('colour_rows', row, alone)).toEqual([1])
    expect(counts('colour_rows', { ...empty, tiles: empty.tiles.with(0, 'byrk**') }, alone)).toEqual([0])
  })
  it('charge 3 for each empty special space, and nothing for jokers that are not all filled', () => {
    const bare = { ...board, tiles: empty.tiles }
    expect(points('empty_specials', bare, config)).toBe(-3)
    expect(points('jokers', bare, config)).toBe(0)
  })
})

describe('arrow keys', () => {
  it('prefer what lies straight ahead, and never go back', () => {
    const here = { x: 0, y: 0 }
    expect(distance(here, { x: 10, y: 0 }, [1, 0])).toBeLessThan(distance(here, { x: 8, y: 8 }, [1, 0]))
    expect(distance(here, { x: -10, y: 0 }, [1, 0])).toBe(Infinity)
  })
})

describe('in words', () => {
  const tableWith = (end: Partial<TableView['end']> | null): TableView => ({ seats: [], end }) as unknown as TableView
  const entry = (events: Duel.Event[]): EntryView => ({ number: 0, kind: 'move', seat: 0, at: 0, events }) as unknown as EntryView
  const story: Duel.Event[] = [
    { type: 'PlatePlaced', seat: 0, plate: 'ykt*', slot: 0, drawn: false, rule: 'DU12' },
    { type: 'RoundStarted', round: 1, start: 0 },
    { type: 'PlateDrawn', seat: 0, kind: '*', points: -1, rule: 'DU20' },
    { type: 'AcquiringEnded', round: 1, rule: 'DU29' },
    { type: 'TilePlaced', seat: 0, row: 0, column: 0, colour: 'y', across: 3, down: 1, points: 3, tower: 0, rule: 'DU33' },
    { type: 'SpecialPlaced', seat: 0, row: 1, column: 1, points: 2, rule: 'DU34' },
    { type: 'BrokenScored', seat: 1, tiles: 'bb', cost: 3, start_tile_cost: 2, points: -5, rule: 'DU35' },
    { type: 'RoundStarted', round: 2, start: 1 },
    { type: 'PlateDrawn', seat: 1, kind: '?', points: 0, rule: 'DU22' },
    { type: 'FaceScored', seat: 0, face: 'corners', count: 1, each: 8, points: 8, rule: 'DU55' },
    { type: 'ScoreRaised', seat: 1, points: 4, rule: 'DU57' },
  ]
  it('has each round with the plates drawn in it, and the faces apart', () => {
    const found = rounds([entry(story)])
    expect(found).toHaveLength(2)
    expect(found[0]!.seats.map(({ seat, total }) => [seat, total])).toEqual([[0, 4], [1, -5]])
    expect(found[0]!.seats[0]!.items.map(({ rule }) => rule)).toEqual(['DU20', 'DU33', 'DU34'])
    expect(found[1]!.seats.map(({ seat, total }) => [seat, total])).toEqual([[0, 8], [1, 4]])
  })
  it('has a ledger that adds up, with the starting points', () => {
    const { columns, rows, note } = ledger([entry(story)], 2, tableWith(null))
    expect(columns).toHaveLength(7)
    expect(note).toBe('')
    expect(rows).toEqual([[5, -1, 3, 2, 0, 8, 0], [0, 0, 0, 0, -5, 0, 4]])
  })
  it('DU58: says how equal points were decided, and only then', () => {
    expect(ledger([], 2, tableWith({ scores: [7, 7], places: [2, 1] })).note).toBe('duel.tied')
    expect(ledger([], 2, tableWith({ scores: [7, 8], places: [2, 1] })).note).toBe('')
    expect(ledger([], 2, tableWith({ scores: [], places: [2, 1] })).note).toBe('')
  })
})

describe('the arithmetic of a preview', () => {
  const placed = { type: 'TilePlaced', seat: 0, row: 0, column: 0, colour: 'y', across: 3, down: 1, points: 3, tower: 0, rule: 'DU33' } as const
  const nothing: Duel.Preview = { points: 0, line: null, spaces: [], start_tile: false, broken: [], tower: 0, breaking: [], broken_cost: 0, placed: [], score: 5 }
  const view = { boards: [empty, empty], holder: null } as unknown as Duel.View

  it('goes from the current score to the score after the move', () => {
    expect(arithmetic({ ...nothing, placed: [placed], broken_cost: 1, score: 7 }, view, 0, '3r4')).toBe('5 + 3 − 1 = 7')
    expect(arithmetic({ ...nothing, score: 4 }, view, 0, 'd+')).toBe('5 − 1 = 4')
  })
  it('says so if the score would stop at 0, and only then', () => {
    expect(arithmetic({ ...nothing, broken_cost: 6, score: 0 }, view, 0, '3r-')).toBe('5 − 5 = 0 duel.clamp')
    expect(arithmetic({ ...nothing, broken_cost: 3, score: 0 }, { ...view, holder: 0 }, 0, '3r-')).toBe('5 − 5 = 0')
  })
})

describe('scoring faces for a new table', () => {
  it('name one face of three or four tiles, in the order of the rules', () => {
    expect(facesOf('first')).toBe('rows,columns,diagonals')
    expect(facesOf('other')).toBe('colour_rows,outer,corners')
    expect(facesOf('four')).toBe('rows,columns,diagonals,jokers')
    expect(facesOf('surprise', () => 0)).toBe('columns,diagonals,jokers')
    expect(facesOf('surprise', () => 0.99)).toBe('colour_rows,outer,corners')
  })
})
