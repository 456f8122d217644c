// One log entry in words.
import type { Game, NameOf } from '../games/game'
import { t } from '../lib/i18n.svelte'
import type { EntryView } from '../protocol.gen'

export function sentenceOf(game: Game, entry: EntryView, name: NameOf, reader: number | null = null): string {
  const sentences = game.narrate(entry, name, { reader, short: true })
  if (sentences.length) return sentences.join(' ')
  if (entry.seat === null) return ''
  if (entry.kind === 'took over') return t('log.took_over', { who: name(entry.seat) })
  if (entry.kind === 'returned') return t('log.returned', { who: name(entry.seat) })
  return ''
}
