// Events and views of Azul in words.
import { maybe, signed, t } from '../../lib/i18n.svelte'
import type { Azul, EntryView, TableView } from '../../protocol.gen'
import type { Item, Ledger, NameOf, Round, Section } from '../game'
import { translated, type IllegalMove } from '../illegal'

export type Event = Azul.Event

export const COLOURS = 'byrkw'
export const FLOOR = [1, 1, 2, 2, 2, 3, 3]

export function viewOf(table: TableView): Azul.View {
  return table.view as Azul.View
}

export function eventsOf(entries: EntryView[]): Event[] {
  return entries.flatMap((entry) => entry.events as Event[])
}

export function colour(letter: string): string {
  return letter === 'm' ? t('azul.marker') : maybe(`azul.colour.${letter}`, letter)
}

export function many(count: number, letter: string): string {
  return `${count} × ${colour(letter)}`
}

export function sourceName(source: number | null): string {
  return source === null ? t('azul.centre') : t('azul.factory', { n: source + 1 })
}

/** Return the runs of a tile (AZ22): "3 across + 2 down". */
export function runs(placed: { across: number; down: number }): string {
  const parts = []
  if (placed.across > 1) parts.push(t('azul.across', { n: placed.across }))
  if (placed.down > 1) parts.push(t('azul.down', { n: placed.down }))
  return parts.length ? parts.join(' + ') : t('azul.alone')
}

function placed(event: Azul.TilePlaced): string {
  return t('azul.item.placed', { tile: colour(event.colour), row: event.row + 1, runs: runs(event) })
}

/** Return the sentences of some events; what the reader took and laid is one sentence. */
export function sentences(events: Event[], name: NameOf, reader: number | null): string[] {
  const taken = events.find((event) => event.type === 'TilesTaken' && event.seat === reader) as Azul.TilesTaken | undefined
  if (!taken) return events.map((event) => narrate(event, name, reader)).filter(Boolean)
  const laid = events.find((event) => event.type === 'TilesLaid')
  const fell = laid ? undefined : events.find((event) => event.type === 'TilesFell')
  const target = laid ? t('azul.text.line', { n: laid.line + 1 }) : t('azul.text.floor')
  const took = t('azul.taken.you', { n: taken.count, colour: colour(taken.colour), source: sourceName(taken.source), target })
  const rest = events.filter((event) => event !== laid && event !== fell)
  return rest.map((event) => (event === taken ? took : narrate(event, name, reader))).filter(Boolean)
}

function narrate(event: Event, name: NameOf, reader: number | null): string {
  switch (event.type) {
    case 'RoundStarted':
      return t(event.start === reader ? 'azul.round_started.you' : 'azul.round_started', { n: event.round, who: name(event.start) })
    case 'LidPoured':
      return t('azul.lid_poured', { n: event.tiles })
    case 'TilesTaken':
      return t('azul.taken', {
        who: name(event.seat),
        tiles: many(event.count, event.colour),
        source: sourceName(event.source),
      })
    case 'MarkerTaken':
      return t('azul.marker_taken')
    case 'TilesLaid':
      return t('azul.laid', { n: event.spaces.length, line: event.line + 1 })
    case 'TilesFell':
      return t(event.rule === 'AZ32' ? 'azul.line_dropped' : 'azul.fell', { n: event.spaces.length + event.lid })
    case 'DraftingEnded':
      return t('azul.tiling', { n: event.round })
    case 'TilePlaced':
      return `${name(event.seat)}: ${placed(event)} ${signed(event.points)}.`
    case 'FloorScored':
      return event.points ? t('azul.floor_scored', { who: name(event.seat), n: signed(event.points) }) : ''
    case 'BonusScored':
      return `${name(event.seat)}: ${bonus(event)}.`
    case 'GameEnded':
      return t(`azul.ended.${event.rule}`)
    case 'StartDecided': // part of the next round's sentence
    case 'FactoryFilled':
      return ''
  }
}

function bonus(event: Azul.BonusScored): string {
  return `${t(`azul.bonus.${event.kind}`, { n: event.count })}: ${event.count} × ${event.each} = ${signed(event.points)}`
}

function item(event: Event): { seat: number; item: Item } | null {
  switch (event.type) {
    case 'TilePlaced': {
      const { seat, points, rule, colour: tile } = event
      return { seat, item: { text: placed(event), points, rule, head: 'tiles', tile } }
    }
    case 'FloorScored': {
      const sum = event.costs.map((cost) => `−${Math.abs(cost)}`).join(' ')
      const full = event.costs.reduce((total, cost) => total + Math.abs(cost), 0)
      const clamp = full > -event.points ? ` ${t('azul.clamp')}` : ''
      return { seat: event.seat, item: { text: `${t('azul.ledger.floor')} ${sum}${clamp}`, points: event.points, rule: event.rule, head: 'floor' } }
    }
    case 'BonusScored':
      return { seat: event.seat, item: { text: bonus(event), points: event.points, rule: event.rule, head: event.kind } }
    default:
      return null
  }
}

