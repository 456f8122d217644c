import { beforeAll, describe, expect, it, vi } from 'vitest'
import { load, need } from '../lib/i18n.svelte'
import type { DailyTable } from '../protocol.gen'
import { boast, dayName, outcome } from './daily'

const yours = { game: 'abcd', status: 'over' as const, place: 1, score: 62, other: 48, ranked: true, rank: 1, better_than: 80 }

describe('a daily deal', () => {
  beforeAll(async () => {
    vi.stubGlobal('document', { documentElement: {} })
    await load('en')
    await need('daily')
  })
  it('says how a try ended, whichever way the game counts', () => {
    expect(outcome(yours)).toBe('You won 62 : 48')
    expect(outcome({ ...yours, place: 2, score: 9, other: 7 })).toBe('You lost 9 : 7')
    expect(outcome({ ...yours, score: 50, other: 50 })).toBe('You drew 50 : 50')
    expect(outcome({ ...yours, place: 2, score: null, other: null })).toBe('You resigned.')
    expect(outcome({ ...yours, place: null, score: null, other: null })).toBe('You stopped without a result.')
  })
  it('names the same day in every time zone', () => {
    expect(dayName('2026-11-17')).toBe('Tuesday, November 17')
  })
  it('is shared with the result and the link, and nothing of the deal', () => {
    const text = boast({ day: '2026-11-17', title: 'azul', level: '3', yours } as DailyTable, 'https://play.example.org/x')
    expect(text.split('\n')).toEqual(['Daily deal: Azul · Tuesday, November 17', 'You won 62 : 48 against the Collector · better than 80 % of the others', 'https://play.example.org/x'])
  })
})
