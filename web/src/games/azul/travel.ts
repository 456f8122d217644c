// Tiles travel as they would on a table. Copies fly over the page; the page itself is already as it will be.
import { flushSync } from 'svelte'
import { settings, still } from '../../lib/settings.svelte'
import { click, knock } from '../../lib/sound'
import type { Stage } from '../../lib/table.svelte'
import { eventsOf, type Event } from './tell'

const SVG = 'http://www.w3.org/2000/svg'
const STAGGER = 30
const speed = (): number => (settings.speed === 'brisk' ? 160 : 240)

interface Flight {
  from: DOMRect
  to: string
  tile: string
  after: number
}

interface Rise {
  at: string
  points: number
  after: number
}

const find = (selector: string): HTMLElement[] => Array.from(document.querySelectorAll<HTMLElement>(selector))
const rects = (selector: string): DOMRect[] => find(selector).map((element) => element.getBoundingClientRect())

/** Look where the tiles lie, let the page change, and let them fly to where they went. */
export const travel: Stage = (films, apply) => {
  const events = eventsOf(films)
  if (still() || !events.length) return apply()
  const { flights, rises } = plan(events)
  apply()
  flushSync()
  for (const flight of flights) fly(flight)
  for (const rise of rises) lift(rise)
}

function plan(events: Event[]): { flights: Flight[]; rises: Rise[] } {
  const flights: Flight[] = []
  const rises: Rise[] = []
  let hand: DOMRect[] = []
  let after = 0
  const lay = (spots: string[], tile: string): void => {
    for (const to of spots) {
      const from = hand.shift()
      if (from) flights.push({ from, to, tile, after: (after += STAGGER) })
    }
  }
  for (const event of events) {
    if (event.type === 'TilesTaken') {
      const source = event.source === null ? 'c' : `f${event.source}`
      hand = rects(`[data-at="${source}"][data-c="${event.colour}"]`)
      for (const letter of new Set(event.rest)) {
        for (const from of event.source === null ? [] : rects(`[data-at="${source}"][data-c="${letter}"]`))
          flights.push({ from, to: `[data-at="c"][data-c="${letter}"]`, tile: letter, after })
      }
    } else if (event.type === 'MarkerTaken') {
      const [from] = rects('[data-at="c"][data-c="m"]')
      if (from && event.space !== null)
        flights.push({ from, to: `[data-at="o${event.seat}-${event.space}"]`, tile: 'm', after })
    } else if (event.type === 'TilesLaid') {
      lay(event.spaces.map((space) => `[data-at="l${event.seat}-${event.line}-${space}"]`), event.colour)
      click((after + speed()) / 1000)
    } else if (event.type === 'TilesFell') {
      lay(event.spaces.map((space) => `[data-at="o${event.seat}-${space}"]`), event.colour)
      if (event.spaces.length) knock((after + speed()) / 1000)
    } else if (event.type === 'DraftingEnded') {
      after += speed()
    } else if (event.type === 'TilePlaced') {
      const [from] = rects(`[data-at="l${event.seat}-${event.row}-0"]`)
      const to = `[data-at="w${event.seat}-${event.row}-${event.column}"]`
      if (from) flights.push({ from, to, tile: event.colour, after: (after += 2 * STAGGER) })
      rises.push({ at: to, points: event.points, after: after + speed() })
    } else if (event.type === 'FloorScored' && event.points) {
      rises.push({ at: `[data-at="o${event.seat}-0"]`, points: event.points, after: after + speed() })
    }
  }
  return { flights, rises }
}

function floating(element: HTMLElement | SVGElement, at: DOMRect): void {
  element.classList.add('flying')
  element.setAttribute('aria-hidden', 'true')
  element.style.left = `${at.left}px`
  element.style.top = `${at.top}px`
  document.body.append(element)
}

function fly({ from, to, tile, after }: Flight): void {
  const goal = find(to).at(-1)
  if (!goal) return
  const end = goal.getBoundingClientRect()
  const copy = document.createElementNS(SVG, 'svg')
  const use = document.createElementNS(SVG, 'use')
  copy.setAttribute('viewBox', '0 0 40 40')
  use.setAttribute('href', `#tile-${tile}`)
  copy.append(use)
  floating(copy, from)
  copy.style.width = copy.style.height = `${from.width}px`
  const scale = end.width / from.width
  const way = `translate(${end.left - from.left}px, ${end.top - from.top}px) scale(${scale})`
  const timing = { duration: speed(), delay: after, easing: 'cubic-bezier(.3,.1,.2,1)', fill: 'both' } as const
  goal.firstElementChild?.animate({ opacity: [0, 0] }, { duration: speed() + after })
  copy.animate({ transform: ['none', way] }, timing).finished.finally(() => copy.remove())
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
