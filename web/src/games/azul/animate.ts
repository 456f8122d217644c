// Animates the tiles of Azul, event by event. At the end of a round all walls are tiled row by row, the points count up,
// and only then the next round is dealt.
import { click, knock, score } from '../../lib/sound'
import type { EntryView } from '../../protocol.gen'
import { pieces, rects, flightMs, rowMs, STAGGER_MS, animator, tile, type AnimationPlan } from '../animate'
import { eventsOf } from './narrate'

export const animate = animator(plan)

function plan(entries: EntryView[]): AnimationPlan {
  const flights: AnimationPlan['flights'] = []
  const rises: AnimationPlan['rises'] = []
  const fades: AnimationPlan['fades'] = []
  const counts: AnimationPlan['counts'] = []
  const arrivals: AnimationPlan['arrivals'] = []
  let hand: DOMRect[] = []
  let after = 0
  /** When the walls begin to be tiled. */
  let tiling = 0
  const gain = (seat: number, points: number, at: string, when: number): void => {
    if (!points) return
    rises.push({ at, points, after: when })
    counts.push({ seat, points, after: when })
    score(points, when / 1000)
    after = Math.max(after, when)
  }
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
      tiling = after + 2 * flightMs()
    } else if (event.type === 'TilePlaced') {
      const when = tiling + event.row * rowMs()
      const [from] = rects(`[data-at="l${event.seat}-${event.row}-0"]`)
      const to = `[data-at="w${event.seat}-${event.row}-${event.column}"]`
      if (from) flights.push({ from, to, drawing: tile(event.colour), after: when })
      for (let space = 1; space <= event.row; space += 1)
        for (const from of rects(`[data-at="l${event.seat}-${event.row}-${space}"]`)) fades.push({ from, drawing: tile(event.colour), after: when })
      gain(event.seat, event.points, to, when + flightMs())
    } else if (event.type === 'FloorScored') {
      const when = tiling + 5 * rowMs()
      for (const piece of pieces(`[data-at^="o${event.seat}-"]`)) fades.push({ ...piece, after: when })
      gain(event.seat, event.points, `[data-at="o${event.seat}-0"]`, when)
    } else if (event.type === 'BonusScored') {
      gain(event.seat, event.points, `[data-score="${event.seat}"]`, after + rowMs() / 2)
    } else if (event.type === 'FactoryFilled') {
      arrivals.push({ at: `[data-at="f${event.factory}"]`, after: (after += counts.length ? 2 * STAGGER_MS : STAGGER_MS) })
    }
  }
  return { flights, rises, fades, counts, arrivals }
}
