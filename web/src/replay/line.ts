// One step of a recorded game in words.
import type { Game, NameOf } from '../games/game'
import { t } from '../lib/i18n.svelte'
import { sentenceOf } from '../table/sentence'
import type { EndView, EntryView } from '../protocol.gen'

export function lineOf(game: Game, entry: EntryView, end: EndView | null, name: NameOf): string {
  if (entry.kind === 'ended') return t(end?.reason === 'aborted' ? 'end.aborted' : 'end.resigned')
  return sentenceOf(game, entry, name) || t('replay.step')
}
