// What every game provides to be shown: a board, sentences and scores. The rules stay on the server.
import type { Component, Snippet } from 'svelte'
import type { GameModel } from '../lib/game'
import type { EntryView, TableView } from '../protocol.gen'
import type { IllegalMove } from './illegal'

export type NameOf = (seat: number) => string

export interface NarrationStyle {
  /** The seat of the reader, who is addressed as "you". */
  reader?: number | null
  /** Leave out the scoring, which has its own place. */
  short?: boolean
}

/** One thing that scored or cost points. */
export interface Item {
  text: string
  points: number
  rule: string
  /** The column of the ledger it belongs to. */
  head: string
  tile?: string
}

/** The scoring of one round by seat. */
export interface Round {
  title: string
  seats: { seat: number; items: Item[]; total: number }[]
}

export interface Ledger {
  columns: { head: string; label: string }[]
  /** One row per seat, one number per column. */
  rows: number[][]
  /** How to read it: who wins, and how a tie was broken. */
  note?: string
}

export interface Section {
  title: string
  lines: string[]
}

/** What a newcomer is told about a part of the table. */
export interface Mark {
  /** Where it is: a selector. */
  at: string
  /** Whether the mark lies on the part itself, because what is above it matters more. */
  inside: boolean
  text: string
}

export interface Game {
  /** Draws the view and composes moves; on a wide screen it can show something at its side. */
  Board: Component<{ model: GameModel; aside?: Snippet }>
  /** The lowest score wins. */
  fewest?: true
  /** Return small facts for the header, such as the round. */
  facts(table: TableView): { label: string; short: string }[]
  score(table: TableView, seat: number): number
  /** Return what happened, in sentences. */
  narrate(entry: EntryView, name: NameOf, style?: NarrationStyle): string[]
  rounds(entries: EntryView[]): Round[]
  /** Return the items of the current score, where it is not the sum of the rounds. */
  breakdown?(entries: EntryView[], table: TableView): Round[]
  ledger(entries: EntryView[], seats: number, table: TableView): Ledger
  /** Return the whole table in words. */
  describe(table: TableView, name: NameOf): Section[]
  /** Return a move in words; the table is the one at which it can be made, where that is known. */
  moveText(move: string, table?: TableView): string
  /** Return a preview in words, where it is more than points. */
  previewText?(preview: unknown): string
  /** Return what to do at a first table, step by step. */
  marks(): Mark[]
  /** Return why a move is not allowed. */
  illegalText(answer: IllegalMove): string
  /** Return how moves are written. */
  help(): string
}
