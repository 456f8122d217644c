// Animates pieces: the page is updated at once, and copies fly from the old places to the new.
import { flushSync } from 'svelte'
import type { Animator } from '../lib/game'
import { settings, reducedMotion } from '../lib/settings.svelte'
import type { EntryView } from '../protocol.gen'

const SVG = 'http://www.w3.org/2000/svg'
export const STAGGER_MS = 30
export const flightMs = (): number => (settings.speed === 'brisk' ? 160 : 240)

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

export interface AnimationPlan {
  flights: Flight[]
  rises: Rise[]
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

/** Return a copy of the piece at a place and its position; null if there is none. */
export function pieceAt(selector: string): { from: DOMRect; drawing: SVGElement } | null {
  const drawing = find(selector)[0]?.querySelector('svg')
  return drawing ? { from: drawing.getBoundingClientRect(), drawing: drawing.cloneNode(true) as SVGElement } : null
}

/** Return an animator: it measures the pieces, updates the page, and flies copies to their new places. */
export function animator(plan: (entries: EntryView[]) => AnimationPlan): Animator {
  return (entries, apply) => {
    if (reducedMotion()) return apply()
    const { flights, rises } = plan(entries)
    apply()
    flushSync()
    for (const flight of flights) fly(flight)
    for (const label of rises) rise(label)
  }
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
  goal.firstElementChild?.animate({ opacity: [0, 0] }, { duration: flightMs() + after })
  drawing.animate({ transform: ['none', way] }, timing).finished.finally(() => drawing.remove())
}

function rise({ at, points, after }: Rise): void {
  const goal = find(at).at(-1)
  if (!goal) return
  const label = document.createElement('b')
  label.textContent = points < 0 ? `−${-points}` : `+${points}`
  label.classList.add('rising', points < 0 ? 'bad' : 'good')
  float(label, goal.getBoundingClientRect())
  const frames = { opacity: [0, 1, 1, 0], transform: ['translateY(4px)', 'translateY(-8px)', 'translateY(-18px)', 'translateY(-30px)'] }
  label.animate(frames, { duration: 1400, delay: after, fill: 'both' }).finished.finally(() => label.remove())
}
