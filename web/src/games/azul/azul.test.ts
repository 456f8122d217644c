import { beforeAll, describe, expect, it, vi } from 'vitest'
import { need } from '../../lib/i18n.svelte'
import type { Azul, EntryView, TableView } from '../../protocol.gen'
import { composition, draftOf, linesFor } from './moves'
import { ledger, rounds, sentences } from './narrate'

const entry = (events: Azul.Event[]): EntryView => ({ number: 0, kind: 'move', seat: 0, at: 0, events }) as unknown as EntryView
const over = (scores: number[], places: number[]): TableView => ({ end: { scores, places } }) as unknown as TableView

describe('the scoring of a round', () => {
  const story: Azul.Event[] = [
    { type: 'DraftingEnded', round: 3, rule: 'AZ18' },
    { type: 'TilePlaced', seat: 0, row: 0, column: 2, colour: 'r', across: 1, down: 1, points: 1, lid: 0, rule: 'AZ22' },
    { type: 'FloorScored', seat: 0, tiles: '', costs: [], points: 0, rule: 'AZ23' },
    { type: 'FloorScored', seat: 1, tiles: 'rr', costs: [-1, -1], points: 0, rule: 'AZ23' },
  ]
  it('AZ23: lists a floor that cost nothing because the score was 0, and no empty floor', () => {
    const { seats } = rounds([entry(story)])[0]!
    expect(seats.map(({ items }) => items.map(({ rule }) => rule))).toEqual([['AZ22'], ['AZ23']])
    expect(seats[1]!.items[0]!.text).toBe('azul.ledger.floor −1 −1 azul.clamp')
  })
})

describe('the ledger', () => {
  it('AZ52: says how equal points were decided, and only then', () => {
    expect(ledger([], 2, over([9, 9], [2, 1])).note).toBe('azul.more_rows')
    expect(ledger([], 3, over([9, 9, 4], [1, 1, 3])).note).toBe('azul.shared')
    expect(ledger([], 3, over([4, 9, 4], [2, 1, 2])).note).toBe('')
    expect(ledger([], 2, over([], [1, 2])).note).toBe('')
  })
})

describe('a draft of a move', () => {
  const moves = ['1r2', '1r-', '1b1', 'cw4']
  const taken = { source: '1', colour: 'r', target: '' }
  it('spells a move once a line is chosen, legal or not', () => {
    expect(composition.moveOf(taken, moves)).toBe('')
    expect(composition.moveOf({ ...taken, target: '5' }, moves)).toBe('1r5')
    expect(composition.moveOf(draftOf('t24'), ['t24'])).toBe('t24')
  })
  it('offers the lines that can take the tiles, and previews those alone', () => {
    expect(linesFor(taken, moves)).toEqual(new Set(['2', '-']))
    expect(['2', '-', '1'].map((line) => composition.moveAt(taken, line, moves))).toEqual(['1r2', '1r-', ''])
    expect(composition.moveAt(draftOf('t24'), '2', moves)).toBe('')
  })
  it('is dropped when no move can come of it', () => {
    expect(composition.isOpen(taken, moves)).toBe(true)
    expect(composition.isOpen(taken, ['1b1'])).toBe(false)
    expect(composition.isOpen(draftOf('t24'), ['t25'])).toBe(false)
  })
  it('reads what it writes', () => {
    for (const move of [...moves, 't24']) expect(composition.moveOf(draftOf(move), moves)).toBe(move)
  })
})

describe('in words', () => {
  beforeAll(async () => {
    vi.stubGlobal('document', { documentElement: {} })
    await need('azul')
  })
  const name = (seat: number): string => ['Ilse', 'Tom'][seat]!
  const taken: Azul.Event = { type: 'TilesTaken', seat: 0, source: 3, colour: 'y', count: 3, rest: 'b', rule: 'AZ10' }
  const laid: Azul.Event = { type: 'TilesLaid', seat: 0, line: 2, colour: 'y', spaces: [0, 1, 2], rule: 'AZ13' }
  const fell: Azul.Event = { type: 'TilesFell', seat: 0, colour: 'y', spaces: [0], lid: 0, rule: 'AZ16' }

  it('tells a take and where it went', () => {
    expect(sentences([taken, laid], name, 1)).toEqual(['Ilse takes 3 × yellow from factory 4.', '3 go into line 3.'])
  })
  it('addresses the reader as you, in one sentence', () => {
    expect(sentences([taken, laid], name, 0)).toEqual(['You took 3 yellow from factory 4 → line 3.'])
    expect(sentences([taken, laid, fell], name, 0)).toEqual(['You took 3 yellow from factory 4 → line 3.', '1 falls to the floor.'])
    expect(sentences([taken, fell], name, 0)).toEqual(['You took 3 yellow from factory 4 → floor line.'])
  })
})
