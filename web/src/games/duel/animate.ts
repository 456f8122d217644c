// Animates the pieces of Azul Duel, event by event. At the end of a round both domes are tiled line by line, the points
// count up, and only then the next round is set up.
import { click, knock, score } from '../../lib/sound'
import type { EntryView } from '../../protocol.gen'
import { pieceAt, pieces, rects, flightMs, rowMs, STAGGER_MS, animator, tile, type AnimationPlan } from '../animate'
import { kindOf, ways } from './pieces'
import { eventsOf, type Event } from './narrate'

export const animate = animator((entries) => new Show(entries).plan)

class Show {
  readonly plan: Required<AnimationPlan> = { flights: [], rises: [], fades: [], counts: [], arrivals: [] }
  /** The previous positions of the taken tiles. */
  private hand: DOMRect[] = []
  private after = 0
  /** When the next tile or the next points of each player come; players tile their domes at the same time. */
  private readonly clocks = [0, 0]

  constructor(entries: EntryView[]) {
    for (const event of eventsOf(entries)) this.follow(event)
  }

  private follow(event: Event): void {
    switch (event.type) {
      case 'SunTaken':
        this.hand = rects(`${at(`s${event.factory}`)}[data-c="${event.colour}"]`)
        return this.stack(event.factory, event.rest)
      case 'MoonsTaken':
        this.hand = event.counts.flatMap((count, factory) => rects(`${at(`n${factory}`)}[data-c="${event.colour}"]`).slice(-count || Infinity))
        return
      case 'TilesStacked':
        this.stack(event.factory, event.tiles)
        return click((this.after + flightMs()) / 1000)
      case 'StartTileTaken':
        return this.go(rects(at('n0') + '[data-c="m"]')[0], `a${event.seat}`, 'm')
      case 'TilesLaid':
        for (const space of event.spaces) this.go(this.hand.shift(), `l${event.seat}-${event.line}-${space}`, event.colour)
        return click((this.after + flightMs()) / 1000)
      case 'TilesBroke':
        for (const space of event.spaces) this.go(this.hand.shift(), `o${event.seat}-${space}`, event.colour)
        return event.spaces.length ? knock((this.after + flightMs()) / 1000) : undefined
      case 'ChipTaken':
        return this.carry(at(`c${event.factory}`), `h${event.seat}-${event.chip}`)
      case 'PlatePlaced':
        return this.carry(lay(event), `d${event.seat}-${event.slot}`)
      case 'PlateDrawn':
        return this.gain(event.seat, event.points, at('stack'), this.after)
      case 'AcquiringEnded':
        this.hand = []
        this.clocks.fill(this.after + 2 * flightMs())
        return
      case 'TilePlaced':
        return this.tile(event)
      case 'SpecialPlaced':
        return this.count(event.seat, event.points, at(`w${event.seat}-${event.row}-${event.column}`))
      case 'BrokenScored':
        for (const piece of pieces(`[data-at^="o${event.seat}-"]`)) this.plan.fades.push({ ...piece, after: this.clocks[event.seat]! })
        return this.count(event.seat, event.points, at(`o${event.seat}-0`))
      case 'FaceScored':
      case 'ScoreRaised':
        return this.count(event.seat, event.points, `[data-score="${event.seat}"]`)
      case 'PlatesOpened':
        return this.arrive(event.plates.map((plate) => `${at('open')}[data-c="${plate}"]`).join())
      case 'FactoryFilled':
        return this.arrive(`${at(`s${event.factory}`)}, ${at(`c${event.factory}`)}`)
    }
  }

  private go(from: DOMRect | undefined, to: string, kind: string): void {
    if (from) this.plan.flights.push({ from, to: at(to), drawing: tile(kind), after: (this.after += STAGGER_MS) })
  }

  private carry(from: string, to: string): void {
    const piece = pieceAt(from)
    if (piece) this.plan.flights.push({ ...piece, to: at(to), after: this.after })
    click((this.after + flightMs()) / 1000)
  }

  /** What is left on a sun goes to its moon. */
  private stack(factory: number, tiles: string): void {
    for (const letter of new Set(tiles)) for (const from of rects(`${at(`s${factory}`)}[data-c="${letter}"]`)) this.go(from, `n${factory}`, letter)
  }

  /** A tile of a complete line goes to the dome, the others vanish, and it scores. */
  private tile({ seat, row, column, colour, points }: Extract<Event, { type: 'TilePlaced' }>): void {
    const when = this.clocks[seat]!
    const [from] = rects(at(`l${seat}-${row}-0`))
    const to = at(`w${seat}-${row}-${column}`)
    if (from) this.plan.flights.push({ from, to, drawing: tile(colour), after: when })
    for (let space = 1; space <= row; space += 1) for (const left of rects(at(`l${seat}-${row}-${space}`))) this.plan.fades.push({ from: left, drawing: tile(colour), after: when })
    this.gain(seat, points, to, when + flightMs())
    this.clocks[seat] = when + rowMs()
  }

  /** Points that come by themselves, after the last of the same player. */
  private count(seat: number, points: number, place: string): void {
    this.gain(seat, points, place, this.clocks[seat]!)
    if (points) this.clocks[seat]! += rowMs() / 2
  }

  private gain(seat: number, points: number, place: string, when: number): void {
    if (!points) return
    this.plan.rises.push({ at: place, points, after: when })
    this.plan.counts.push({ seat, points, after: when })
    score(points, when / 1000)
  }

  /** Pieces of the next round come after the last points. */
  private arrive(place: string): void {
    if (!place) return
    this.after = Math.max(this.after, ...this.clocks) + STAGGER_MS
    this.clocks.fill(this.after)
    this.plan.arrivals.push({ at: place, after: this.after })
  }
}

const at = (place: string): string => `[data-at="${place}"]`

/** Return the previous place of a plate; it may have been turned, and another player's hand shows only backs. */
function lay({ plate, drawn }: { plate: string; drawn: boolean }): string {
  const known = ways(plate).map((way) => `${at(drawn ? 'hand' : 'open')}[data-c="${way}"]`)
  return [...known, ...(drawn ? [`${at('hand')}[data-c="${kindOf(plate)}"]`] : [])].join()
}
