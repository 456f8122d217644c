// The texts and rules that the package of another game brings.
import { fetchJson } from '../lib/api'
import { needOwn, type Catalogue } from '../lib/i18n.svelte'
import { keepBook } from '../lib/rules'
import type { Language } from '../lib/settings.svelte'
import type { TextsView } from '../protocol.gen'

/** Load the texts and rules of a game, in the language of the reader and whenever that changes. */
export const loadTexts = (title: string): Promise<void> => needOwn(title, (language) => ownTexts(title, language))

/** Return the texts that a game brings along, by the keys under which pages look for them. */
async function ownTexts(title: string, language: Language): Promise<Catalogue> {
  const { texts, rules } = await fetchJson<TextsView>('GET', `/api/titles/${title}/texts/${language}`)
  keepBook(title, language, rules)
  const own = Object.entries(texts as Catalogue).map(([key, text]) => [`${title}.${key}`, text])
  return { ...Object.fromEntries(own), [`game.${title}`]: texts.name, [`game.${title}.text`]: texts.about } as Catalogue
}
