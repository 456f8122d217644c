// The people at a table: who they are, how the reader stands to them, the score of their series, and who is muted.
import type { TablePeople } from '../protocol.gen'
import { fetchJson } from './api'

const KEY = 'tessella.muted'
const MOST_MUTED = 200

interface Muted {
  everybody: boolean
  people: string[]
}

function read(): Muted {
  try {
    return { everybody: false, people: [], ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Muted>) }
  } catch {
    return { everybody: false, people: [] }
  }
}

/** Who is muted, stored in this browser only. */
export const muted: Muted = $state(read())

function keep(): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(muted))
  } catch {
    // Without storage, it lasts as long as the page.
  }
}

export function muteEverybody(wanted: boolean): void {
  muted.everybody = wanted
  keep()
}

export class Company {
  seen = $state.raw<TablePeople>({ seats: [], games: 0, wins: [] })

  constructor(readonly id: string) {}

  async load(): Promise<void> {
    this.seen = await fetchJson<TablePeople>('GET', `/api/games/${this.id}/people`).catch(() => this.seen)
  }

  personAt(seat: number): string {
    return this.seen.seats[seat]?.id ?? ''
  }

  isMuted(seat: number): boolean {
    return muted.everybody || muted.people.includes(this.personAt(seat)) || !!this.seen.seats[seat]?.blocks
  }

  mute(seat: number, wanted: boolean): void {
    const person = this.personAt(seat)
    const others = muted.people.filter((one) => one !== person)
    muted.people = wanted && person ? [...others, person].slice(-MOST_MUTED) : others
    keep()
  }

  /** Return the games that each seat has won in this series, with those of a finished game; empty without a series. */
  score(places: readonly number[]): number[] {
    if (!this.seen.wins.length) return []
    const winners = places.filter((place) => place === 1).length
    return this.seen.wins.map((wins, seat) => wins + (places[seat] === 1 ? 1 / winners : 0))
  }
}

/** Return a number of games won as text; a tie is half a win. */
export function winsAsText(wins: number): string {
  const whole = Math.floor(wins + 0.01)
  const rest = wins - whole
  if (rest < 0.1) return String(whole)
  const part = rest < 0.3 ? '¼' : rest < 0.42 ? '⅓' : rest < 0.6 ? '½' : '⅔'
  return `${whole || ''}${part}`
}
