// The games this client can show; each is loaded on demand, with its translations.
import { need, type Part } from '../lib/i18n.svelte'
import type { Game } from './game'

/** The client of each game; a game is offered if it is listed here. */
export const CLIENTS: Record<string, () => Promise<{ game: Game }>> = {
  azul: () => import('./azul'),
  duel: () => import('./duel'),
  blockers: () => import('./blockers'),
}

/** Load the client of a game and its translations. */
export async function clientOf(title: string): Promise<Game> {
  const client = CLIENTS[title]
  if (!client) throw new Error(`no client for ${title}`)
  const [{ game }] = await Promise.all([client(), need(title as Part)])
  return game
}

/** Numbers of players offered in forms; the server checks them. */
export const SEATS: Record<string, number[]> = { azul: [2, 3, 4], duel: [2], blockers: [2, 3, 4, 5] }
