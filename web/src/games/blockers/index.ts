// The client of Blockers!.
import { t } from '../../lib/i18n.svelte'
import type { Blockers } from '../../protocol.gen'
import type { Game } from '../game'
import Board from './Blockers.svelte'
import { breakdown, aim, describe, previewText, isLast, ledger, roundOf, rounds, moveText, narrate, illegalText, viewOf, type Event } from './narrate'

function spoken(events: Event[], short = false): Event[] {
  return short ? events.filter((event) => event.type !== 'SeatScored' && event.type !== 'TilesDrawn') : events
}

const MARKS = [['.own .dock'], ['.play .board', 'inside'], ['.own .me']]

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
  narrate: (entry, name, { reader, short } = {}) => spoken(entry.events as Event[], short).map((event) => narrate(event, name, reader)).filter(Boolean),
  rounds,
  breakdown,
  ledger,
  describe,
  moveText,
  previewText: (preview) => previewText(preview as Blockers.Preview),
  illegalText,
  marks: () => MARKS.map(([at, inside], i) => ({ at: at!, inside: !!inside, text: t(`blockers.mark.${(i + 1) as 1}`) })),
  help: () => t('blockers.help'),
}
