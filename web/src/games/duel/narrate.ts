// Events and views of Azul Duel in words.
import { language, maybe, signed, t } from '../../lib/i18n.svelte'
import { nameAt } from '../../table/names'
import type { Duel, EntryView, TableView } from '../../protocol.gen'
import type { Item, Ledger, NameOf, Round, Section } from '../game'
import { translated, type IllegalMove } from '../illegal'
import { counts, points, PRICES, type Face } from './faces'
import { coloursOf, EMPTY, FACE_DOWN, heaps, isStuck, JOKER, printed, SIX, SPECIAL, START_SCORE } from './pieces'
import { isPlate, isTake } from './moves'

export type Event = Duel.Event

export function viewOf(table: TableView): Duel.View {
  return table.view as Duel.View
}

export function eventsOf(entries: EntryView[]): Event[] {
  return entries.flatMap((entry) => entry.events as Event[])
}

// Names

export function colour(letter: string): string {
  return maybe(`duel.colour.${letter}`, letter)
}

export function many(count: number, letter: string): string {
  return `${count} × ${colour(letter)}`
}

export function chipName(chip: string): string {
  return chip === FACE_DOWN ? t('duel.chip.down') : Array.from(coloursOf(chip), colour).join('/')
}

function chipNames(chips: string): string {
  return Array.from(chips, chipName).join(', ')
}

function spaceName(space: string): string {
  if (space === SPECIAL) return t('duel.space.special')
  return space === JOKER ? t('duel.space.joker') : colour(space)
}

/** Return the spaces of a plate row by row; if it lies face down, its kind. */
export function plateName(plate: string): string {
  if (plate.length === 1) return t(plate === SPECIAL ? 'duel.back.special' : 'duel.back.joker')
  return Array.from(plate, spaceName).join(', ')
}

export function sourceName(source: string): string {
  if (source === 'm') return t('duel.from.moons')
  return source === '0' ? t('duel.from.large') : t('duel.from.sun', { n: source })
}

export function factoryName(number: number): string {
  return number ? t('duel.factory', { n: number }) : t('duel.large')
}

export function targetName(line: string): string {
  return line === '-' ? t('duel.broken_space') : t('duel.line', { n: line })
}

/** Return the runs of a tile (DU33): "3 across + 2 down". */
function runs(placed: { across: number; down: number }): string {
  const parts = []
  if (placed.across > 1) parts.push(t('duel.across', { n: placed.across }))
  if (placed.down > 1) parts.push(t('duel.down', { n: placed.down }))
  return parts.length ? parts.join(' + ') : t('duel.alone')
}

// Events

/** Return the sentences of some events; what the reader took and laid is one sentence. */
export function sentences(events: Event[], name: NameOf, reader: number | null): string[] {
  const taken = events.find((event) => (event.type === 'SunTaken' || event.type === 'MoonsTaken') && event.seat === reader) as Duel.SunTaken | Duel.MoonsTaken | undefined
  if (!taken) return events.map((event) => narrate(event, name, reader)).filter(Boolean)
  const laid = events.find((event) => event.type === 'TilesLaid')
  const rest = events.filter((event) => event !== laid)
  return rest.map((event) => (event === taken ? youTook(taken, laid?.line) : narrate(event, name, reader))).filter(Boolean)
}

function youTook(taken: Duel.SunTaken | Duel.MoonsTaken, line: number | undefined): string {
  const n = taken.type === 'SunTaken' ? taken.count : taken.counts.reduce((sum, count) => sum + count)
  const source = sourceName(taken.type === 'SunTaken' ? String(taken.factory) : 'm')
  return t('duel.taken.you', { n, colour: colour(taken.colour), source, target: targetName(line === undefined ? '-' : String(line + 1)) })
}

