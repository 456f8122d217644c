// The client of Azul Duel.
import { t } from '../../lib/i18n.svelte'
import type { Game } from '../game'
import Board from './Duel.svelte'
import { describe, ledger, rounds, moveText, illegalText, sentences, viewOf, type Event } from './narrate'

const SCORING = ['ChipsPaid', 'TilePlaced', 'SpecialPlaced', 'BrokenScored', 'FaceScored', 'ScoreRaised']

function spoken(events: Event[], short = false): Event[] {
  return short ? events.filter((event) => !SCORING.includes(event.type)) : events
}

const MARKS = [['.offering .plates'], ['.own .dome'], ['.scoring', 'inside']]

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
  narrate: (entry, name, { reader = null, short } = {}) => sentences(spoken(entry.events as Event[], short), name, reader),
  rounds,
  ledger,
  describe,
  moveText,
  illegalText,
  marks: () => MARKS.map(([at, inside], i) => ({ at: at!, inside: !!inside, text: t(`duel.mark.${(i + 1) as 1}`) })),
  help: () => t('duel.help'),
}
