// One table as this browser knows it: what is shown, what waits to be shown, and what we have asked for.
import type { ChairSeen, Film, FilmsSeen, Foreseen, FromServer, Refusal, Step, TableSeen, Wish } from '../wire'
import { ask } from './api'
import { forgetNumber, notePromise, ownNumber, pledge } from './dice'
import type { Scene, Stage } from './scene'
import { settings, still } from './settings.svelte'
import { Connection, type Line } from './socket'
import { chime } from './sound'

const DWELL = { calm: 700, brisk: 300 }

export class Table implements Scene {
  readonly live = true
  shown = $state.raw<TableSeen | null>(null)
  films = $state.raw<Film[]>([])
  /** The films of the step that is shown now. */
  latest = $state.raw<Film[]>([])
  line = $state<Line>('connecting')
  pending = $state<{ key: string; move: string; number: number; stored: boolean } | null>(null)
  refusal = $state.raw<Refusal | null>(null)
  foreseen = $state.raw<Foreseen | null>(null)
  behind = $state(0)
  now = $state(performance.now())

  stage: Stage | null = null
  private readonly connection: Connection
  private queue: Step[] = []
  private timer = 0
  private known = 0
  private at = 0
  private readonly ticking: number
  private readonly dice = new Map<string, string>()
  private readonly foresights = new Map<string, Foreseen>()

  constructor(readonly id: string) {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
    this.connection = new Connection(`${scheme}://${location.host}/api/games/${id}/socket`, {
      hear: (message) => this.hear(message),
      line: (line) => (this.line = line),
      have: () => this.known,
    })
    this.ticking = window.setInterval(() => (this.now = performance.now()), 500)
  }

  close(): void {
    clearTimeout(this.timer)
    clearInterval(this.ticking)
    this.connection.close()
  }

  // What the table says of itself

  get seat(): number | null {
    return this.shown?.seat ?? null
  }

  get myTurn(): boolean {
    return this.seat !== null && !this.pending && !!this.shown?.moves.length
  }

  get chair(): ChairSeen | null {
    return this.seat === null ? null : (this.shown?.chairs[this.seat] ?? null)
  }

  /** Seconds on the clock of a seat now, or null without clocks. */
  seconds(seat: number): number | null {
    const table = this.shown
    const left = table?.chairs[seat]?.seconds
    if (table === null || left === null || left === undefined) return null
    const runs = table.status === 'playing' && table.movers.includes(seat)
    return Math.max(0, runs ? left - (this.now - this.at) / 1000 : left)
  }

  // Wishes

  play(move: string): void {
    if (!this.shown || this.pending) return
    this.refusal = null
    const { number } = this.shown
    const key = this.connection.wish({ type: 'play', number, move })
    this.pending = { key, move, number, stored: false }
  }

  wish(what: Wish['what']): void {
    this.refusal = null
    this.connection.wish({ type: 'wish', what })
  }

  /** Ask what a move would do; the answer comes as `foreseen`. */
  foresee(move: string): void {
    const kept = this.foresights.get(move)
    if (kept) this.foreseen = kept
    else this.connection.ask({ type: 'foresee', move })
  }

  /** Show the latest at once. */
  hurry(): void {
    if (!this.queue.length) return
    clearTimeout(this.timer)
    this.timer = 0
    const steps = this.queue.splice(0)
    this.show({ ...steps.at(-1)!, film: steps.flatMap((step) => step.film) }, 'at once')
  }

  // What the server says

  private hear(message: FromServer): void {
    switch (message.type) {
      case 'step':
        return this.step(message)
      case 'ack':
        this.settle(message.key)
        return
      case 'refusal':
        return this.refuse(message)
      case 'foreseen':
        this.foresights.set(message.move, message)
        this.foreseen = message
        return
      case 'present':
        return this.present(message.seats, message.spectators)
      case 'pong':
        return
    }
  }

  private step(step: Step): void {
    if (step.table.number - 1 < this.known) return
    const first = this.shown === null
    this.known = step.table.number - 1
    this.throwDice(step.table)
    const own = step.film.every((film) => film.seat === step.table.seat)
    const calm = first || own || step.film.length !== 1 || document.hidden || still()
    if (first) void this.remember(step)
    if (calm && !this.queue.length) return this.show(step, first ? 'at once' : 'staged')
    this.queue.push(step)
    this.behind = this.queue.length
    if (!this.timer) this.pump()
  }