function narrate(event: Event, name: NameOf, reader: number | null): string {
  switch (event.type) {
    case 'StackShuffled':
      return t('duel.shuffled', { who: name(event.start), other: name(1 - event.start) })
    case 'PlatesOpened':
      return event.plates.length ? t('duel.opened', { n: event.plates.length }) : ''
    case 'RoundStarted':
      return t(event.start === reader ? 'duel.round_started.you' : 'duel.round_started', { n: event.round, who: name(event.start) })
    case 'TowerPoured':
      return t(`duel.poured.${event.rule}`, { n: event.tiles })
    case 'StartDecided': // part of the next round's sentence
    case 'FactoryFilled':
      return ''
    case 'ChipRevealed':
      return t('duel.revealed', { factory: event.factory, chip: chipName(event.chip) })
    case 'Passed':
      return t(event.seat === reader ? 'duel.passes.you' : 'duel.passes', { who: name(event.seat) })
    case 'AcquiringEnded':
      return t('duel.tiling', { n: event.round })
    case 'GameEnded':
      return new Set(event.scores).size > 1 ? '' : t('duel.tied', { who: name(event.places.indexOf(1)) })
    case 'TokenPlaced':
    case 'PlateDrawn':
    case 'PlatesSeen':
    case 'PlatePlaced':
    case 'PlateReturned':
      return narratePlate(event, name(event.seat), event.seat === reader)
    case 'SunTaken':
    case 'TilesStacked':
    case 'MoonsTaken':
    case 'StartTileTaken':
    case 'ChipTaken':
    case 'TilesLaid':
    case 'TilesBroke':
      return narrateTiles(event, name(event.seat), event.seat === reader)
    case 'ChipsPaid':
    case 'TilePlaced':
    case 'SpecialPlaced':
    case 'BrokenScored':
    case 'FaceScored':
    case 'ScoreRaised':
      return `${name(event.seat)}: ${scored(event)}${'points' in event ? ` ${signed(event.points)}` : ''}.`
  }
}

type OfPlates = Duel.TokenPlaced | Duel.PlateDrawn | Duel.PlatesSeen | Duel.PlatePlaced | Duel.PlateReturned

function narratePlate(event: OfPlates, who: string, you: boolean): string {
  switch (event.type) {
    case 'TokenPlaced':
      return ''
    case 'PlateDrawn':
      return `${drew(event.kind, who, you)} ${event.points ? signed(event.points) : `0 ${t('duel.clamp')}`}.`
    case 'PlatesSeen':
      return t(you ? 'duel.looks.you' : 'duel.looks', { who, n: event.plates.length })
    case 'PlatePlaced':
      return laidPlate(event, who, you)
    case 'PlateReturned':
      return t(you ? 'duel.returns.you' : 'duel.returns', { who, plate: plateName(event.plate) })
  }
}

function drew(kind: string, who: string, you: boolean): string {
  if (kind === SPECIAL) return t(you ? 'duel.draws.special.you' : 'duel.draws.special', { who })
  return t(you ? 'duel.draws.joker.you' : 'duel.draws.joker', { who })
}

function laidPlate(event: Duel.PlatePlaced, who: string, you: boolean): string {
  const blanks = { who, slot: event.slot + 1, plate: plateName(event.plate) }
  if (event.drawn) return t(you ? 'duel.keeps.you' : 'duel.keeps', blanks)
  return t(you ? 'duel.lays.you' : 'duel.lays', blanks)
}

type OfTiles = Duel.SunTaken | Duel.TilesStacked | Duel.MoonsTaken | Duel.StartTileTaken | Duel.ChipTaken | Duel.TilesLaid | Duel.TilesBroke

function narrateTiles(event: OfTiles, who: string, you: boolean): string {
  switch (event.type) {
    case 'SunTaken':
      return t('duel.taken', { who, tiles: many(event.count, event.colour), source: sourceName(String(event.factory)) })
    case 'MoonsTaken':
      return t('duel.taken', { who, tiles: many(event.counts.reduce((sum, n) => sum + n), event.colour), source: sourceName('m') })
    case 'TilesStacked':
      return t('duel.stacked', { factory: event.factory, tiles: Array.from(event.tiles, colour).join(', ') })
    case 'StartTileTaken':
      return t('duel.will_start')
    case 'ChipTaken':
      return t(you ? 'duel.chip_taken.you' : 'duel.chip_taken', { who, chip: chipName(event.chip) })
    case 'TilesLaid':
      return t('duel.laid', { n: event.spaces.length, line: event.line + 1 })
    case 'TilesBroke': {
      const parts = event.rule === 'DU32' ? [t('duel.stuck', { who, colour: colour(event.colour) })] : []
      if (event.spaces.length) parts.push(t('duel.broke', { n: event.spaces.length }))
      if (event.tower) parts.push(t('duel.spilt', { n: event.tower }))
      return parts.join(' ')
    }
  }
}

