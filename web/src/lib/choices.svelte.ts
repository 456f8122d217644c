// What a player last chose for each game, kept in this browser: the next game begins with one click.
import { facesOf, type Scoring } from '../games/duel/options'
import { isInstalled, SEATS } from '../games/registry.svelte'

export const PACES = { none: {}, quick: { bank: 300, increment: 5 }, live: { bank: 900, increment: 10 }, days: { days: 3 } }

export interface Choices {
  level: string
  rivals: number
  people: number
  bots: number
  /** The level of each bot at a table with friends; `level` until one is chosen. */
  botLevels: string[]
  pace: keyof typeof PACES
  listed: 'no' | 'yes'
  rated: 'no' | 'yes'
  wall: string
  faces: Scoring
  scoring: string
}

const KEY = 'tessella.choices'
/** A first game is against the level that knows the rules and little more. */
const FIRST: Choices = { level: '1', rivals: 1, people: 2, bots: 0, botLevels: [], pace: 'none', listed: 'no', rated: 'no', wall: 'coloured', faces: 'first', scoring: 'blockers' }

function read(): Record<string, Partial<Choices>> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, Partial<Choices>>
  } catch {
    return {}
  }
}

/** A game that another package brings has the generic bots. */
const FIRST_INSTALLED: Choices = { ...FIRST, level: 'greedy' }

const kept = read()
const all: Record<string, Choices> = {}

export const choicesFor = (title: string): Choices => (all[title] ??= begin(title))

function begin(title: string): Choices {
  const choices = $state({ ...(isInstalled(title) ? FIRST_INSTALLED : FIRST), ...kept[title] })
  return choices
}

export function keepChoices(): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...kept, ...all }))
  } catch {
    // Without storage, choices last as long as the page.
  }
}

/** Return the options of a game as tables read them. */
export function optionsFor(title: string): Record<string, string> {
  const { wall, faces, scoring } = choicesFor(title)
  if (isInstalled(title)) return {}
  if (title === 'azul') return { wall }
  if (title === 'duel') return { faces: facesOf(faces) }
  return { scoring }
}

/** Return the whole numbers from one to another, for rows of choices. */
export const count = (from: number, to: number): number[] => Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i)

export const mostSeats = (title: string): number => Math.max(...SEATS[title]!)
