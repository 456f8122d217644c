// The people at a table: who is muted, and the score of a series.
import { beforeEach, expect, it, vi } from 'vitest'
import type { TablePeople } from '../protocol.gen'

const stored = new Map<string, string>()
vi.stubGlobal('localStorage', { getItem: (key: string) => stored.get(key) ?? null, setItem: (key: string, value: string) => stored.set(key, value) })
const { Company, muted, muteEverybody, winsAsText } = await import('./company.svelte')

const SEEN: TablePeople = {
  seats: [
    { seat: 0, id: 'ann', follows: false, blocks: false },
    { seat: 1, id: 'bert', follows: false, blocks: false },
    { seat: 2, id: '', follows: false, blocks: false },
  ],
  games: 3,
  wins: [2, 1, 0],
}
const company = new Company('table')

beforeEach(() => {
  company.seen = SEEN
  muted.people = []
  muteEverybody(false)
})

it('mutes one player, everybody, and those who are blocked', () => {
  company.mute(1, true)
  expect([0, 1, 2].map((seat) => company.isMuted(seat))).toEqual([false, true, false])
  expect(JSON.parse(stored.get('tessella.muted')!)).toEqual({ everybody: false, people: ['bert'] })
  company.mute(1, false)
  muteEverybody(true)
  expect(company.isMuted(0)).toBe(true)
  muteEverybody(false)
  company.seen = { ...SEEN, seats: [{ ...SEEN.seats[0]!, blocks: true }] }
  expect(company.isMuted(0)).toBe(true)
})

it('mutes nobody without a name of their own, such as a bot', () => {
  company.mute(2, true)
  expect(muted.people).toEqual([])
})

it('adds a finished game to the series, and shares a tie', () => {
  expect(company.score([])).toEqual([2, 1, 0])
  expect(company.score([1, 1, 3])).toEqual([2.5, 1.5, 0])
  expect(company.score([2, 1, 3]).map(winsAsText)).toEqual(['2', '2', '0'])
  expect([0, 0.5, 2.5, 0.33, 1.67].map(winsAsText)).toEqual(['0', '½', '2½', '⅓', '1⅔'])
  company.seen = { ...SEEN, wins: [] }
  expect(company.score([1, 2, 2])).toEqual([])
})
