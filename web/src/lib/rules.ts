// The numbered rules in the reader's language, taken from the same pages that the documentation shows.
import type { Language } from './settings.svelte'

export interface Rule {
  id: string
  title: string
  text: string
}

const pages = import.meta.glob<string>('../../../docs/rules/*.md', { query: '?raw', import: 'default' })
const GAMES: Record<string, string> = { AZ: 'azul', DU: 'duel', BL: 'blockers' }

export async function rule(id: string, language: Language): Promise<Rule | null> {
  const page = pages[`../../../docs/rules/${GAMES[id.slice(0, 2)] ?? ''}.${language}.md`]
  return page ? (read(await page()).find((found) => found.id === id) ?? null) : null
}

export function read(page: string): Rule[] {
  const found = page.matchAll(/^- \*\*([A-Z]{2}\d+)\*\* \*(.+?)\*\s*(.*)$/gm)
  return Array.from(found, ([, id, title, text]) => ({ id: id!, title: title!.replace(/\.$/, ''), text: text! }))
}
