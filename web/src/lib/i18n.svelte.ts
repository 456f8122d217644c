// Translations. {n} selects between the forms one and other.
// Each page or game has its own locale file, loaded with it.
import type azul from '../locales/en/azul.json'
import type blockers from '../locales/en/blockers.json'
import type clubs from '../locales/en/clubs.json'
import type common from '../locales/en/common.json'
import type company from '../locales/en/company.json'
import type daily from '../locales/en/daily.json'
import type duel from '../locales/en/duel.json'
import type events from '../locales/en/events.json'
import type here from '../locales/en/here.json'
import type learn from '../locales/en/learn.json'
import type line from '../locales/en/line.json'
import type moderate from '../locales/en/moderate.json'
import type people from '../locales/en/people.json'
import type pairing from '../locales/en/pairing.json'
import type puzzles from '../locales/en/puzzles.json'
import type replay from '../locales/en/replay.json'
import type review from '../locales/en/review.json'
import type rules from '../locales/en/rules.json'
import type { Language } from './settings.svelte'

type All = typeof common & typeof azul & typeof duel & typeof blockers & typeof replay & typeof review & typeof puzzles & typeof rules & typeof people & typeof pairing & typeof here & typeof learn & typeof line & typeof company & typeof daily & typeof events & typeof clubs & typeof moderate
export type Part = 'common' | 'azul' | 'duel' | 'blockers' | 'replay' | 'review' | 'puzzles' | 'rules' | 'people' | 'pairing' | 'here' | 'learn' | 'line' | 'company' | 'daily' | 'events' | 'clubs' | 'moderate'
export type Key = keyof All
export type Blanks = Record<string, string | number>
type Pair = { one: string; other: string }
export type Catalogue = Record<string, string | Pair>

const files = import.meta.glob<Catalogue>('../locales/*/*.json', { import: 'default' })
const parts = new Set<Part>(['common'])
const own = new Map<string, (language: Language) => Promise<Catalogue>>()
const now = $state<{ words: Catalogue; language: Language }>({ words: {}, language: 'en' })

export async function load(language: Language): Promise<void> {
  const house = Array.from(parts, (part) => files[`../locales/${language}/${part}.json`]!())
  const catalogues = await Promise.all([...house, ...Array.from(own.values(), (texts) => texts(language))])
  // Two loads may overlap, and the one that began first may end last: nothing of the same language is lost.
  const before = language === now.language ? now.words : {}
  now.words = Object.assign({}, before, ...catalogues) as Catalogue
  now.language = language
  document.documentElement.lang = language
}

/** Load the locale files of a page or a game. */
export async function need(...more: Part[]): Promise<void> {
  if (more.every((part) => parts.has(part))) return
  for (const part of more) parts.add(part)
  await load(now.language)
}

/** Load texts that come from elsewhere: those of a game that another package brings. */
export async function needOwn(name: string, texts: (language: Language) => Promise<Catalogue>): Promise<void> {
  if (own.has(name)) return
  own.set(name, texts)
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

/** Return the text of a key built at run time, such as a colour or an error; the fallback if there is none. */
export function maybe(key: string, fallback: string, blanks: Blanks = {}): string {
  return key in now.words ? t(key as Key, blanks) : fallback
}

function choose(pair: Pair, n: string | number | undefined): string {
  return new Intl.PluralRules(now.language).select(Number(n)) === 'one' ? pair.one : pair.other
}

function fill(text: string, blanks: Blanks): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => (name in blanks ? String(blanks[name]) : whole))
}

/** Return points with their sign, with a typographic minus. */
export function signed(points: number): string {
  return points < 0 ? `−${-points}` : `+${points}`
}
