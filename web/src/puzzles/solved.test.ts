// Solved puzzles count once, and a streak counts days in a row.
import { describe, expect, it } from 'vitest'
import { after, streak, type Solved } from './solved'

const none: Solved = { found: [], shown: [], days: [] }

describe('a puzzle', () => {
  it('is solved, and its day with it', () => {
    expect(after(none, 'a1', 'found', '2026-11-15')).toEqual({ found: ['a1'], shown: [], days: ['2026-11-15'] })
  })
  it('whose solution was shown is not solved afterwards', () => {
    const shown = after(none, 'a1', 'shown', '2026-11-15')
    expect(shown).toEqual({ found: [], shown: ['a1'], days: [] })
    expect(after(shown, 'a1', 'found', '2026-11-15')).toBe(shown)
  })
  it('of another game does not make the day count twice', () => {
    const one = after(none, 'a1', 'found', '2026-11-15')
    expect(after(one, 'd1', 'found', '2026-11-15').days).toEqual(['2026-11-15'])
  })
})

describe('days in a row', () => {
  it('end today or yesterday', () => {
    expect(streak(['2026-11-13', '2026-11-14', '2026-11-15'], '2026-11-15')).toBe(3)
    expect(streak(['2026-11-13', '2026-11-14'], '2026-11-15')).toBe(2)
    expect(streak(['2026-11-12', '2026-11-13'], '2026-11-15')).toBe(0)
    expect(streak([], '2026-11-15')).toBe(0)
  })
  it('go over the end of a month, and stop at a gap', () => {
    expect(streak(['2026-10-29', '2026-10-31', '2026-11-01', '2026-11-02'], '2026-11-02')).toBe(3)
  })
})
