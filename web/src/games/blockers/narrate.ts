// Events and views of Blockers! in words.
import { maybe, t } from '../../lib/i18n.svelte'
import type { Blockers, EntryView, TableView } from '../../protocol.gen'
import type { Ledger, NameOf, Round, Section } from '../game'
import { translated, type IllegalMove } from '../illegal'
import { cellName, COLOURS, readMove, SIZE, SYMBOLS, tilesOf, WILD } from './pieces'

export type Event = Blockers.Event

/** The number of plays per colour (BL16). */
const PLAYS = 24

export function viewOf(table: TableView): Blockers.View {
  return table.view as Blockers.View
}

export function eventsOf(entries: EntryView[]): Event[] {
  return entries.flatMap((entry) => entry.events as Event[])
}

// Tiles

export function colourName(letter: string): string {
  return maybe(`blockers.colour.${letter}`, letter)
}

export function faceName(face: string): string {
  return maybe(`blockers.face.${face}`, face)
}

export function tileName(colour: string, face: string): string {
  return t('blockers.tile', { colour: colourName(colour), face: faceName(face) })
}

function tileNames(colour: string, faces: string): string {
  return Array.from(faces, (face) => tileName(colour, face)).join(', ')
}

/** Return where a tile can be placed, in words (BL10). */
export function home(face: string): string {
  if (face === WILD) return t('blockers.anywhere')
  if (SYMBOLS.includes(face)) return t('blockers.home.block', { symbol: faceName(face) })
  return /\d/.test(face) ? t('blockers.home.column', { n: face }) : t('blockers.home.row', { n: face })
}

/** Return the captured tiles by colour. */
export function heaps(tally: Blockers.Tally): { colour: string; count: number; counts: boolean }[] {
  const all = tally.captured.map((count, i) => ({ colour: COLOURS[i]!, count, counts: COLOURS[i] === tally.counted }))
  return all.filter(({ count }) => count)
}

// Points: the lowest score wins

export function counted(tally: Blockers.Tally): number {
  return tally.score - tally.groups.length
}

/** Return the terms of a score (BL21): "4 groups + 2 captured (red)". */
export function terms(tally: Blockers.Tally): string {
  const groups = t('blockers.groups', { n: tally.groups.length })
  if (!tally.counted) return groups
  return `${groups} + ${t('blockers.counted', { n: counted(tally), colour: colourName(tally.counted) })}`
}

export function sum(tally: Blockers.Tally): string {
  return `${terms(tally)} = ${tally.score}`
}

/** Return a score in figures: "4 + 2 = 6". */
export function figures(tally: Blockers.Tally): string {
  return tally.counted ? `${tally.groups.length} + ${counted(tally)} = ${tally.score}` : String(tally.score)
}

export function scoreRule(config: Blockers.Config): Blockers.SeatScored['rule'] {
  if (config.scoring === 'uptown') return 'BL23'
  return config.seats === 2 ? 'BL33' : 'BL21'
}

// Events

export function narrate(event: Event, name: NameOf, reader: number | null = null): string {
  const you = 'seat' in event && event.seat === reader
  switch (event.type) {
    case 'StartDrawn':
      return t(you ? 'blockers.starts.you' : 'blockers.starts', { who: name(event.seat) })
    case 'TilesDrawn':
      return event.tiles ? t(you ? 'blockers.draws.you' : 'blockers.draws', { who: name(event.seat), tiles: tileNames(event.colour, event.tiles) }) : ''
    case 'LastRoundStarted':
      return t('blockers.last_round')
    case 'TileCaptured':
      return t(you ? 'blockers.taken.you' : 'blockers.taken', { who: name(event.seat), tile: tileName(event.colour, event.face) })
    case 'TilePlaced':
      return placed(event, name(event.seat), you)
    case 'TilePutAside':
      return t(you ? 'blockers.puts_aside.you' : 'blockers.puts_aside', { who: name(event.seat), tile: tileName(event.colour, event.face) })
    case 'RackShown':
      return kept(event, name(event.seat), you)
    case 'SeatScored':
      return `${name(event.seat)}: ${sum(event.tally)}.`
    case 'GameEnded':
      return [t(`blockers.ended.${event.rule}`), tie(event.scores, event.places)].filter(Boolean).join(' ')
  }
}

/** Return a placement with the groups it joined: 3 + 2 + 1 = 6. */
function placed(event: Blockers.TilePlaced, who: string, you: boolean): string {
  const what = t(you ? 'blockers.placed.you' : 'blockers.placed', { who, tile: tileName(event.colour, event.face), cell: cellName(event.cell) })
  if (!event.joined.length) return `${what} ${t('blockers.alone')}`
  return `${what} ${t('blockers.joins', { sum: [...event.joined, 1].join(' + '), size: event.group })}`
}

function kept(event: Blockers.RackShown, who: string, you: boolean): string {
  const blanks = { who, colour: colourName(event.colour), tiles: tileNames(event.colour, event.rack) }
  if (event.rule === 'BL32') return t(you ? 'blockers.finished.you' : 'blockers.finished', blanks)
  return t(you ? 'blockers.keeps.you' : 'blockers.keeps', blanks)
}

/** BL22: return how a tie for the lowest score was broken, or that it was not. */
function tie(scores: number[], places: number[]): string {
  const lowest = Math.min(...scores)
  if (scores.filter((score) => score === lowest).length < 2) return ''
  return places.filter((place) => place === 1).length > 1 ? t('blockers.shared') : t('blockers.fewer_captures')
}

// Scoring

