import { describe, expect, it } from 'vitest'
import type { Azul, Film, TableSeen } from '../../wire'
import { ledger, rounds } from './tell'

const film = (events: Azul.Event[]): Film => ({ number: 0, what: 'move', seat: 0, at: 0, events }) as unknown as Film
const over = (scores: number[], places: number[]): TableSeen => ({ end: { scores, places } }) as unknown as TableSeen

describe('how a round scored', () => {
  const story: Azul.Event[] = [
    { type: 'DraftingEnded', round: 3, rule: 'AZ18' },
    { type: 'TilePlaced', seat: 0, row: 0, column: 2, colour: 'r', across: 1, down: 1, points: 1, lid: 0, rule: 'AZ22' },
    { type: 'FloorScored', seat: 0, tiles: '', costs: [], points: 0, rule: 'AZ23' },
    { type: 'FloorScored', seat: 1, tiles: 'rr', costs: [-1, -1], points: 0, rule: 'AZ23' },
  ]
  it('AZ23: names a floor that cost nothing because there was nothing to lose, and no empty floor', () => {
    const { seats } = rounds([film(story)])[0]!
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
