// Which pieces of Azul Duel travel where, event by event.
import { click, knock } from '../../lib/sound'
import type { Film } from '../../wire'
import { lifted, rects, speed, STAGGER, staging, tile, type Travels } from '../travel'
import { kindOf, ways } from './pieces'
import { eventsOf, type Event } from './tell'

export const travel = staging(plan)

function plan(films: Film[]): Travels {
  const travels: Travels = { flights: [], rises: [] }
  const step = { hand: [] as DOMRect[], after: 0 }
  for (const event of eventsOf(films)) follow(event, travels, step)
  return travels
}

interface Step {
  /** Where the tiles lay that somebody has taken. */
  hand: DOMRect[]
  after: number
}

function follow(event: Event, { flights, rises }: Travels, step: Step): void {
  const go = (from: DOMRect | undefined, to: string, kind: string): void => {
    if (from) flights.push({ from, to: at(to), drawing: tile(kind), after: (step.after += STAGGER) })
  }
  const carry = (from: string, to: string): void => {
    const piece = lifted(from)
    if (piece) flights.push({ ...piece, to: at(to), after: step.after })
    click((step.after + speed()) / 1000)
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
      return click((step.after + speed()) / 1000)
    case 'StartTileTaken':
      return go(rects(at('n0') + '[data-c="m"]')[0], `a${event.seat}`, 'm')
    case 'TilesLaid':
      for (const space of event.spaces) go(step.hand.shift(), `l${event.seat}-${event.line}-${space}`, event.colour)
      return click((step.after + speed()) / 1000)
    case 'TilesBroke':
      for (const space of event.spaces) go(step.hand.shift(), `o${event.seat}-${space}`, event.colour)
      return event.spaces.length ? knock((step.after + speed()) / 1000) : undefined
    case 'ChipTaken':
      return carry(at(`c${event.factory}`), `h${event.seat}-${event.chip}`)
    case 'PlatePlaced':
      return carry(lay(event), `d${event.seat}-${event.slot}`)
    case 'PlateDrawn':
      rises.push({ at: at('stack'), points: event.points, after: step.after })
      return
    case 'AcquiringEnded':
      step.hand = []
      step.after += speed()
      return
    case 'TilePlaced':
      go(rects(at(`l${event.seat}-${event.row}-0`))[0], `w${event.seat}-${event.row}-${event.column}`, event.colour)
      rises.push({ at: at(`w${event.seat}-${event.row}-${event.column}`), points: event.points, after: step.after + speed() })
      return
    case 'SpecialPlaced':
      rises.push({ at: at(`w${event.seat}-${event.row}-${event.column}`), points: event.points, after: step.after + speed() })
      return
    case 'BrokenScored':
      rises.push({ at: at(`o${event.seat}-0`), points: event.points, after: step.after + speed() })
      return
  }
}

const at = (place: string): string => `[data-at="${place}"]`

/** Where a plate lay before; it may have been turned since, and of another's hand one sees only backs. */
function lay({ plate, drawn }: { plate: string; drawn: boolean }): string {
  const known = ways(plate).map((way) => `${at(drawn ? 'hand' : 'open')}[data-c="${way}"]`)
  return [...known, ...(drawn ? [`${at('hand')}[data-c="${kindOf(plate)}"]`] : [])].join()
}
