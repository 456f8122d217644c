// The figures of a review add up.
import { describe, expect, it } from 'vitest'
import type { Report, ReplayStep } from '../protocol.gen'
import { actsAfter, apart, chancesAfter, chancesOf, extent, percent, marked, path, readLine, stepsOfActs, verdictOf, waterfall } from './report'

const step = (...acts: string[]): ReplayStep => ({ entry: { number: 0, kind: 'played', seat: 0, acts, events: [] }, movers: [], view: null, board: null })
const decision = { round: 1, seat: 0, choices: 5, best: '1b1', line: [], value: 0.5, points: 1, noise: 0, shift: [], proved: false }
const report = {
  start: [0.5, 0.5],
  values: [[0.6, 0.4], [0.45, 0.55], [1, 0]],
  decisions: [
    { ...decision, number: 1, played: '1b1', loss: 0, label: '' },
    { ...decision, number: 2, played: '2r2', loss: 0.2, label: 'blunder' },
  ],
} as unknown as Report

describe('steps and acts', () => {
  // The first deal, a move, a move with the deal of the next round, a player who left, a move
  const steps = [step('*bb'), step('1b1'), step('2r2', '*kk'), step(), step('ck1')]

  it('finds the step that shows an act', () => {
    expect(stepsOfActs(steps)).toEqual([0, 1, 2, 2, 4])
  })
  it('counts the acts up to a step', () => {
    expect(actsAfter(steps)).toEqual([1, 2, 4, 4, 5])
  })
})

describe('chances', () => {
  it('begin with the start and end with the result', () => {
    expect(chancesAfter(report, 0)).toEqual([0.5, 0.5])
    expect(chancesAfter(report, 2)).toEqual([0.45, 0.55])
    expect(chancesAfter(report, 9)).toEqual([1, 0])
    expect(chancesOf(report, 1)).toEqual([0.5, 0.4, 0.55, 0])
  })
  it('are whole percentages, never minus zero', () => {
    expect([0.061, 0.5, -0.001].map(percent)).toEqual([6, 50, 0])
    expect(Object.is(percent(-0.001), 0)).toBe(true)
  })
  it('are drawn as a line', () => {
    expect(path([{ x: 0, y: 10 }, { x: 4.25, y: 3 }])).toBe('M0.0 10.0L4.3 3.0')
  })
})

describe('labels at the end of lines', () => {
  it('stay where they are if there is room', () => {
    expect(apart([10, 60], 15, 0, 100)).toEqual([10, 60])
  })
  it('move apart, and never out of the plot', () => {
    expect(apart([50, 50], 15, 0, 100)).toEqual([50, 65])
    expect(apart([98, 97, 99], 15, 0, 100)).toEqual([85, 70, 100])
    expect(apart([0, 100, 0], 15, 0, 100)).toEqual([0, 100, 15])
  })
})

describe('moves', () => {
  it('are marked where the coach says so', () => {
    expect(marked(report).map(({ number }) => number)).toEqual([2])
  })
  it('have one verdict: what is not marked has no better move', () => {
    const played = { ...report.decisions[0]!, played: '2r2' }
    expect(verdictOf({ ...played, label: 'mistake', loss: 0.12 })).toBe('mistake')
    expect(verdictOf({ ...played, loss: 0.04 })).toBe('fine')
    expect(verdictOf({ ...played, loss: 0.3, noise: 0.2 })).toBe('fine')
    expect(verdictOf({ ...played, best: '2r2' })).toBe('best')
    expect(verdictOf({ ...played, choices: 1 })).toBe('forced')
  })
  it('of a line may name their seat', () => {
    expect(readLine('3r4')).toEqual({ seat: null, move: '3r4' })
    expect(readLine('1:t24')).toEqual({ seat: 1, move: 't24' })
  })
})

describe('the waterfall', () => {
  const split = { seat: 0, start: 0.5, result: 1, luck: 0.06, own_losses: 0.2, others_losses: 0.55, rest: 0.09 }
  const falls = waterfall(split)

  it('goes from the start to the result without a gap', () => {
    expect(falls.map(({ part }) => part)).toEqual(['start', 'luck', 'own', 'others', 'rest', 'result'])
    for (const [i, { from }] of falls.slice(1, 5).entries()) expect(from).toBeCloseTo(falls[i]!.to)
    expect(falls[4]!.to).toBeCloseTo(split.result)
  })
  it('shows an own loss as a fall, and a loss of the others as a rise', () => {
    expect(falls[2]!.to).toBeLessThan(falls[2]!.from)
    expect(falls[3]!.to).toBeGreaterThan(falls[3]!.from)
  })
  it('may reach below 0 and above 1', () => {
    expect(extent(falls)).toMatchObject({ low: 0, high: expect.closeTo(1) })
    expect(extent(waterfall({ ...split, luck: 0.7, own_losses: 1.4 }))).toMatchObject({ low: expect.closeTo(-0.2), high: expect.closeTo(1.2) })
  })
})
