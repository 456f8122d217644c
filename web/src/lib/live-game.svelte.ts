// A game in progress: the state shown, updates waiting to be shown, and pending requests.
import type { Command, EntriesView, EntryView, ErrorReply, FromServer, Handover, HintView, Presence, PreviewReply, Said, SeatView, TableView, Update } from '../protocol.gen'
import { ApiError, fetchJson } from './api'
import { Company } from './company.svelte'
import { t } from './i18n.svelte'
import { forgetNumber, storeCommitment, ownNumber, pledge } from './dice'
import type { GameModel, Animator, Hint } from './game'
import { settings, reducedMotion } from './settings.svelte'
import { HereLink } from '../local/link'
import { Connection } from './socket'
import { skip } from './motion'
import { chime } from './sound'
import { isLocal, type Handlers, type Link, type LinkState } from './transport'

const DWELL_MS = { calm: 700, brisk: 300 }
/** Whoever waited less for their turn is looking at the table, and needs no chime. */
const CHIME_AFTER_MS = 4_000
/** How long what somebody says stands beside their name. */
const SPOKEN_MS = 7_000
const MOST_SAID = 20

export class LiveGame implements GameModel {
  readonly live = true
  shown = $state.raw<TableView | null>(null)
  entries = $state.raw<EntryView[]>([])
  /** The entries of the current update. */
  latest = $state.raw<EntryView[]>([])
  link = $state<LinkState>('connecting')
  pending = $state<{ key: string; move: string; number: number; stored: boolean } | null>(null)
  error = $state.raw<ErrorReply | null>(null)
  previewReply = $state.raw<PreviewReply | null>(null)
  behind = $state(0)
  /** The coach's move, drawn on the board until the table changes. */
  hint = $state.raw<(Hint & { preview: unknown }) | null>(null)
  /** The person to whom the screen must be passed, at a device that people share. */
  curtain = $state<number | null>(null)
  now = $state(performance.now())
  /** What players said lately, the latest last. */
  said = $state.raw<(Said & { at: number })[]>([])
  readonly company: Company | null

  animator: Animator | null = null
  private readonly connection: Link
  private queue: Update[] = []
  private timer = 0
  private known = 0
  private waitingSince = performance.now()
  private at = 0
  private awayAt = 0
  private readonly ticking: number
  private readonly dice = new Map<string, string>()
  private readonly previews = new Map<string, PreviewReply>()

  constructor(readonly id: string) {
    this.connection = connect(id, {
      receive: (message) => this.receive(message),
      state: (state) => (this.link = state),
      lastEntry: () => this.known,
      handover: (message) => this.handover(message),
    })
    this.company = this.here ? null : new Company(id)
    this.ticking = window.setInterval(() => (this.now = performance.now()), 500)
  }

  close(): void {
    clearTimeout(this.timer)
    clearInterval(this.ticking)
    this.connection.close()
  }

  // State

  get seat(): number | null {
    return this.shown?.seat ?? null
  }

  get myTurn(): boolean {
    return this.seat !== null && !this.pending && !!this.shown?.moves.length
  }

  get seatView(): SeatView | null {
    return this.seat === null ? null : (this.shown?.seats[this.seat] ?? null)
  }

  /** Return the seconds on a seat's clock; null without clocks. */
  seconds(seat: number): number | null {
    const table = this.shown
    const left = table?.seats[seat]?.seconds
    if (table === null || left === null || left === undefined) return null
    const runs = table.status === 'playing' && table.movers.includes(seat)
    return Math.max(0, runs ? left - (this.now - this.at) / 1000 : left)
  }

  /** Return for how many seconds a player has been away; null if they are here, or it does not matter. */
  away(seat: number): number | null {
    const seconds = this.shown?.seats[seat]?.away ?? null
    return seconds === null ? null : seconds + Math.max(0, this.now - this.awayAt) / 1000
  }

  /** Return what a player is saying now, unless the reader has muted them. */
  words(seat: number): string {
    const last = this.said.findLast((one) => one.seat === seat)
    return last && this.now - last.at < SPOKEN_MS && !this.company?.isMuted(seat) ? t(`phrase.${last.phrase}`) : ''
  }

  // Requests

  say(phrase: Said['phrase']): void {
    this.connection.say({ type: 'say', phrase })
  }


