// What the table needs to know of a game in order to show it. Rules are not among it: those are the server's.
import type { Component, Snippet } from 'svelte'
import type { Scene } from '../lib/scene'
import { need, type Part } from '../lib/words.svelte'
import type { Film, TableSeen } from '../wire'

export type NameOf = (seat: number) => string

/** One thing that brought or cost points. */
export interface Item {
  text: string
  points: number
  rule: string
  /** The column of the ledger that it is part of. */
  head: string
  tile?: string
}

/** What a round brought each seat. */
export interface Round {
  title: string
  seats: { seat: number; items: Item[]; total: number }[]
}

export interface Ledger {
  columns: { head: string; label: string }[]
  /** One row a seat, one number a column. */
  rows: number[][]
  /** What one must know to read it: who wins, and how a tie was broken. */
  note?: string
}

export interface Section {
  title: string
  lines: string[]
}

export interface Game {
  /** Draws the view and composes a move; on a wide screen it has room for something more at its side. */
  Board: Component<{ table: Scene; aside?: Snippet }>
  /** The fewest points win. */
  fewest?: true
  /** Small facts for the header: the round and the like. */
  facts(table: TableSeen): { label: string; short: string }[]
  score(table: TableSeen, seat: number): number
  /** What happened, in sentences; in short, without the scoring, which has its own place. */
  tell(film: Film, name: NameOf, how?: 'short'): string[]
  rounds(films: Film[]): Round[]
  /** What the score now is made of, where that is not the sum of the rounds. */
  account?(films: Film[], table: TableSeen): Round[]
  ledger(films: Film[], seats: number, table: TableSeen): Ledger
  /** The whole table in words. */
  describe(table: TableSeen, name: NameOf): Section[]
  /** A move in words. */
  say(move: string): string
  /** What a move would do, where that is more than its points. */
  foretell?(preview: unknown): string
  /** How moves are written. */
  help(): string
}

/** Where each game's client is; a game is offered when it is here. */
export const CLIENTS: Record<string, () => Promise<{ game: Game }>> = {
  azul: () => import('./azul'),
  duel: () => import('./duel'),
  blockers: () => import('./blockers'),
}

/** The client of a game and its words. */
export async function clientOf(title: string): Promise<Game> {
  const client = CLIENTS[title]
  if (!client) throw new Error(`no client for ${title}`)
  const [{ game }] = await Promise.all([client(), need(title as Part)])
  return game
}

/** How many can play, for the forms; the server checks it. */
export const SEATS: Record<string, number[]> = { azul: [2, 3, 4], duel: [2], blockers: [2, 3, 4, 5] }
