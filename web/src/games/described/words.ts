// A game that describes its board, in its own words: texts come with the game, events are named by their type.
import { maybe, signed, t, type Blanks } from '../../lib/i18n.svelte'
import type { EntryView, Piece, Space, TableView, Words } from '../../protocol.gen'
import type { Item, Ledger, NameOf, NarrationStyle, Round, Section } from '../game'
import type { IllegalMove } from '../illegal'

/** An event of any game; most have a seat, those that score have points. */
interface Event {
  type: string
  seat?: number
  points?: number
  rule?: string
  [field: string]: unknown
}

const LETTERS: Record<string, string> = { blue: 'B', yellow: 'Y', red: 'R', black: 'K', white: 'W', turquoise: 'T', green: 'G', violet: 'V' }

/** Return a text of a game; its key if there is none. */
export function say(title: string, words: Words, name: NameOf): string {
  const { seat } = words.blanks
  const blanks = typeof seat === 'number' ? { ...words.blanks, seat: name(seat) } : words.blanks
  return maybe(`${title}.${words.key}`, words.key, blanks)
}

export function pieceName(title: string, piece: Piece, name: NameOf): string {
  if (piece.is_hidden) return t('described.hidden')
  return piece.name ? say(title, piece.name, name) : piece.shape === 'domino' ? piece.text.split('').join('–') : piece.text || LETTERS[piece.colour]!
}

/** Return a space in words: what it is called, and what lies there. */
export function spaceName(title: string, space: Space, name: NameOf): string {
  const lies = space.piece ? pieceName(title, space.piece, name) : t('described.free')
  return space.name ? `${say(title, space.name, name)}: ${lies}` : lies
}

/** Return what happened; a text for the reader, or one for viewers from whom something is hidden, is preferred. */
export function narrate(title: string, entry: EntryView, name: NameOf, { reader }: NarrationStyle = {}): string[] {
  return (entry.events as Event[]).map((event) => sentence(title, event, name, reader)).filter(Boolean)
}

function sentence(title: string, event: Event, name: NameOf, reader?: number | null): string {
  const hidden = Object.values(event).includes(null) ? '.hidden' : ''
  const yours = event.seat !== undefined && event.seat === reader ? '.you' : ''
  const blanks = { ...event, seat: event.seat === undefined ? '' : name(event.seat) } as unknown as Blanks
  return maybe(`${title}.${event.type}${hidden || yours}`, maybe(`${title}.${event.type}`, '', blanks), blanks)
}

function scored(entries: EntryView[]): Event[] {
  return entries.flatMap((entry) => entry.events as Event[]).filter((event) => event.seat !== undefined && !!event.points)
}

const headOf = (title: string, type: string): string => maybe(`${title}.${type}.points`, type)

/** Return all scoring of the game as one round: a game may have none. */
export function rounds(title: string, entries: EntryView[]): Round[] {
  const events = scored(entries)
  const item = (event: Event): Item => ({ text: headOf(title, event.type), points: event.points!, rule: event.rule ?? '', head: event.type })
  const seats = [...new Set(events.map((event) => event.seat!))].sort((one, other) => one - other)
  const rows = seats.map((seat) => events.filter((event) => event.seat === seat).map(item)).map((items, i) => ({ seat: seats[i]!, items, total: items.reduce((sum, { points }) => sum + points, 0) }))
  return [{ title: maybe(`game.${title}`, title), seats: rows }]
}

export function ledger(title: string, entries: EntryView[], seats: number): Ledger {
  const events = scored(entries)
  const types = [...new Set(events.map((event) => event.type))]
  const sum = (seat: number, type: string): number => events.filter((event) => event.seat === seat && event.type === type).reduce((sum, { points }) => sum + points!, 0)
  return { columns: types.map((head) => ({ head, label: headOf(title, head) })), rows: Array.from({ length: seats }, (_, seat) => types.map((type) => sum(seat, type))) }
}

/** Return the whole table in words: what belongs to everybody, then each player. */
export function describe(title: string, { board, seats }: TableView, name: NameOf): Section[] {
  if (!board) return []
  const lines = (seat: number | null): string[] => board.zones.filter((zone) => zone.seat === seat).map((zone) => `${say(title, zone.name, name)}: ${contents(zone)}.`)
  const contents = (zone: (typeof board.zones)[number]): string => {
    if (zone.type === 'stack') return `${zone.count}${zone.top ? `, ${pieceName(title, zone.top, name)}` : ''}`
    const laid = zone.spaces.flatMap((space) => (space?.piece ? [spaceName(title, space, name)] : []))
    return laid.join(', ') || t('described.nothing')
  }
  const shared = [...board.facts.map((words) => say(title, words, name)), ...lines(null)]
  const players = seats.map((_, seat) => ({ title: `${name(seat)}: ${t('points', { n: board.scores[seat] ?? 0 })}`, lines: lines(seat) }))
  return [...(shared.length ? [{ title: t('text.table'), lines: shared }] : []), ...players]
}

/** Return a move in words where it can be made now; in notation elsewhere. */
export function moveText(title: string, move: string, table: TableView | undefined): string {
  const choice = table?.choices[table.moves.indexOf(move)]
  return choice ? say(title, choice.words, (seat) => String(seat + 1)) : move
}

export function illegalText(title: string, { reason, message, blanks }: IllegalMove): string {
  const said = maybe(`${title}.illegal.${reason}`, message, blanks)
  return said && `${said[0]!.toUpperCase()}${said.slice(1)}${/[.!?]$/.test(said) ? '' : '.'}`
}

export const worth = (points: number): string => t('described.worth', { n: signed(points) })