// Points

type Scoring = Duel.ChipsPaid | Duel.TilePlaced | Duel.SpecialPlaced | Duel.BrokenScored | Duel.FaceScored | Duel.ScoreRaised

function scored(event: Scoring): string {
  switch (event.type) {
    case 'ChipsPaid':
      return t('duel.paid', { line: event.row + 1, chips: chipNames(event.chips) })
    case 'TilePlaced':
      return t('duel.placed', { tile: colour(event.colour), row: event.row + 1, column: event.column + 1, runs: runs(event) })
    case 'SpecialPlaced':
      return t('duel.special', { row: event.row + 1, column: event.column + 1 })
    case 'BrokenScored':
      return costs(event)
    case 'FaceScored':
      return `${t(`duel.counted.${event.face}`, { n: event.count })}: ${event.count} × ${event.each < 0 ? signed(event.each) : event.each} =`
    case 'ScoreRaised':
      return t('duel.raised')
  }
}

function costs(event: Duel.BrokenScored): string {
  const parts = []
  if (event.tiles) parts.push(t('duel.broken_cost', { n: event.tiles.length, cost: event.cost }))
  if (event.start_tile_cost) parts.push(t('duel.start_tile_cost', { cost: event.start_tile_cost }))
  const clamp = event.cost + event.start_tile_cost > -event.points ? ` ${t('duel.clamp')}` : ''
  return `${parts.join(', ')}${clamp}`
}

const KINDS = ['start', 'plates', 'tiles', 'specials', 'broken'] as const
const FACES = Object.keys(PRICES) as Face[]

/** Return the scoring item of an event and its seat; null if it scores nothing. */
function entry(event: Event): { seat: number; item: Item } | null {
  switch (event.type) {
    case 'PlatePlaced':
      if (event.rule !== 'DU12') return null
      return { seat: event.seat, item: { text: t('duel.ledger.start'), points: START_SCORE, rule: 'DU06', head: 'start' } }
    case 'PlateDrawn':
      return { seat: event.seat, item: { text: t('duel.item.drawn'), points: event.points, rule: event.rule, head: 'plates' } }
    case 'TilePlaced':
      return { seat: event.seat, item: { text: scored(event), points: event.points, rule: event.rule, tile: event.colour, head: 'tiles' } }
    case 'SpecialPlaced':
      return { seat: event.seat, item: { text: scored(event), points: event.points, rule: event.rule, head: 'specials' } }
    case 'BrokenScored':
      return { seat: event.seat, item: { text: scored(event), points: event.points, rule: event.rule, head: 'broken' } }
    case 'FaceScored':
      return { seat: event.seat, item: { text: scored(event).replace(/ =$/, ''), points: event.points, rule: event.rule, head: event.face } }
    case 'ScoreRaised':
      return { seat: event.seat, item: { text: scored(event), points: event.points, rule: event.rule, head: 'raised' } }
    default:
      return null
  }
}

/** Return the rounds whose domes are tiled; the cost of plates drawn before belongs to them. */
export function rounds(entries: EntryView[]): Round[] {
  const found: Round[] = []
  let drawn: Round = { title: '', seats: [] }
  for (const event of eventsOf(entries)) {
    if (event.type === 'RoundStarted') drawn = { title: t('duel.round', { n: event.round }), seats: [] }
    if (event.type === 'AcquiringEnded') found.push({ ...drawn, title: t('duel.round', { n: event.round }) })
    const one = entry(event)
    if (!one || one.item.head === 'start') continue
    if (one.item.head in PRICES && found.at(-1)?.title !== t('duel.final')) found.push({ title: t('duel.final'), seats: [] })
    add(one.item.head === 'plates' ? drawn : found.at(-1), one.seat, one.item)
  }
  for (const round of found) round.seats.sort((one, other) => one.seat - other.seat)
  return found
}

function add(round: Round | undefined, seat: number, item: Item): void {
  if (!round) return
  let row = round.seats.find((one) => one.seat === seat)
  if (!row) round.seats.push((row = { seat, items: [], total: 0 }))
  if (item.points || item.tile) row.items.push(item)
  row.total += item.points
}

