// The numbered rules in the reader's language, parsed from the pages of the documentation.
import type { Language } from './settings.svelte'

export interface Rule {
  id: string
  title: string
  text: string
}

export interface Section {
  title: string
  rules: Rule[]
}

export interface Book {
  intro: string
  /** The credit line: who made the game. */
  credit: string
  sections: Section[]
}

/** A piece of a rule's text: words, a reference to another rule, notation, or a search hit. */
export interface Piece {
  kind: 'words' | 'rule' | 'code' | 'found'
  text: string
}

const pages = import.meta.glob<string>('../../../docs/rules/*.md', { query: '?raw', import: 'default' })
/** The words that open a house rule, and formulas and codes, within a rule. */
const HOUSE: Record<Language, string> = { en: 'House rule', nl: 'Huisregel', fr: 'Règle maison', de: 'Hausregel', es: 'Regla de la casa', it: 'Regola della casa' }
const DETAIL: Record<Language, string> = { en: 'In detail', nl: 'Precies gezegd', fr: 'En détail', de: 'Im Einzelnen', es: 'En detalle', it: 'In dettaglio' }
const opener = (words: Record<Language, string>): RegExp => new RegExp(`(?:${Object.values(words).join('|')})\\. ?`)
const GAMES: Record<string, string> = { AZ: 'azul', DU: 'duel', BL: 'blockers' }
/** The pages of games that other packages bring. */
const own = new Map<string, string>()

/** Keep the rules page that a game brings along; its rules are found by their letters from then on. */
export function keepBook(game: string, language: Language, page: string): void {
  own.set(`${game}.${language}`, page)
  const letters = read(page)[0]?.id.slice(0, 2)
  if (letters && !(letters in GAMES)) GAMES[letters] = game
}

async function pageOf(game: string, language: Language): Promise<string> {
  return own.get(`${game}.${language}`) ?? (await pages[`../../../docs/rules/${game}.${language}.md`]?.()) ?? ''
}

/** Return the address of a rule. */
export function addressOf(id: string): string {
  return `/rules/${GAMES[id.slice(0, 2)] ?? ''}#${id}`
}

export async function rule(id: string, language: Language): Promise<Rule | null> {
  return read(await pageOf(GAMES[id.slice(0, 2)] ?? '', language)).find((found) => found.id === id) ?? null
}

export async function book(game: string, language: Language): Promise<Book> {
  return readBook(await pageOf(game, language))
}

export function readBook(page: string): Book {
  const [opening = '', ...chapters] = page.split(/^## /m)
  const [, intro = '', credit = ''] = opening.trim().split('\n\n')
  const sections = chapters.map((chapter) => ({ title: chapter.split('\n', 1)[0]!, rules: read(chapter) }))
  return { intro, credit: credit.replaceAll('*', ''), sections }
}

export function read(page: string): Rule[] {
  const found = page.matchAll(/^- \*\*([A-Z]{2}\d+)\*\* \*(.+?)\*\s*(.*)$/gm)
  return Array.from(found, ([, id, title, text]) => ({ id: id!, title: title!.replace(/\.$/, ''), text: text! }))
}

/** Split a rule into the rulebook's text and the house rule; null if there is none. */
export function house(text: string): [string, string | null] {
  const [book = '', ...ours] = text.split(opener(HOUSE))
  return [book.trim(), ours.length ? ours.join('').trim() : null]
}

/** Split a rule into what players need and its formulas and codes; null if there are none. */
export function detail(text: string): [string, string | null] {
  const [said = '', exact] = text.split(opener(DETAIL))
  return [said.trim(), exact?.trim() ?? null]
}

const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Return whether a rule contains all search words; its number counts as one. */
export function matchesRule(rule: Rule, wanted: string): boolean {
  const text = plain(`${rule.id} ${rule.title} ${rule.text}`)
  return plain(wanted).split(/\s+/).every((word) => text.includes(word))
}

export function pieces(text: string, wanted: string): Piece[] {
  const parts = text.split(/(`[^`]+`|\b[A-Z]{2}\d\d\b)/)
  return parts.flatMap((part, i): Piece[] => {
    if (i % 2 === 0) return mark(part, wanted)
    return [part.startsWith('`') ? { kind: 'code', text: part.slice(1, -1) } : { kind: 'rule', text: part }]
  })
}

/** Mark the search words in a text, ignoring accents. */
export function mark(text: string, wanted: string): Piece[] {
  const words = plain(wanted).split(/\s+/).filter(Boolean)
  const letters = Array.from(text)
  const bare = letters.map((letter) => plain(letter))
  const found: Piece[] = []
  let start = 0
  for (let i = 0; i < letters.length; i += 1) {
    const word = words.find((one) => bare.slice(i, i + one.length).join('').startsWith(one))
    if (!word) continue
    found.push({ kind: 'words', text: letters.slice(start, i).join('') }, { kind: 'found', text: letters.slice(i, i + word.length).join('') })
    start = i + word.length
    i = start - 1
  }
  return [...found, { kind: 'words' as const, text: letters.slice(start).join('') }].filter((piece) => piece.text)
}