  play(move: string): void {
    if (!this.shown || this.pending) return
    this.error = null
    this.hint = null
    const { number } = this.shown
    const key = this.connection.request({ type: 'play', number, move })
    this.pending = { key, move, number, stored: false }
  }

  request(action: Command['action']): void {
    this.error = null
    this.connection.request({ type: 'command', action })
  }

  /** Ask the coach for a move; an old answer is dropped. */
  async askHint(): Promise<void> {
    this.error = null
    try {
      const { number, move, preview } = await fetchJson<HintView>('POST', `/api/games/${this.id}/hint`)
      if (number === this.shown?.number && this.seat !== null) this.hint = { seat: this.seat, move, preview }
    } catch (exc) {
      if (exc instanceof ApiError) this.error = { type: 'error', key: '', rule: exc.rule, message: exc.message }
    }
  }

  /** Whether this game is at this device, without a server. */
  get here(): boolean {
    return isLocal(`/api/games/${this.id}`)
  }

  /** Open the curtain for the person who has the screen now. */
  sit(seat: number): void {
    this.connection.sit?.(seat)
  }

  /** Request the preview of a move; the answer arrives in `previewReply`. */
  requestPreview(move: string): void {
    const kept = this.previews.get(move)
    if (kept) this.previewReply = kept
    else this.connection.ask({ type: 'preview', move })
  }

  /** Skip to the latest update. */
  catchUp(): void {
    skip()
    clearTimeout(this.timer)
    this.timer = 0
    if (!this.queue.length) return
    const updates = this.queue.splice(0)
    this.show({ ...updates.at(-1)!, entries: updates.flatMap(({ entries }) => entries) }, 'at once')
  }

  // Messages from the server

  private receive(message: FromServer): void {
    switch (message.type) {
      case 'update':
        return this.update(message)
      case 'ack':
        this.acknowledge(message.key)
        return
      case 'error':
        return this.reject(message)
      case 'preview':
        this.previews.set(message.move, message)
        this.previewReply = message
        return
      case 'presence':
        return this.setPresence(message)
      case 'said':
        this.said = [...this.said, { ...message, at: performance.now() }].slice(-MOST_SAID)
        this.now = performance.now()
        return
      case 'pong':
        return
    }
  }

  /** Close or open the curtain; what the last person saw is forgotten if some of it is hidden from the next. */
  private handover({ to, hidden }: Handover): void {
    if (hidden) {
      clearTimeout(this.timer)
      this.timer = 0
      this.queue = []
      this.behind = 0
      this.shown = null
      this.entries = []
      this.latest = []
      this.pending = null
      this.previews.clear()
      this.previewReply = null
    }
    this.curtain = to
  }

  private update(update: Update): void {
    if (update.table.number - 1 < this.known) return
    const first = this.shown === null
    this.known = update.table.number - 1
    this.throwDice(update.table)
    const own = update.entries.every((entry) => entry.seat === update.table.seat)
    const calm = first || own || update.entries.length !== 1 || document.hidden || reducedMotion()
    if (first) void this.loadHistory(update)
    if (calm && !this.timer && !this.queue.length) {
      const busy = this.show(update, first ? 'at once' : 'animated')
      if (busy > DWELL_MS[settings.speed]) this.timer = window.setTimeout(() => this.showNext(), busy)
      return
    }
    this.queue.push(update)
    this.behind = this.queue.length
    if (!this.timer) this.showNext()
  }

  /** Load the entries before the first update, so that log and ledger are complete. */
  private async loadHistory(update: Update): Promise<void> {
    const before = update.entries[0]?.number ?? update.table.number
    const older: EntryView[] = []
    for (let next: number | null = before > 1 ? 1 : null; next !== null; ) {
      const path: string = `/api/games/${this.id}/entries?from=${next}&before=${before}`
      const page: EntriesView | null = await fetchJson<EntriesView>('GET', path).catch(() => null)
      if (!page) return
      older.push(...page.entries)
      next = page.next
    }
    if (older.length) this.entries = [...older, ...this.entries]
  }

  private showNext(): void {
    const update = this.queue.shift()
    this.behind = this.queue.length
    if (!update) {
      this.timer = 0
      return
    }
    const busy = this.show(update, 'animated')
    this.timer = window.setTimeout(() => this.showNext(), Math.max(busy, DWELL_MS[settings.speed]))
  }