export function ledger(entries: EntryView[], seats: number, table: TableView): Ledger {
  const lines = eventsOf(entries).map(entry).filter((one) => one !== null)
  const scored = new Set(lines.map((one) => one.item.head))
  const heads = [...KINDS, ...[...FACES, 'raised'].filter((head) => scored.has(head))]
  const rows = Array.from({ length: seats }, () => heads.map(() => 0))
  for (const { seat, item } of lines) rows[seat]![heads.indexOf(item.head)]! += item.points
  return { columns: heads.map((head) => ({ head, label: maybe(`duel.ledger.${head}`, maybe(`duel.face.${head}`, head)) })), rows, note: tie(table) }
}

/** DU58: return how a tie was decided, by the start tile. */
function tie(table: TableView): string {
  const { end } = table
  return end && new Set(end.scores).size === 1 ? t('duel.tied', { who: nameAt(table, end.places.indexOf(1)) }) : ''
}

// The table

export function describe(table: TableView, name: NameOf): Section[] {
  const view = viewOf(table)
  return [
    { title: t('duel.text.offer'), lines: offered(view) },
    { title: t('duel.text.plates'), lines: plates(view, name) },
    { title: t('duel.faces'), lines: view.config.faces.map((face) => faceLine(view, face, name)) },
    ...view.boards.map((board, seat) => ({
      title: `${name(seat)}: ${t('points', { n: board.score })}`,
      lines: [...SIX.map((row) => rowLine(board, row)), ...belongings(view, seat), ...(acquires(table) ? [dueName(view, seat)] : [])],
    })),
  ]
}

const none = (): string => t('duel.empty')

export function heapName(tiles: string): string {
  return heaps(tiles).map(([letter, n]) => many(n, letter)).join(', ') || none()
}

/** Return the moon of a factory; a small one as its stack from the top, with its chip. */
export function moonName(view: Duel.View, number: number): string {
  const { moon, chip } = view.factories[number]!
  if (number === 0) return view.holder === null ? `${heapName(moon)}, ${t('duel.start_tile')}` : heapName(moon)
  const stack = moon ? t('duel.from_top', { tiles: Array.from(moon).reverse().map(colour).join(', ') }) : none()
  return chip ? `${stack}; ${t('duel.chip')}: ${chipName(chip)}` : stack
}

function offered(view: Duel.View): string[] {
  return view.factories.map((factory, number) => {
    return `${factoryName(number)} (${number}). ${t('duel.sun')}: ${heapName(factory.sun)}. ${t('duel.moon')}: ${moonName(view, number)}.`
  })
}

function plates(view: Duel.View, name: NameOf): string[] {
  const written = (plate: string): string => (plate.length === 1 ? t(plate === SPECIAL ? 'duel.kind.special' : 'duel.kind.joker') : `${plate} (${plateName(plate)})`)
  const lines = view.open.map((plate) => `${t('duel.open')}: ${written(plate)}`)
  lines.push(`${t('duel.stack', { n: view.stack.length })}: ${view.stack.map((back) => written(back.face)).join('; ') || none()}`)
  if (view.hand.length) lines.push(`${t('duel.drawn', { who: name(view.current), n: view.hand.length })}: ${view.hand.map((back) => written(back.face)).join('; ')}`)
  if (view.lost.length) lines.push(`${t('duel.lost')} ${view.lost.map(written).join('; ')}`)
  return lines
}

function faceLine(view: Duel.View, face: Face, name: NameOf): string {
  const seats = view.boards.map((board, seat) => {
    return `${name(seat)} ${counts(face, board, view.config).join(' + ')} (${signed(points(face, board, view.config))})`
  })
  return `${t(`duel.face.${face}`)}, ${t('duel.each', { n: PRICES[face].map(signed).join(' / ') })}: ${seats.join(', ')}`
}

export function lineName(board: Duel.Board, row: number): string {
  const tiles = board.lines[row]!
  const filled = `${t('duel.line', { n: row + 1 })}: ${tiles ? `${colour(tiles[0]!)} ` : ''}${tiles.length}/${row + 1}`
  return isStuck(board, row) ? `${filled}, ${t('duel.line_stuck')}` : filled
}

export function spaceText(board: Duel.Board, row: number, column: number): string {
  const tile = board.tiles[row]![column]!
  if (tile === SPECIAL) return t('duel.tile.special')
  if (tile !== EMPTY) return t('duel.tile', { colour: colour(tile) })
  const space = printed(board, row, column)
  return space ? t('duel.free', { space: spaceName(space) }) : t('duel.no_plate')
}

