// Pieces travel as they would on a table. Copies fly over the page; the page itself is already as it will be.
import { flushSync } from 'svelte'
import type { Stage } from '../lib/scene'
import { settings, still } from '../lib/settings.svelte'
import type { Film } from '../wire'

const SVG = 'http://www.w3.org/2000/svg'
export const STAGGER = 30
export const speed = (): number => (settings.speed === 'brisk' ? 160 : 240)

export interface Flight {
  from: DOMRect
  /** What flies. */
  drawing: SVGElement
  to: string
  after: number
}

/** Points that rise from where they were made. */
export interface Rise {
  at: string
  points: number
  after: number
}

export interface Travels {
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

/** What is drawn at a place now, and where. */
export function lifted(selector: string): { from: DOMRect; drawing: SVGElement } | null {
  const drawing = find(selector)[0]?.querySelector('svg')
  return drawing ? { from: drawing.getBoundingClientRect(), drawing: drawing.cloneNode(true) as SVGElement } : null
}

/** Look where the pieces lie, let the page change, and let them fly to where they went. */
export function staging(plan: (films: Film[]) => Travels): Stage {
  return (films, apply) => {
    if (still()) return apply()
    const { flights, rises } = plan(films)
    apply()
    flushSync()
    for (const flight of flights) fly(flight)
    for (const rise of rises) lift(rise)
  }
}

function floating(element: HTMLElement | SVGElement, at: DOMRect): void {
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
  floating(drawing, from)
  drawing.style.width = drawing.style.height = `${from.width}px`
  const scale = end.width / from.width
  const way = `translate(${end.left - from.left}px, ${end.top - from.top}px) scale(${scale})`
  const timing = { duration: speed(), delay: after, easing: 'cubic-bezier(.3,.1,.2,1)', fill: 'both' } as const
  goal.firstElementChild?.animate({ opacity: [0, 0] }, { duration: speed() + after })
  drawing.animate({ transform: ['none', way] }, timing).finished.finally(() => drawing.remove())
}

function lift({ at, points, after }: Rise): void {
  const goal = find(at).at(-1)
  if (!goal) return
  const label = document.createElement('b')
  label.textContent = points < 0 ? `−${-points}` : `+${points}`
  label.classList.add('rising', points < 0 ? 'bad' : 'good')
  floating(label, goal.getBoundingClientRect())
  const frames = { opacity: [0, 1, 1, 0], transform: ['translateY(4px)', 'translateY(-8px)', 'translateY(-18px)', 'translateY(-30px)'] }
  label.animate(frames, { duration: 1400, delay: after, fill: 'both' }).finished.finally(() => label.remove())
}