export function rounds(entries: EntryView[]): Round[] {
  const scored = eventsOf(entries).filter((event) => event.type === 'SeatScored')
  if (!scored.length) return []
  return [{ title: t('blockers.end'), seats: scored.map(({ seat, tally, rule }) => ({ seat, items: items(tally, rule), total: tally.score })) }]
}

/** Return the items of the current score. */
export function breakdown(_entries: EntryView[], table: TableView): Round[] {
  const { tallies, config } = viewOf(table)
  const rule = scoreRule(config)
  return [{ title: aim(config), seats: tallies.map((tally, seat) => ({ seat, items: items(tally, rule), total: tally.score })) }]
}

export function items(tally: Blockers.Tally, rule: string): Round['seats'][number]['items'] {
  const groups = { text: groupSizes(tally), points: tally.groups.length, rule, head: 'groups' }
  const captures = heaps(tally).map(({ colour, count, counts }) => ({
    text: t(counts ? 'blockers.heap.counts' : 'blockers.heap.not', { n: count, colour: colourName(colour) }),
    points: counts ? count : 0,
    rule,
    head: 'captures',
  }))
  return [groups, ...captures]
}

/** Return the sizes of the groups: "3 groups: 5, 2, 1". */
export function groupSizes(tally: Blockers.Tally): string {
  const groups = t('blockers.groups', { n: tally.groups.length })
  return tally.groups.length ? `${groups}: ${tally.groups.join(', ')}` : groups
}

export function ledger(_entries: EntryView[], _seats: number, table: TableView): Ledger {
  const { tallies, config } = viewOf(table)
  const { end } = table
  const heads = config.scoring === 'uptown' ? (['groups'] as const) : (['groups', 'captures'] as const)
  return {
    columns: heads.map((head) => ({ head, label: t(`blockers.ledger.${head}`) })),
    rows: tallies.map((tally) => [tally.groups.length, counted(tally)].slice(0, heads.length)),
    note: [`${aim(config)}.`, end?.scores.length ? tie(end.scores, end.places) : ''].filter(Boolean).join(' '),
  }
}

// The table

export function aim(config: Blockers.Config): string {
  return t(`blockers.aim.${config.scoring}`)
}

/** Return the current round: every player plays once per round. */
export function roundOf(view: Blockers.View): { n: number; total: number } {
  const { seats } = view.config
  const total = (PLAYS * view.hands.length) / seats
  const played = view.hands.reduce((all, hand) => all + hand.played, 0)
  return { n: Math.min(Math.floor(played / seats) + 1, total), total }
}

/** BL20: return whether all supplies are empty, so that everyone plays once more. Two players finish colour by colour instead. */
export function isLast(view: Blockers.View): boolean {
  return view.config.seats > 2 && view.start !== null && view.hands.every((hand) => !hand.supply)
}

export function describe(table: TableView, name: NameOf): Section[] {
  const view = viewOf(table)
  return [
    { title: t('blockers.board'), lines: [t('blockers.blocks', { symbols: Array.from(SYMBOLS, faceName).join(', ') }), ...rows(view.board)] },
    ...view.tallies.map((tally, seat) => ({
      title: `${name(seat)}: ${t('points', { n: tally.score })}`,
      lines: [`${sum(tally)}. ${aim(view.config)}.`, groupSizes(tally), ...view.hands.filter((hand) => hand.owner === seat).flatMap(hand), captured(view.captured[seat]!)],
    })),
  ]
}

function rows({ colours, faces }: Blockers.Board): string[] {
  return Array.from({ length: SIZE }, (_, row) => {
    const cells = Array.from({ length: SIZE }, (_, column) => row * SIZE + column)
    const tiles = cells.filter((cell) => colours[cell] !== '.').map((cell) => `${cellName(cell)} ${tileName(colours[cell]!, faces[cell]!)}`)
    return `${t('blockers.home.row', { n: cellName(row * SIZE)[0]! })}: ${tiles.join(', ') || t('blockers.empty')}`
  })
}

function hand({ colour, rack, held, supply, aside }: Blockers.Hand): string[] {
  const tiles = rack === null ? '' : `: ${tileNames(colour, rack) || t('blockers.empty')}`
  const put = aside ? [`${t('blockers.aside')}: ${tileNames(colour, aside)}`] : []
  return [`${colourName(colour)}, ${t('blockers.to_come', { held, supply })}${tiles}`, ...put]
}

function captured(heap: string): string {
  return `${t('blockers.captured')}: ${tilesOf(heap).map(({ colour, face }) => tileName(colour, face)).join(', ') || t('blockers.none')}`
}

export function moveText(move: string): string {
  const { tile, cell, captures } = readMove(move)
  const named = tile.length > 1 ? tileName(tile[0]!, tile[1]!) : faceName(tile)
  if (cell === null) return t('blockers.say.aside', { tile: named })
  return t(captures ? 'blockers.say.capture' : 'blockers.say.place', { tile: named, cell: cellName(cell) })
}

/** Return what a move captures, and groups and score before and after. */
export function previewText({ cell, captures, before, after }: Blockers.Preview): string {
  if (cell === null) return t('blockers.will_put_aside')
  const taken = captures ? t('blockers.will_capture', { colour: colourName(captures) }) : ''
  const groups = t('blockers.will_group', { before: before.groups.length, after: after.groups.length })
  return `${taken} ${groups} ${t('blockers.will_score', { before: figures(before), after: figures(after) })}`.trim()
}

/** Return why a move is not allowed. */
export function illegalText({ reason, blanks, message }: IllegalMove): string {
  const words = translated(blanks, colourName)
  if ('home' in words) words.home = home(String(blanks.face))
  return maybe(`blockers.no.${reason}`, message, words)
}
