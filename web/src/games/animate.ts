// Animates pieces: the page is updated at once, and copies fly from the old places to the new.
import { flushSync } from 'svelte'
import type { Animator } from '../lib/game'
import { later, track } from '../lib/motion'
import { settings, reducedMotion } from '../lib/settings.svelte'
import type { EntryView } from '../protocol.gen'

const SVG = 'http://www.w3.org/2000/svg'
export const STAGGER_MS = 30
export const flightMs = (): number => (settings.speed === 'brisk' ? 160 : 240)
/** How long a row of the round's scoring takes. */
export const rowMs = (): number => (settings.speed === 'brisk' ? 220 : 480)
const POP_MS = 220
const RISE_MS = 1400

export interface Flight {
  from: DOMRect
  /** The copy that flies. */
  drawing: SVGElement
  to: string
  after: number
}

/** Points that float up from where they were scored. */
export interface Rise {
  at: string
  points: number
  after: number
}

/** A piece that stays where it was for a while, and vanishes. */
export interface Fade {
  from: DOMRect
  drawing: SVGElement
  after: number
}

/** Points that count up in a player's score. */
export interface Count {
  seat: number
  points: number
  after: number
}

/** Pieces that appear late: what is dealt after the scoring. */
export interface Arrival {
  at: string
  after: number
}

export interface AnimationPlan {
  flights: Flight[]
  rises: Rise[]
  fades?: Fade[]
  counts?: Count[]
  arrivals?: Arrival[]
}

const find = (selector: string): Element[] => Array.from(document.querySelectorAll(selector))
export const rects = (selector: string): DOMRect[] => find(selector).map((element) => element.getBoundingClientRect())

export function tile(kind: string): SVGElement {
  const drawing = document.createElementNS(SVG, 'svg')
  const use = document.createElementNS(SVG, 'use')
  drawing.setAttribute('viewBox', '0 0 40 40')
  use.setAttribute('href', `#tile-${kind}`)
  drawing.append(use)
  return drawing
}

/** Return copies of the pieces at some places, and their positions. */
export function pieces(selector: string): { from: DOMRect; drawing: SVGElement }[] {
  const drawings = find(selector).flatMap((place) => place.querySelector('svg') ?? [])
  return drawings.map((drawing) => ({ from: drawing.getBoundingClientRect(), drawing: drawing.cloneNode(true) as SVGElement }))
}

/** Return a copy of the piece at a place and its position; null if there is none. */
export function pieceAt(selector: string): { from: DOMRect; drawing: SVGElement } | null {
  return pieces(selector)[0] ?? null
}

/** Return an animator: it measures the pieces, updates the page, and flies copies to their new places. */
export function animator(plan: (entries: EntryView[]) => AnimationPlan): Animator {
  return (entries, apply) => {
    if (reducedMotion()) return apply()
    const { flights, rises, fades = [], counts = [], arrivals = [] } = plan(entries)
    apply()
    flushSync()
    for (const flight of flights) fly(flight)
    for (const label of rises) rise(label)
    for (const piece of fades) fade(piece)
    for (const arrival of arrivals) arrive(arrival)
    countUp(counts)
    const ends = [...flights.map(({ after }) => after + flightMs()), ...counts.map(({ after }) => after), ...arrivals.map(({ after }) => after + POP_MS)]
    return Math.max(0, ...ends)
  }
}

/** Show each score as it was, and add the points one after the other. */
export function countUp(counts: Count[]): void {
  for (const seat of new Set(counts.map((count) => count.seat))) {
    const own = counts.filter((count) => count.seat === seat).sort((one, other) => one.after - other.after)
    const sum = own.reduce((sum, { points }) => sum + points, 0)
    for (const place of find(`[data-score="${seat}"]`)) {
      const text = place.lastChild
      if (!(text instanceof Text) || !Number.isFinite(Number(text.data))) continue
      let shown = Number(text.data) - sum
      text.data = String(shown)
      for (const { points, after } of own) {
        later(after, () => {
          if (text.data !== String(shown)) return // the page has moved on
          text.data = String((shown += points))
          track(place.animate({ transform: ['scale(1)', 'scale(1.25)', 'scale(1)'] }, { duration: 260 }))
        })
      }
    }
  }
}

function fade({ from, drawing, after }: Fade): void {
  float(drawing, from)
  drawing.style.width = drawing.style.height = `${from.width}px`
  const timing = { duration: flightMs(), delay: after, fill: 'both' } as const
  track(drawing.animate({ opacity: [1, 0], transform: ['none', 'translateY(8px) scale(.8)'] }, timing), () => drawing.remove())
}

function arrive({ at, after }: Arrival): void {
  const timing = { duration: POP_MS, delay: after, fill: 'backwards', easing: 'cubic-bezier(.2,.8,.3,1.2)' } as const
  for (const piece of find(at)) track(piece.animate({ opacity: [0, 1], transform: ['scale(.6)', 'none'] }, timing))
}

function float(element: HTMLElement | SVGElement, at: DOMRect): void {
  element.classList.add('flying')
  element.setAttribute('aria-hidden', 'true')
  element.style.left = `${at.left}px`
  element.style.top = `${at.top}px`
  document.body.append(element)
}

function fly({ from, drawing, to, after }: Flight): void {
  const goal = find(to).at(-1)
  if (!goal) return
  const end = goal.getBoundingClientRect()
  float(drawing, from)
  drawing.style.width = drawing.style.height = `${from.width}px`
  const scale = end.width / from.width
  const way = `translate(${end.left - from.left}px, ${end.top - from.top}px) scale(${scale})`
  const timing = { duration: flightMs(), delay: after, easing: 'cubic-bezier(.3,.1,.2,1)', fill: 'both' } as const
  const hidden = goal.firstElementChild?.animate({ opacity: [0, 0] }, { duration: flightMs() + after })
  if (hidden) track(hidden)
  track(drawing.animate({ transform: ['none', way] }, timing), () => drawing.remove())
}

function rise({ at, points, after }: Rise): void {
  const goal = find(at).at(-1)
  if (!goal) return
  const label = document.createElement('b')
  label.textContent = points < 0 ? `−${-points}` : `+${points}`
  label.classList.add('rising', points < 0 ? 'bad' : 'good')
  float(label, goal.getBoundingClientRect())
  const frames = { opacity: [0, 1, 1, 0], transform: ['translateY(4px)', 'translateY(-8px)', 'translateY(-18px)', 'translateY(-30px)'] }
  track(label.animate(frames, { duration: RISE_MS, delay: after, fill: 'both' }), () => label.remove())
}