  /** The server remembers the latest entries only: ask once for those before, so that story and ledger are whole. */
  private async remember(step: Step): Promise<void> {
    const before = step.film[0]?.number ?? step.table.number
    const older: Film[] = []
    for (let next: number | null = before > 1 ? 1 : null; next !== null; ) {
      const path: string = `/api/games/${this.id}/films?from=${next}&before=${before}`
      const page: FilmsSeen | null = await ask<FilmsSeen>('GET', path).catch(() => null)
      if (!page) return
      older.push(...page.films)
      next = page.next
    }
    if (older.length) this.films = [...older, ...this.films]
  }

  private pump(): void {
    const step = this.queue.shift()
    this.behind = this.queue.length
    if (!step) {
      this.timer = 0
      return
    }
    this.show(step, 'staged')
    this.timer = window.setTimeout(() => this.pump(), DWELL[settings.speed])
  }

  private show(step: Step, how: 'staged' | 'at once'): void {
    const before = this.shown
    const apply = (): void => {
      this.behind = this.queue.length
      this.at = performance.now()
      this.latest = step.film
      this.films = merge(this.films, step.film)
      if (before?.number !== step.table.number) this.foresights.clear()
      this.shown = step.table
      const own = step.film.some((film) => film.seat === step.table.seat)
      if (this.pending && (own || (this.pending.stored && step.table.number > this.pending.number))) this.pending = null
    }
    if (how === 'staged' && this.stage && !document.hidden) this.stage(step.film, apply)
    else apply()
    if (step.table.moves.length && !before?.moves.length) chime()
  }

  private settle(key: string): void {
    for (const [what, sent] of this.dice) if (sent === key) this.dice.set(what, 'done')
    if (this.pending?.key === key) this.pending.stored = true
  }

  private refuse(refusal: Refusal): void {
    const dice = [...this.dice].find(([, key]) => key === refusal.key)
    if (dice) {
      if (refusal.rule === 'match') this.wish('start')
      return
    }
    const { pending } = this
    if (pending?.key === refusal.key) {
      this.pending = null
      if (refusal.rule === 'stale' && this.playAgain(pending.move)) return
    }
    this.refusal = refusal
  }

  /** Where several may move at once, another's move is no reason to choose again. */
  private playAgain(move: string): boolean {
    this.hurry()
    const table = this.shown
    if (!table || !table.moves.includes(move) || table.number - 1 < this.known) return false
    this.play(move)
    return true
  }

  private present(seats: number[], spectators: number): void {
    const update = (table: TableSeen): TableSeen => ({
      ...table,
      spectators,
      chairs: table.chairs.map((chair, seat) => ({ ...chair, present: chair.is_bot || seats.includes(seat) })),
    })
    if (this.shown) this.shown = update(this.shown)
    this.queue = this.queue.map((step) => ({ ...step, table: update(step.table) }))
  }

  // Fair dice: promise a number, and show it when everybody has promised

  private throwDice(table: TableSeen): void {
    if (table.status === 'open') {
      this.dice.clear()
      if (table.seat !== null) forgetNumber(table.id, table.seat)
    }
    if (table.status !== 'dice' || table.seat === null) return
    notePromise(table.id, table.commitment)
    const chair = table.chairs[table.seat]!
    const ready = table.chairs.every((other) => other.is_bot || other.pledged)
    if (!chair.pledged) void this.pledge(table.id, table.seat)
    else if (ready && !chair.revealed) this.reveal(table.id, table.seat)
  }

  private async pledge(game: string, seat: number): Promise<void> {
    if (this.dice.has('pledge')) return
    this.dice.set('pledge', 'soon')
    const promised = await pledge(game, seat, ownNumber(game, seat))
    this.dice.set('pledge', this.connection.wish({ type: 'pledge', pledge: promised }))
  }

  private reveal(game: string, seat: number): void {
    if (this.dice.has('reveal')) return
    this.dice.set('reveal', this.connection.wish({ type: 'reveal', number: ownNumber(game, seat) }))
  }
}

function merge(old: Film[], more: Film[]): Film[] {
  const last = old.at(-1)?.number ?? -1
  const fresh = more.filter((film) => film.number > last)
  return fresh.length ? [...old, ...fresh] : old
}
