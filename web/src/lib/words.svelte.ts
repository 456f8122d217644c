// What the client says, in the reader's language. {n} chooses between one and other.
// The words of a page or a game are a part of their own, which is loaded with it.
import type azul from '../words/en/azul.json'
import type blockers from '../words/en/blockers.json'
import type common from '../words/en/common.json'
import type duel from '../words/en/duel.json'
import type people from '../words/en/people.json'
import type puzzles from '../words/en/puzzles.json'
import type replay from '../words/en/replay.json'
import type review from '../words/en/review.json'
import type rules from '../words/en/rules.json'
import type { Language } from './settings.svelte'

type All = typeof common & typeof azul & typeof duel & typeof blockers & typeof replay & typeof review & typeof puzzles & typeof rules & typeof people
export type Part = 'common' | 'azul' | 'duel' | 'blockers' | 'replay' | 'review' | 'puzzles' | 'rules' | 'people'
export type Key = keyof All
export type Blanks = Record<string, string | number>
type Pair = { one: string; other: string }
export type Catalogue = Record<string, string | Pair>

const files = import.meta.glob<Catalogue>('../words/*/*.json', { import: 'default' })
const parts = new Set<Part>(['common'])
const now = $state<{ words: Catalogue; language: Language }>({ words: {}, language: 'en' })

export async function load(language: Language): Promise<void> {
  const catalogues = await Promise.all(Array.from(parts, (part) => files[`../words/${language}/${part}.json`]!()))
  now.words = Object.assign({}, ...catalogues) as Catalogue
  now.language = language
  document.documentElement.lang = language
}

/** The words of a page or a game, beside those that are there. */
export async function need(...more: Part[]): Promise<void> {
  if (more.every((part) => parts.has(part))) return
  for (const part of more) parts.add(part)
  await load(now.language)
}

export function language(): Language {
  return now.language
}

export function t(key: Key, blanks: Blanks = {}): string {
  const words = now.words[key]
  if (words === undefined) return key
  return fill(typeof words === 'string' ? words : choose(words, blanks.n), blanks)
}

/** A key that is put together at run time, such as a colour or a reason; the fallback is shown if there is none. */
export function maybe(key: string, fallback: string, blanks: Blanks = {}): string {
  return key in now.words ? t(key as Key, blanks) : fallback
}

function choose(pair: Pair, n: string | number | undefined): string {
  return new Intl.PluralRules(now.language).select(Number(n)) === 'one' ? pair.one : pair.other
}

function fill(text: string, blanks: Blanks): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => (name in blanks ? String(blanks[name]) : whole))
}

/** A number of points with its sign; the minus is a real one. */
export function signed(points: number): string {
  return points < 0 ? `−${-points}` : `+${points}`
}
