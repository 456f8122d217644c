// Azul, as the table shows it.
import { t } from '../../lib/words.svelte'
import type { Game } from '../kinds'
import Board from './Azul.svelte'
import { describe, ledger, rounds, say, tell, viewOf, type Event } from './tell'

const SCORING = ['TilePlaced', 'FloorScored', 'BonusScored']

function told(events: Event[], how?: 'short'): Event[] {
  return how ? events.filter((event) => !SCORING.includes(event.type)) : events
}

export const game: Game = {
  Board,
  facts: (table) => {
    const { round, bag, lid } = viewOf(table)
    const sum = (counts: number[]): number => counts.reduce((total, count) => total + count, 0)
    return [
      { label: t('azul.round', { n: round }), short: t('azul.round', { n: round }) },
      { label: t('azul.heaps', { bag: sum(bag), lid: sum(lid) }), short: '' },
    ]
  },
  score: (table, seat) => viewOf(table).boards[seat]?.score ?? 0,
  tell: (film, name, how) => told(film.events as Event[], how).map((event) => tell(event, name)).filter(Boolean),
  rounds,
  ledger,
  describe,
  say,
  help: () => t('azul.help'),
}
