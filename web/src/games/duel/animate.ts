// Animates the pieces of Azul Duel, event by event.
import { click, knock } from '../../lib/sound'
import type { EntryView } from '../../protocol.gen'
import { pieceAt, rects, flightMs, STAGGER_MS, animator, tile, type AnimationPlan } from '../animate'
import { kindOf, ways } from './pieces'
import { eventsOf, type Event } from './narrate'

export const animate = animator(plan)

function plan(entries: EntryView[]): AnimationPlan {
  const planned: AnimationPlan = { flights: [], rises: [] }
  const step = { hand: [] as DOMRect[], after: 0 }
  for (const event of eventsOf(entries)) follow(event, planned, step)
  return planned
}

interface Step {
  /** The previous positions of the taken tiles. */
  hand: DOMRect[]
  after: number
}

function follow(event: Event, { flights, rises }: AnimationPlan, step: Step): void {
  const go = (from: DOMRect | undefined, to: string, kind: string): void => {
    if (from) flights.push({ from, to: at(to), drawing: tile(kind), after: (step.after += STAGGER_MS) })
  }
  const carry = (from: string, to: string): void => {
    const piece = pieceAt(from)
    if (piece) flights.push({ ...piece, to: at(to), after: step.after })
    click((step.after + flightMs()) / 1000)
  }
  switch (event.type) {
    case 'SunTaken':
      step.hand = rects(`${at(`s${event.factory}`)}[data-c="${event.colour}"]`)
      for (const letter of new Set(event.rest))
        for (const from of rects(`${at(`s${event.factory}`)}[data-c="${letter}"]`)) go(from, `n${event.factory}`, letter)
      return
    case 'MoonsTaken':
      step.hand = event.counts.flatMap((count, factory) => rects(`${at(`n${factory}`)}[data-c="${event.colour}"]`).slice(-count || Infinity))
      return
    case 'TilesStacked':
      for (const letter of new Set(event.tiles))
        for (const from of rects(`${at(`s${event.factory}`)}[data-c="${letter}"]`)) go(from, `n${event.factory}`, letter)
      return click((step.after + flightMs()) / 1000)
    case 'StartTileTaken':
      return go(rects(at('n0') + '[data-c="m"]')[0], `a${event.seat}`, 'm')
    case 'TilesLaid':
      for (const space of event.spaces) go(step.hand.shift(), `l${event.seat}-${event.line}-${space}`, event.colour)
      return click((step.after + flightMs()) / 1000)
    case 'TilesBroke':
      for (const space of event.spaces) go(step.hand.shift(), `o${event.seat}-${space}`, event.colour)
      return event.spaces.length ? knock((step.after + flightMs()) / 1000) : undefined
    case 'ChipTaken':
      return carry(at(`c${event.factory}`), `h${event.seat}-${event.chip}`)
    case 'PlatePlaced':
      return carry(lay(event), `d${event.seat}-${event.slot}`)
    case 'PlateDrawn':
      rises.push({ at: at('stack'), points: event.points, after: step.after })
      return
    case 'AcquiringEnded':
      step.hand = []
      step.after += flightMs()
      return
    case 'TilePlaced':
      go(rects(at(`l${event.seat}-${event.row}-0`))[0], `w${event.seat}-${event.row}-${event.column}`, event.colour)
      rises.push({ at: at(`w${event.seat}-${event.row}-${event.column}`), points: event.points, after: step.after + flightMs() })
      return
    case 'SpecialPlaced':
      rises.push({ at: at(`w${event.seat}-${event.row}-${event.column}`), points: event.points, after: step.after + flightMs() })
      return
    case 'BrokenScored':
      rises.push({ at: at(`o${event.seat}-0`), points: event.points, after: step.after + flightMs() })
      return
  }
}

const at = (place: string): string => `[data-at="${place}"]`

/** Return the previous place of a plate; it may have been turned, and another player's hand shows only backs. */
function lay({ plate, drawn }: { plate: string; drawn: boolean }): string {
  const known = ways(plate).map((way) => `${at(drawn ? 'hand' : 'open')}[data-c="${way}"]`)
  return [...known, ...(drawn ? [`${at('hand')}[data-c="${kindOf(plate)}"]`] : [])].join()
}