  /** Show an update; return how long its animation takes, in milliseconds. */
  private show(update: Update, how: 'animated' | 'at once'): number {
    const before = this.shown
    const apply = (): void => {
      this.behind = this.queue.length
      this.at = performance.now()
      this.awayAt = this.at
      this.latest = update.entries
      this.entries = merge(this.entries, update.entries)
      if (before?.number !== update.table.number) this.previews.clear()
      this.shown = update.table
      this.hint = null
      const own = update.entries.some((entry) => entry.seat === update.table.seat)
      if (this.pending && (own || (this.pending.stored && update.table.number > this.pending.number))) this.pending = null
    }
    let busy = 0
    if (how === 'animated' && this.animator && !document.hidden) busy = this.animator(update.entries, apply) ?? 0
    else apply()
    this.chimeAfterWaiting(before, update.table)
    return busy
  }

  /** Chime when it becomes the reader's turn, if they have waited for it. */
  private chimeAfterWaiting(before: TableView | null, { moves }: TableView): void {
    if (moves.length && !before?.moves.length && performance.now() - this.waitingSince > CHIME_AFTER_MS) chime()
    if (!moves.length && before?.moves.length !== 0) this.waitingSince = performance.now()
  }

  private acknowledge(key: string): void {
    for (const [what, sent] of this.dice) if (sent === key) this.dice.set(what, 'done')
    if (this.pending?.key === key) this.pending.stored = true
  }

  private reject(error: ErrorReply): void {
    const dice = [...this.dice].find(([, key]) => key === error.key)
    if (dice) {
      if (error.rule === 'match') this.request('start')
      return
    }
    const { pending } = this
    if (pending?.key === error.key) {
      this.pending = null
      if (error.rule === 'stale' && this.retry(pending.move)) return
    }
    this.error = error
  }

  /** Resend a move that another player's simultaneous move made stale; return whether it is still legal. */
  private retry(move: string): boolean {
    this.catchUp()
    const table = this.shown
    if (!table || !table.moves.includes(move) || table.number - 1 < this.known) return false
    this.play(move)
    return true
  }

  private setPresence({ present, spectators, away }: Presence): void {
    const apply = (table: TableView): TableView => ({
      ...table,
      spectators,
      seats: table.seats.map((occupant, seat) => ({ ...occupant, present: occupant.is_bot || present.includes(seat), away: away[seat] ?? null })),
    })
    this.awayAt = this.now = performance.now()
    if (this.shown) this.shown = apply(this.shown)
    this.queue = this.queue.map((update) => ({ ...update, table: apply(update.table) }))
  }

  // Fair dice: commit to a number, and reveal it once everyone has committed

  private throwDice(table: TableView): void {
    if (table.status === 'open') {
      this.dice.clear()
      if (table.seat !== null) forgetNumber(table.id, table.seat)
    }
    if (table.status !== 'dice' || table.seat === null) return
    storeCommitment(table.id, table.commitment)
    const occupant = table.seats[table.seat]!
    const ready = table.seats.every((other) => other.is_bot || other.pledged)
    if (!occupant.pledged) void this.pledge(table.id, table.seat)
    else if (ready && !occupant.revealed) this.reveal(table.id, table.seat)
  }

  private async pledge(game: string, seat: number): Promise<void> {
    if (this.dice.has('pledge')) return
    this.dice.set('pledge', 'soon')
    const promised = await pledge(game, seat, ownNumber(game, seat))
    this.dice.set('pledge', this.connection.request({ type: 'pledge', pledge: promised }))
  }

  private reveal(game: string, seat: number): void {
    if (this.dice.has('reveal')) return
    this.dice.set('reveal', this.connection.request({ type: 'reveal', number: ownNumber(game, seat) }))
  }
}

function connect(id: string, handlers: Handlers): Link {
  if (isLocal(`/api/games/${id}`)) return new HereLink(id, handlers)
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
  return new Connection(`${scheme}://${location.host}/api/games/${id}/socket`, handlers)
}

function merge(old: EntryView[], more: EntryView[]): EntryView[] {
  const last = old.at(-1)?.number ?? -1
  const fresh = more.filter((entry) => entry.number > last)
  return fresh.length ? [...old, ...fresh] : old
}
