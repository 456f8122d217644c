// What the check of a record reads and returns, and what it needs from each game.

/** Return the next random number of a deal, from 0 to n − 1. */
export type Below = (n: number) => Promise<number>

/** Tracks the pieces of one game: where they lie decides what can be drawn. */
export interface Follower {
  /** Return the next deal as a record writes it, without the star. */
  deal(below: Below): Promise<string>
  play(move: string): void
}

export interface Pledged {
  seat: number
  pledge: string
  number: string
}

export interface Facts {
  rules: string
  game: string
  id: string
  /** The game that this one began in the middle of, and where; empty if it began by itself. */
  branch: string
  commitment: string
  pledges: Pledged[]
  acts: string[]
  seed: string
  seal: string
}

export interface Checked {
  facts: Facts
  /** Whether the seed matches the server's commitment. */
  commitment: boolean
  /** Whether each player's number matches its pledge. */
  pledges: { seat: number; good: boolean }[]
  deals: number
  /** The number of correct deals before the first mismatch. */
  good: number
  /** The first act that does not match, if there is one. */
  mismatch: { act: number; written: string; expected: string } | null
  /** Whether the acts match the seal. */
  seal: boolean
  fair: boolean
}
