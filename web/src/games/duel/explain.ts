// The draft and the preview of a move, in words and figures.
import { t } from '../../lib/i18n.svelte'
import type { Duel } from '../../protocol.gen'
import type { Draft } from './moves'
import { countOf, isStuck, SIX, START_TILE_COST } from './pieces'
import { colour, many, plateName, moveText, sourceName, targetName } from './narrate'

/** Return what was chosen so far. */
export function headline(draft: Draft | null, move: string, view: Duel.View): string {
  if (draft?.kind === 'tiles') {
    const { source, line } = draft
    return `${many(countOf(view, source, draft.colour), draft.colour)} ${line ? `→ ${targetName(line)}` : sourceName(source)}`
  }
  if (draft?.kind === 'plate') return draft.slot ? t('duel.plate_in', { slot: draft.slot }) : plateName(draft.plate)
  if (draft?.kind === 'stack' && !move) return moveText(`s${draft.order}`)
  return move && moveText(move)
}

/** Return where tiles go and what breaks. */
export function consequences(preview: Duel.Preview, board: Duel.Board): string[] {
  const parts: string[] = []
  if (preview.line !== null) parts.push(t('duel.filled', { n: board.lines[preview.line]!.length + preview.spaces.length, size: preview.line + 1 }))
  if (preview.start_tile) parts.push(t('duel.will_start'))
  if (preview.broken.length) parts.push(t('duel.will_break', { n: preview.broken.length, cost: preview.broken_cost }))
  if (preview.tower) parts.push(t('duel.spilt', { n: preview.tower }))
  const stuck = SIX.filter((row) => isStuck(board, row)).map((row) => board.lines[row]![0])
  for (const line of preview.breaking) if (!stuck.includes(line.colour)) parts.push(t('duel.will_stick', { colour: colour(line.colour) }))
  return parts
}

/** Return the sum from the current score to the score after the move. */
export function arithmetic(preview: Duel.Preview, view: Duel.View, seat: number, move: string): string {
  const now = view.boards[seat]!.score
  const gain = preview.placed.reduce((total, one) => total + one.points, 0)
  const cost = now + gain - preview.score
  const starts = preview.start_tile || view.holder === seat
  const owed = preview.broken_cost + (starts ? START_TILE_COST : 0) + (move === 'd+' ? 1 : 0)
  if (!gain && !cost) return t('points', { n: preview.score })
  const parts = [String(now), gain ? `+ ${gain}` : '', cost ? `− ${cost}` : '', `= ${preview.score}`, owed > cost ? t('duel.clamp') : '']
  return parts.filter(Boolean).join(' ')
}
