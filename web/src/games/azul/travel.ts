// Which tiles of Azul travel where, event by event.
import { click, knock } from '../../lib/sound'
import type { Film } from '../../wire'
import { rects, speed, STAGGER, staging, tile, type Travels } from '../travel'
import { eventsOf } from './tell'

export const travel = staging(plan)

function plan(films: Film[]): Travels {
  const flights: Travels['flights'] = []
  const rises: Travels['rises'] = []
  let hand: DOMRect[] = []
  let after = 0
  const lay = (spots: string[], kind: string): void => {
    for (const to of spots) {
      const from = hand.shift()
      if (from) flights.push({ from, to, drawing: tile(kind), after: (after += STAGGER) })
    }
  }
  for (const event of eventsOf(films)) {
    if (event.type === 'TilesTaken') {
      const source = event.source === null ? 'c' : `f${event.source}`
      hand = rects(`[data-at="${source}"][data-c="${event.colour}"]`)
      for (const letter of new Set(event.rest)) {
        for (const from of event.source === null ? [] : rects(`[data-at="${source}"][data-c="${letter}"]`))
          flights.push({ from, to: `[data-at="c"][data-c="${letter}"]`, drawing: tile(letter), after })
      }
    } else if (event.type === 'MarkerTaken') {
      const [from] = rects('[data-at="c"][data-c="m"]')
      if (from && event.space !== null)
        flights.push({ from, to: `[data-at="o${event.seat}-${event.space}"]`, drawing: tile('m'), after })
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
      if (from) flights.push({ from, to, drawing: tile(event.colour), after: (after += 2 * STAGGER) })
      rises.push({ at: to, points: event.points, after: after + speed() })
    } else if (event.type === 'FloorScored' && event.points) {
      rises.push({ at: `[data-at="o${event.seat}-0"]`, points: event.points, after: after + speed() })
    }
  }
  return { flights, rises }
}
