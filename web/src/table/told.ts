// What one entry of a table's log says in words.
import type { Game, NameOf } from '../games/kinds'
import { t } from '../lib/words.svelte'
import type { Film } from '../wire'

export function told(game: Game, film: Film, name: NameOf): string {
  const sentences = game.tell(film, name, 'short')
  if (sentences.length) return sentences.join(' ')
  if (film.seat === null) return ''
  if (film.what === 'took over') return t('log.took_over', { who: name(film.seat) })
  if (film.what === 'returned') return t('log.returned', { who: name(film.seat) })
  return ''
}
