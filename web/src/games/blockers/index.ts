// Blockers!, as the table shows it.
import { t } from '../../lib/words.svelte'
import type { Blockers } from '../../wire'
import type { Game } from '../kinds'
import Board from './Blockers.svelte'
import { account, aim, describe, foretell, isLast, ledger, roundOf, rounds, say, tell, viewOf, type Event } from './tell'

function told(events: Event[], how?: 'short'): Event[] {
  return how ? events.filter((event) => event.type !== 'SeatScored' && event.type !== 'TilesDrawn') : events
}

export const game: Game = {
  Board,
  fewest: true,
  facts: (table) => {
    const view = viewOf(table)
    const left = view.hands.reduce((sum, hand) => sum + hand.supply, 0)
    const goal = { label: aim(view.config), short: aim(view.config) }
    if (table.status === 'over') return [goal]
    const { n, total } = roundOf(view)
    const last = isLast(view) ? t('blockers.last') : ''
    return [
      { label: last || t('blockers.round', { n, total }), short: last || `${n}/${total}` },
      { label: t('blockers.left', { n: left }), short: '' },
      goal,
    ]
  },
  score: (table, seat) => viewOf(table).tallies[seat]?.score ?? 0,
  tell: (film, name, how) => told(film.events as Event[], how).map((event) => tell(event, name)).filter(Boolean),
  rounds,
  account,
  ledger,
  describe,
  say,
  foretell: (preview) => foretell(preview as Blockers.Preview),
  help: () => t('blockers.help'),
}
