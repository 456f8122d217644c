// One step of a recorded game in words.
import type { Game, NameOf } from '../games/kinds'
import { t } from '../lib/words.svelte'
import { told } from '../table/told'
import type { EndSeen, Film } from '../wire'

export function lineOf(game: Game, film: Film, end: EndSeen | null, name: NameOf): string {
  if (film.what === 'ended') return t(end?.reason === 'aborted' ? 'end.aborted' : 'end.resigned')
  return told(game, film, name) || t('replay.step')
}