export function rounds(entries: EntryView[]): Round[] {
  const found: Round[] = []
  let open: Round | null = null
  for (const event of eventsOf(entries)) {
    if (event.type === 'DraftingEnded') {
      open = { title: t('azul.round', { n: event.round }), seats: [] }
      found.push(open)
    }
    const scored = item(event)
    if (!scored || !open) continue
    let row = open.seats.find((one) => one.seat === scored.seat)
    if (!row) open.seats.push((row = { seat: scored.seat, items: [], total: 0 }))
    if (scored.item.points || scored.item.tile || (event.type === 'FloorScored' && event.costs.length)) row.items.push(scored.item)
    row.total += scored.item.points
  }
  for (const round of found) round.seats.sort((one, other) => one.seat - other.seat)
  return found
}

const KINDS = ['tiles', 'floor', 'row', 'column', 'colour'] as const

export function ledger(entries: EntryView[], seats: number, { end }: TableView): Ledger {
  const rows = Array.from({ length: seats }, () => KINDS.map(() => 0))
  for (const event of eventsOf(entries)) {
    const scored = item(event)
    if (!scored) continue
    rows[scored.seat]![KINDS.indexOf(scored.item.head as (typeof KINDS)[number])]! += scored.item.points
  }
  return { columns: KINDS.map((head) => ({ head, label: t(`azul.ledger.${head}`) })), rows, note: end?.scores.length ? tie(end.scores, end.places) : '' }
}

/** AZ52: return how equal highest scores were decided. */
function tie(scores: number[], places: number[]): string {
  const highest = Math.max(...scores)
  if (scores.filter((score) => score === highest).length < 2) return ''
  return places.filter((place) => place === 1).length > 1 ? t('azul.shared') : t('azul.more_rows')
}

export function describe(table: TableView, name: NameOf): Section[] {
  const view = viewOf(table)
  const heap = (tiles: string): string => heaps(tiles).map(([letter, n]) => many(n, letter)).join(', ') || t('azul.empty')
  const offer = view.factories.map((tiles, factory) => `${t('azul.text.factory', { n: factory + 1 })}: ${heap(tiles)}`)
  return [
    { title: t('azul.text.offer'), lines: [...offer, `${t('azul.text.centre')} (c): ${heap(view.centre)}`] },
    ...view.boards.map((board, seat) => ({
      title: `${name(seat)}: ${t('points', { n: board.score })}`,
      lines: [
        ...board.lines.map((_, line) => `${lineName(board, line)}. ${wallName(board, line, view.config.wall)}.`),
        `${t('azul.text.floor')}: ${board.floor ? Array.from(board.floor, colour).join(', ') : t('azul.empty')}`,
      ],
    })),
  ]
}

/** Return a pattern line in words. */
export function lineName(board: Azul.Board, line: number): string {
  const tiles = board.lines[line]!
  const filled = tiles ? t('azul.text.filled', { n: tiles.length, size: line + 1, colour: colour(tiles[0]!) }) : t('azul.text.free', { n: line + 1 })
  return `${t('azul.text.line', { n: line + 1 })}: ${filled}`
}

/** Return a row of the wall in words: which colours are laid, and which are missing. */
export function wallName(board: Azul.Board, row: number, wall: Azul.Config['wall']): string {
  const tiles = board.wall[row]!
  const named = (letter: string): string => (wall === 'grey' ? t('azul.wall.column', { colour: colour(letter), n: tiles.indexOf(letter) + 1 }) : colour(letter))
  const laid = Array.from(tiles.replaceAll('.', ''), named)
  const missing = Array.from(COLOURS).filter((letter) => !tiles.includes(letter))
  const state = !laid.length ? t('azul.wall.none') : !missing.length ? t('azul.wall.full') : t('azul.wall.some', { laid: laid.join(', '), missing: missing.map(colour).join(', ') })
  return `${t('azul.text.row', { n: row + 1 })}: ${state}`
}

/** Return the marker and each colour with its count. */
export function heaps(tiles: string): [string, number][] {
  return Array.from(`m${COLOURS}`, (letter): [string, number] => [letter, tiles.split(letter).length - 1]).filter(([, n]) => n)
}

export function moveText(move: string): string {
  if (move.startsWith('t')) return t('azul.move.place', { line: move[1]!, column: move[2]! })
  const source = move[0] === 'c' ? null : Number(move[0]) - 1
  const target = move[2] === '-' ? t('azul.text.floor') : t('azul.text.line', { n: move[2]! })
  return `${colour(move[1]!)}, ${sourceName(source)} → ${target}`
}

/** Return why a move is not allowed. */
export function illegalText({ reason, blanks, message }: IllegalMove): string {
  return maybe(`azul.no.${reason}`, message, translated(blanks, colour))
}
