// Animates the tiles of Blockers!: from a rack to a cell, and from a cell to its captor. At the end the scores are counted.
import { flushSync } from 'svelte'
import type { Animator } from '../../lib/game'
import { track } from '../../lib/motion'
import { reducedMotion } from '../../lib/settings.svelte'
import { click, knock, score } from '../../lib/sound'
import { countUp, flightMs, rowMs, STAGGER_MS, type Count } from '../animate'
import { eventsOf, type Event } from './narrate'

/** A tile that moves; its drawing is copied before or after the page is updated. */
interface Flight {
  from: DOMRect
  look: SVGElement | null
  to: string
  after: number
}

const find = (at: string): HTMLElement | null => document.querySelector<HTMLElement>(`[data-at="${at}"]`)
const drawn = (place: HTMLElement | null): SVGElement | null => place?.querySelector('svg') ?? null

/** Measure the tiles, update the page, and fly copies to their new places. */
export const animate: Animator = (entries, apply) => {
  const events = eventsOf(entries)
  if (reducedMotion() || !events.length) return apply()
  const flights = events.flatMap((event, i) => plan(event, i * STAGGER_MS))
  apply()
  flushSync()
  for (const flight of flights) fly(flight)
  const counts = events.flatMap(tally)
  countUp(counts)
  return Math.max(0, ...counts.map((count) => count.after))
}

/** At the end each player's score is counted: group by group, then the captured tiles. */
function tally(event: Event): Count[] {
  if (event.type !== 'SeatScored') return []
  const { groups, score: total } = event.tally
  const steps = [...groups.map(() => 1), total - groups.length].filter(Boolean)
  return steps.map((points, i) => {
    const after = 2 * flightMs() + (i * rowMs()) / 3
    score(points, after / 1000)
    return { seat: event.seat, points, after }
  })
}

function plan(event: Event, after: number): Flight[] {
  switch (event.type) {
    case 'TileCaptured':
      knock((after + flightMs()) / 1000)
      return leave(find(`cell-${event.cell}`), `captured-${event.seat}-${event.colour}`, after, 'as it lies')
    case 'TilePlaced':
      click((after + flightMs()) / 1000)
      return leave(find(`rack-${event.colour}-${event.face}`) ?? find(`hand-${event.colour}`), `cell-${event.cell}`, after)
    case 'TilesDrawn':
      return Array.from(event.tiles ?? '').flatMap((face) => leave(find(`supply-${event.colour}`), `rack-${event.colour}-${face}`, after + flightMs()))
    default:
      return []
  }
}

function leave(place: HTMLElement | null, to: string, after: number, how?: 'as it lies'): Flight[] {
  const tile = drawn(place) ?? place
  if (!tile) return []
  return [{ from: tile.getBoundingClientRect(), look: how ? copyOf(drawn(place)) : null, to, after }]
}

function copyOf(svg: SVGElement | null): SVGElement | null {
  return svg ? (svg.cloneNode(true) as SVGElement) : null
}

function fly({ from, look, to, after }: Flight): void {
  const goal = find(to)
  const landed = drawn(goal)
  const copy = look ?? copyOf(landed)
  if (!goal || !copy) return
  const end = (landed ?? goal).getBoundingClientRect()
  copy.classList.add('flying')
  for (const [side, length] of [['left', from.left], ['top', from.top], ['width', from.width], ['height', from.width]] as const) copy.style[side] = `${length}px`
  document.body.append(copy)
  const way = `translate(${end.left - from.left}px, ${end.top - from.top}px) scale(${end.height / from.width})`
  const timing = { duration: flightMs(), delay: after, easing: 'cubic-bezier(.3,.1,.2,1)', fill: 'both' } as const
  if (!look && landed) track(landed.animate({ opacity: [0, 0] }, { duration: flightMs() + after }))
  track(copy.animate({ transform: ['none', way] }, timing), () => copy.remove())
}