function rowLine(board: Duel.Board, row: number): string {
  return `${lineName(board, row)}; ${t('duel.dome')}: ${domeRow(board, row)}`
}

/** Return a row of the dome in words: what is laid, what is free, and where no plate lies. */
function domeRow(board: Duel.Board, row: number): string {
  const tile = (column: number): string => board.tiles[row]![column]!
  const named = (what: string, column: number): string => t('duel.row.space', { what, n: column + 1 })
  const laid = SIX.filter((column) => tile(column) !== EMPTY)
  const [free, none] = [true, false].map((plate) => SIX.filter((column) => tile(column) === EMPTY && !!printed(board, row, column) === plate)) as [number[], number[]]
  const parts = []
  if (laid.length) parts.push(t('duel.row.laid', { spaces: laid.map((column) => named(tile(column) === SPECIAL ? t('duel.tile.special') : colour(tile(column)), column)).join(', ') }))
  if (free.length) parts.push(t('duel.row.free', { spaces: free.map((column) => named(spaceName(printed(board, row, column)), column)).join(', ') }))
  if (none.length) parts.push(t('duel.row.none', { spaces: t('duel.row.columns', { n: none.length, columns: none.map((column) => column + 1).join(', ') }) }))
  return parts.join('; ')
}

export function brokenName(board: Duel.Board): string {
  return `${t('duel.broken')}: ${board.broken ? heapName(board.broken) : none()}`
}

function belongings(view: Duel.View, seat: number): string[] {
  const board = view.boards[seat]!
  return [
    `${brokenName(board)}${view.holder === seat ? `, ${t('duel.start_tile')}` : ''}`,
    `${t('duel.chips')}: ${board.chips ? Array.from(board.chips, (chip) => `${chip} (${chipName(chip)})`).join(', ') : none()}`,
  ]
}

/** Return whether plates and chips can still be taken this round. */
export function acquires(table: TableView): boolean {
  return table.status !== 'over' && viewOf(table).phase !== 'tile'
}

/** Return what a player still has to do this round (DU21, DU26). */
export function dueName(view: Duel.View, seat: number): string {
  return t('duel.due', { plates: Math.max(0, view.tokens[seat]!), chips: Math.max(0, view.chips_due[seat]!) })
}

// Moves

/** Return what can be taken now: only what is there. */
export function takeable(moves: string[]): string {
  const kinds: [string, (move: string) => boolean][] = [
    [t('duel.take.chip'), (move) => move.startsWith('c')],
    [t('duel.take.plate'), isPlate],
    [t('duel.take.draw'), (move) => move === 'd+'],
    [t('duel.take.sun'), (move) => isTake(move) && !move.startsWith('m')],
    [t('duel.take.moons'), (move) => isTake(move) && move.startsWith('m')],
  ]
  const there = kinds.filter(([, is]) => moves.some(is)).map(([name]) => name)
  return new Intl.ListFormat(language(), { type: 'disjunction' }).format(there)
}

export function moveText(move: string): string {
  if (isTake(move)) return `${colour(move[1]!)}, ${sourceName(move[0]!)} → ${targetName(move[2]!)}`
  if (isPlate(move)) return t('duel.move.plate', { plate: plateName(move.slice(1)), slot: move[0]! })
  switch (move[0]) {
    case 's':
      return t('duel.move.stack', { tiles: Array.from(move.slice(1), colour).join(', ') })
    case 'c':
      return t('duel.move.chip', { n: move[1]! })
    case 'd':
      return t(move === 'd+' ? 'duel.move.draw' : 'duel.move.look')
    case 'u':
      return t('duel.move.under', { plate: plateName(move.slice(1)) })
    case 't':
      return t('duel.move.place', { line: move[1]!, column: move[2]! })
    default:
      return move.endsWith('-') ? t('duel.move.leave', { line: move[1]! }) : t('duel.move.pay', { line: move[1]!, chips: chipNames(move.slice(2)) })
  }
}

/** Return why a move is not allowed. */
export function illegalText({ reason, blanks, message }: IllegalMove): string {
  return maybe(`duel.no.${reason}`, message, translated(blanks, colour))
}
