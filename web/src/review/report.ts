// The arithmetic of a review: which step shows which act, the lines of the plot, and the breakdown of a result.
import { signed } from '../lib/i18n.svelte'
import type { Decision, Report, ReplayStep, Split } from '../protocol.gen'

export type Label = Exclude<Decision['label'], ''>
export const LABELS: Label[] = ['inaccuracy', 'mistake', 'blunder']

/** Return a share as a whole percentage, never minus zero. */
export function percent(share: number): number {
  return Math.round(share * 100) + 0
}

/** Return a change of a share as a signed percentage. */
export function change(share: number): string {
  const points = percent(share)
  return points ? signed(points) : '0'
}

/** Return, for each act of the record, the step that shows it: a step is a move with the deals that follow it. */
export function stepsOfActs(steps: ReplayStep[]): number[] {
  return steps.flatMap((step, at) => step.entry.acts.map(() => at))
}

/** Return, for each step, the number of acts made so far. */
export function actsAfter(steps: ReplayStep[]): number[] {
  let acts = 0
  return steps.map((step) => (acts += step.entry.acts.length))
}

/** Return each seat's win probability after a number of acts. */
export function chancesAfter(report: Report, acts: number): number[] {
  return report.values[Math.min(acts, report.values.length) - 1] ?? report.start
}

/** Return one seat's win probabilities: before the first act, and after each. */
export function chancesOf(report: Report, seat: number): number[] {
  return [report.start, ...report.values].map((shares) => shares[seat]!)
}

export interface Point {
  x: number
  y: number
}

/** Return an SVG path through the points. */
export function path(points: Point[]): string {
  return points.map(({ x, y }, i) => `${i ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`).join('')
}

/** Return label positions that do not overlap and stay between top and bottom. */
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

/** What the coach says of a move. Only for a marked one is there a better move; another good one is about as good. */
export type Verdict = Label | 'forced' | 'best' | 'fine'

export function verdictOf({ label, choices, best, played }: Decision): Verdict {
  if (label) return label
  if (choices === 1) return 'forced'
  return best === played ? 'best' : 'fine'
}

/** Return the move of a written line, and its seat where several could move. */
export function readLine(move: string): { seat: number | null; move: string } {
  const found = /^(\d):(.+)$/.exec(move)
  return found ? { seat: Number(found[1]), move: found[2]! } : { seat: null, move }
}

export type Part = 'luck' | 'own' | 'others' | 'rest'

/** A bar of the waterfall; it begins where the previous one ended. */
export interface Fall {
  part: Part | 'start' | 'result'
  from: number
  to: number
}

/** Return the bars from a seat's chance at the start to its result. */
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

/** Return the lowest and highest value of some bars. */
export function extent(falls: Fall[]): { low: number; high: number } {
  const ends = falls.flatMap(({ from, to }) => [from, to])
  return { low: Math.min(0, ...ends), high: Math.max(1, ...ends) }
}
