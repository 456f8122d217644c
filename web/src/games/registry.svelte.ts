// The games this client can show; each is loaded on demand, with its translations.
import { fetchJson } from '../lib/api'
import { need, type Part } from '../lib/i18n.svelte'
import type { TitlesView, TitleView } from '../protocol.gen'
import type { Game } from './game'

type Client = () => Promise<{ game: Game }>

/** The client of each game; a game is offered if it is listed here. */
export const CLIENTS: Record<string, Client> = $state({
  azul: () => import('./azul'),
  duel: () => import('./duel'),
  blockers: () => import('./blockers'),
})

/** Numbers of players offered in forms; the server checks them. */
export const SEATS: Record<string, number[]> = $state({ azul: [2, 3, 4], duel: [2], blockers: [2, 3, 4, 5] })

const HOUSE = Object.keys(CLIENTS)

/** Return whether another package brings a game: it has no lesson and no options here. */
export const isInstalled = (title: string): boolean => !HOUSE.includes(title)

let titles: Promise<TitleView[]> | null = null

/** Ask which games are played here, once; those that other packages bring are offered from then on. */
export function loadTitles(ask: () => Promise<TitlesView> = () => fetchJson<TitlesView>('GET', '/api/titles')): Promise<TitleView[]> {
  titles ??= ask().then(async ({ titles }) => {
    const others = titles.filter((one) => one.is_installed)
    await Promise.all(others.map(offer))
    return titles
  })
  titles.catch(() => (titles = null))
  return titles
}

/** Offer a game that another package brings, once its texts are here. */
async function offer({ title, seats }: TitleView): Promise<void> {
  await (await import('./installed')).loadTexts(title)
  SEATS[title] = seats
  CLIENTS[title] = async () => ({ game: (await import('./described')).gameOf(title) })
}

/** Load the client of a game and its translations. */
export async function clientOf(title: string): Promise<Game> {
  if (!(title in CLIENTS)) await loadTitles()
  const client = CLIENTS[title]
  if (!client) throw new Error(`no client for ${title}`)
  const [{ game }] = await Promise.all([client(), isInstalled(title) ? undefined : need(title as Part)])
  return game
}
