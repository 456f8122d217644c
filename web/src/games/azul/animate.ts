// Animates the tiles of Azul, event by event.
import { click, knock } from '../../lib/sound'
import type { EntryView } from '../../protocol.gen'
import { rects, flightMs, STAGGER_MS, animator, tile, type AnimationPlan } from '../animate'
import { eventsOf } from './narrate'

export const animate = animator(plan)

function plan(entries: EntryView[]): AnimationPlan {
  const flights: AnimationPlan['flights'] = []
  const rises: AnimationPlan['rises'] = []
  let hand: DOMRect[] = []
  let after = 0
  const lay = (spots: string[], kind: string): void => {
    for (const to of spots) {
      const from = hand.shift()
      if (from) flights.push({ from, to, drawing: tile(kind), after: (after += STAGGER_MS) })
    }
  }
  for (const event of eventsOf(entries)) {
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
      click((after + flightMs()) / 1000)
    } else if (event.type === 'TilesFell') {
      lay(event.spaces.map((space) => `[data-at="o${event.seat}-${space}"]`), event.colour)
      if (event.spaces.length) knock((after + flightMs()) / 1000)
    } else if (event.type === 'DraftingEnded') {
      after += flightMs()
    } else if (event.type === 'TilePlaced') {
      const [from] = rects(`[data-at="l${event.seat}-${event.row}-0"]`)
      const to = `[data-at="w${event.seat}-${event.row}-${event.column}"]`
      if (from) flights.push({ from, to, drawing: tile(event.colour), after: (after += 2 * STAGGER_MS) })
      rises.push({ at: to, points: event.points, after: after + flightMs() })
    } else if (event.type === 'FloorScored' && event.points) {
      rises.push({ at: `[data-at="o${event.seat}-0"]`, points: event.points, after: after + flightMs() })
    }
  }
  return { flights, rises }
}
