// The games that a lesson leads to.
import { fetchJson } from '../lib/api'
import { openBranch } from '../lib/branch'
import { t } from '../lib/i18n.svelte'
import { levelName } from '../lib/levels'
import { ensurePerson, lastName, me } from '../lib/session.svelte'
import { STANDALONE } from '../lib/standalone'
import type { GameBody, GameMade, HereBody, HereMade, LessonView } from '../protocol.gen'

/** The weakest computer player. */
const FIRST_LEVEL = '1'

function myName(): string {
  return me.person?.name ?? (lastName() || t('learn.you'))
}

/** Open the prepared game of a lesson at its last round, and return its address. */
export async function openLastRound({ last_round: { rules, level, acts, seats } }: LessonView): Promise<string> {
  const others = Array.from({ length: seats - 1 }, () => ({ name: levelName(level), level }))
  return openBranch(`${rules}\n\n${acts.join('\n')}\n`, acts.length, [{ name: myName() }, ...others], STANDALONE)
}

/** Open a whole game against the weakest level, and return its address. */
export async function openWholeGame(title: string): Promise<string> {
  if (STANDALONE) {
    const body: HereBody = { title, players: [{ name: myName() }, { name: levelName(FIRST_LEVEL), level: FIRST_LEVEL }] }
    return `/table/${(await fetchJson<HereMade>('POST', '/api/here', body)).id}`
  }
  await ensurePerson(lastName())
  const body: GameBody = { title, seats: [{ kind: 'me' }, { kind: 'bot', level: FIRST_LEVEL }] }
  return `/table/${(await fetchJson<GameMade>('POST', '/api/games', body)).id}`
}
