// What the client says, in the reader's language. {n} chooses between one and other.
import type en from '../words/en.json'
import type { Language } from './settings.svelte'

export type Key = keyof typeof en
export type Blanks = Record<string, string | number>
type Pair = { one: string; other: string }
export type Catalogue = Record<Key, string | Pair>

const catalogues: Record<Language, () => Promise<{ default: unknown }>> = {
  en: () => import('../words/en.json'),
  nl: () => import('../words/nl.json'),
  fr: () => import('../words/fr.json'),
}

const now = $state<{ words: Catalogue; language: Language }>({ words: {} as Catalogue, language: 'en' })

export async function load(language: Language): Promise<void> {
  const catalogue = (await catalogues[language]()).default as Catalogue
  now.words = catalogue
  now.language = language
  document.documentElement.lang = language
}

export function language(): Language {
  return now.language
}

export function t(key: Key, blanks: Blanks = {}): string {
  const words = now.words[key] as string | Pair | undefined
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
