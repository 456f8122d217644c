// Azul Duel, as the table shows it.
import { t } from '../../lib/words.svelte'
import type { Game } from '../kinds'
import Board from './Duel.svelte'
import { describe, ledger, rounds, say, tell, viewOf, type Event } from './tell'

const SCORING = ['ChipsPaid', 'TilePlaced', 'SpecialPlaced', 'BrokenScored', 'FaceScored', 'ScoreRaised']

function told(events: Event[], how?: 'short'): Event[] {
  return how ? events.filter((event) => !SCORING.includes(event.type)) : events
}

export const game: Game = {
  Board,
  facts: (table) => {
    const { round, bag, tower } = viewOf(table)
    const sum = (counts: number[]): number => counts.reduce((total, count) => total + count, 0)
    const label = round ? t('duel.round', { n: round }) : t('duel.round.first')
    return [
      { label, short: label },
      { label: t('duel.heaps', { bag: sum(bag), tower: sum(tower) }), short: '' },
    ]
  },
  score: (table, seat) => viewOf(table).boards[seat]?.score ?? 0,
  tell: (film, name, how) => told(film.events as Event[], how).map((event) => tell(event, name)).filter(Boolean),
  rounds,
  ledger,
  describe,
  say,
  help: () => t('duel.help'),
}
