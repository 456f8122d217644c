import { describe, expect, it } from 'vitest'
import type { Compared } from '../protocol.gen'
import { totals } from './match'

const player = (name: string, seat: number, net: number | null): Compared => ({ game: `g${seat}`, seat, name, score: net, net })

describe('the players of a duplicate match', () => {
  it('are compared over both of their seats, the better one first', () => {
    expect(totals([player('Ann', 0, -3), player('Bob', 0, 3), player('Bob', 1, 1.5), player('Ann', 1, -1.5)])).toEqual([
      { name: 'Bob', net: 4.5 },
      { name: 'Ann', net: -4.5 },
    ])
  })
  it('are not compared if a game has no scores', () => {
    expect(totals([player('Ann', 0, null), player('Bob', 0, 3)])).toEqual([])
  })
})
