// The router: ordinary links; a click on an internal one changes the page without a reload.
// On the static site there is one file, so the path of a page is written after a question mark.
import { STANDALONE } from './standalone'

export type Page =
  | { name: 'home' | 'here' | 'about' | 'settings' | 'games' | 'rulebooks' | 'leaderboard' | 'account' | 'puzzles' | 'daily' | 'learn' | 'watch' | 'events' | 'clubs' | 'moderate' | 'missing' }
  | { name: 'table' | 'join' | 'replay' | 'review' | 'puzzle' | 'people' | 'event' | 'club' | 'match' | 'moderated'; id: string }
  | { name: 'rules' | 'lesson'; title: string }
  | { name: 'deal'; day: string; title: string }
  | { name: 'confirm' | 'unsubscribe' | 'welcome' | 'password'; token: string }

const PLAIN = {
  '/': 'home',
  '/here': 'here',
  '/about': 'about',
  '/settings': 'settings',
  '/games': 'games',
  '/rules': 'rulebooks',
  '/leaderboard': 'leaderboard',
  '/account': 'account',
  '/puzzles': 'puzzles',
  '/daily': 'daily',
  '/learn': 'learn',
  '/watch': 'watch',
  '/events': 'events',
  '/clubs': 'clubs',
  '/moderate': 'moderate',
} as const

export function read(path: string): Page {
  const plain = PLAIN[path as keyof typeof PLAIN]
  if (plain) return { name: plain }
  if (path === '/replay' || path === '/review') return { name: path.slice(1) as 'replay' | 'review', id: '' }
  const game = /^\/(?:rules\/[a-z][a-z0-9]{1,19}|learn\/(?:azul|duel|blockers))$/.exec(path)
  if (game) return { name: path.startsWith('/rules') ? 'rules' : 'lesson', title: path.split('/')[2]! }
  const person = /^\/people\/([\w-]{4,40})$/.exec(path)
  if (person) return { name: 'people', id: person[1]! }
  const moderated = /^\/moderate\/([\w-]{4,40})$/.exec(path)
  if (moderated) return { name: 'moderated', id: moderated[1]! }
  const link = /^\/(confirm|unsubscribe|welcome|password)\/([\w-]{10,200})$/.exec(path)
  if (link) return { name: link[1] as 'confirm' | 'unsubscribe' | 'welcome' | 'password', token: link[2]! }
  const deal = /^\/daily\/(\d{4}-\d\d-\d\d)\/(azul|duel|blockers)$/.exec(path)
  if (deal) return { name: 'deal', day: deal[1]!, title: deal[2]! }
  const puzzle = /^\/puzzles\/([\w-]{1,60})$/.exec(path)
  if (puzzle) return { name: 'puzzle', id: puzzle[1]! }
  const event = /^\/(event|club)s\/([a-z0-9]{4,20})$/.exec(path)
  if (event) return { name: event[1] as 'event' | 'club', id: event[2]! }
  const found = /^\/(table|join|replay|review|match)\/([a-z0-9]{4,20})$/.exec(path)
  return found ? { name: found[1] as 'table' | 'join' | 'replay' | 'review' | 'match', id: found[2]! } : { name: 'missing' }
}

/** Return the address of a page, for links. */
export function href(path: string): string {
  if (!STANDALONE) return path
  return path === '/' ? './' : `./?${path}`
}

/** Return the whole address of a page, to be shared. */
export function shared(path: string): string {
  return new URL(href(path), location.href).href
}

/** Return the path of the page at an address. */
function pathAt({ pathname, search }: { pathname: string; search: string }): string {
  if (!STANDALONE) return pathname
  return search.startsWith('?/') ? search.slice(1) : '/'
}

export const place: { page: Page } = $state({ page: read(pathAt(location)) })

export function go(path: string, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') history.pushState(null, '', href(path))
  else history.replaceState(null, '', href(path))
  arrive()
}

let path = pathAt(location)

function arrive(): void {
  path = pathAt(location)
  place.page = read(path)
  scrollTo(0, 0)
}

function isOurs(event: MouseEvent, link: HTMLAnchorElement): boolean {
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
  const here = link.origin === location.origin && !link.pathname.startsWith('/api/')
  return plain && here && !link.target && !link.hasAttribute('download') && !event.defaultPrevented
}

export function listen(): void {
  // Navigation within a page, to a rule or a section, is left to the browser.
  addEventListener('popstate', () => pathAt(location) !== path && arrive())
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest('a')
    if (!link || !isOurs(event, link) || (link.hash && pathAt(link) === pathAt(location))) return
    event.preventDefault()
    history.pushState(null, '', link.href)
    arrive()
  })
}
