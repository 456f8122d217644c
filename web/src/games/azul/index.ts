// The client of Azul.
import { t } from '../../lib/i18n.svelte'
import type { Game } from '../game'
import Board from './Azul.svelte'
import { describe, ledger, rounds, moveText, illegalText, sentences, viewOf, type Event } from './narrate'

const SCORING = ['TilePlaced', 'FloorScored', 'BonusScored']

function spoken(events: Event[], short = false): Event[] {
  return short ? events.filter((event) => !SCORING.includes(event.type)) : events
}

const MARKS = [['.offering .offer'], ['.own .lines'], ['.own .wall']]

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
  narrate: (entry, name, { reader = null, short } = {}) => sentences(spoken(entry.events as Event[], short), name, reader),
  rounds,
  ledger,
  describe,
  moveText,
  illegalText,
  marks: () => MARKS.map(([at, inside], i) => ({ at: at!, inside: !!inside, text: t(`azul.mark.${(i + 1) as 1}`) })),
  help: () => t('azul.help'),
}
