// The arithmetic of a review: which step shows which act, what a plot draws, and what a result is made of.
import { signed } from '../lib/words.svelte'
import type { Decision, Report, ReplayStep, Split } from '../wire'

export type Label = Exclude<Decision['label'], ''>
export const LABELS: Label[] = ['inaccuracy', 'mistake', 'blunder']

/** Chances are said in whole points of a hundred. */
export function hundredths(share: number): number {
  return Math.round(share * 100) + 0
}

/** A change of chances in points of a hundred, with its sign. */
export function change(share: number): string {
  const points = hundredths(share)
  return points ? signed(points) : '0'
}

/** For each act of the record the step of the replay that shows it: a step is a move with the deals that follow it. */
export function stepsOfActs(steps: ReplayStep[]): number[] {
  return steps.flatMap((step, at) => step.film.acts.map(() => at))
}

/** For each step the number of acts that have been made when it is shown. */
export function actsAfter(steps: ReplayStep[]): number[] {
  let acts = 0
  return steps.map((step) => (acts += step.film.acts.length))
}

/** What each seat has of the win after so many acts. */
export function chancesAfter(report: Report, acts: number): number[] {
  return report.values[Math.min(acts, report.values.length) - 1] ?? report.start
}

/** One line of the plot: a point before the first act and one after each. */
export function chancesOf(report: Report, seat: number): number[] {
  return [report.start, ...report.values].map((shares) => shares[seat]!)
}

export interface Point {
  x: number
  y: number
}

/** A line through the points. */
export function path(points: Point[]): string {
  return points.map(({ x, y }, i) => `${i ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`).join('')
}

/** Labels at the end of lines, moved apart where they would lie over each other; they stay between top and bottom. */
export function apart(heights: number[], least: number, top: number, bottom: number): number[] {
  const order = heights.map((_, i) => i).sort((one, other) => heights[one]! - heights[other]!)
  const placed = [...heights]
  let floor = top
  for (const i of order) {
    placed[i] = Math.max(placed[i]!, floor)
    floor = placed[i]! + least
  }
  let ceiling = bottom
  for (const i of order.reverse()) {
    placed[i] = Math.min(placed[i]!, ceiling)
    ceiling = placed[i]! - least
  }
  return placed
}

/** A move that the coach marked. */
export type Marked = Decision & { label: Label }

export function marked(report: Report): Marked[] {
  return report.decisions.filter((decision): decision is Marked => decision.label !== '')
}

/** The move of a line, and whose it is where several might have moved. */
export function readLine(move: string): { seat: number | null; move: string } {
  const found = /^(\d):(.+)$/.exec(move)
  return found ? { seat: Number(found[1]), move: found[2]! } : { seat: null, move }
}

export type Part = 'luck' | 'own' | 'others' | 'rest'

/** A bar of the waterfall: it begins where the one before ended. */
export interface Fall {
  part: Part | 'start' | 'result'
  from: number
  to: number
}

/** How a seat came from its chance at the start to its share in the win. */
export function waterfall(split: Split): Fall[] {
  const parts: [Part, number][] = [
    ['luck', split.luck],
    ['own', -split.own_losses],
    ['others', split.others_losses],
    ['rest', split.rest],
  ]
  let at = split.start
  const falls = parts.map(([part, change]): Fall => ({ part, from: at, to: (at += change) }))
  return [{ part: 'start', from: 0, to: split.start }, ...falls, { part: 'result', from: 0, to: split.result }]
}

/** The lowest and the highest that the bars of some waterfalls reach. */
export function extent(falls: Fall[]): { low: number; high: number } {
  const ends = falls.flatMap(({ from, to }) => [from, to])
  return { low: Math.min(0, ...ends), high: Math.max(1, ...ends) }
}
