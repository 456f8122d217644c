// The router: ordinary links; a click on an internal one changes the page without a reload.
export type Page =
  | { name: 'home' | 'about' | 'settings' | 'games' | 'rulebooks' | 'leaderboard' | 'account' | 'puzzles' | 'missing' }
  | { name: 'table' | 'join' | 'replay' | 'review' | 'puzzle' | 'people'; id: string }
  | { name: 'rules'; title: string }

const PLAIN = {
  '/': 'home',
  '/about': 'about',
  '/settings': 'settings',
  '/games': 'games',
  '/rules': 'rulebooks',
  '/leaderboard': 'leaderboard',
  '/account': 'account',
  '/puzzles': 'puzzles',
} as const

export function read(path: string): Page {
  const plain = PLAIN[path as keyof typeof PLAIN]
  if (plain) return { name: plain }
  if (path === '/replay' || path === '/review') return { name: path.slice(1) as 'replay' | 'review', id: '' }
  const rules = /^\/rules\/(azul|duel|blockers)$/.exec(path)
  if (rules) return { name: 'rules', title: rules[1]! }
  const person = /^\/people\/([\w-]{4,40})$/.exec(path)
  if (person) return { name: 'people', id: person[1]! }
  const puzzle = /^\/puzzles\/([\w-]{1,60})$/.exec(path)
  if (puzzle) return { name: 'puzzle', id: puzzle[1]! }
  const found = /^\/(table|join|replay|review)\/([a-z0-9]{4,20})$/.exec(path)
  return found ? { name: found[1] as 'table' | 'join' | 'replay' | 'review', id: found[2]! } : { name: 'missing' }
}

export const place: { page: Page } = $state({ page: read(location.pathname) })

export function go(address: string, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') history.pushState(null, '', address)
  else history.replaceState(null, '', address)
  arrive()
}

let path = location.pathname

function arrive(): void {
  path = location.pathname
  place.page = read(location.pathname)
  scrollTo(0, 0)
}

function isOurs(event: MouseEvent, link: HTMLAnchorElement): boolean {
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
  const here = link.origin === location.origin && !link.pathname.startsWith('/api/')
  return plain && here && !link.target && !link.hasAttribute('download') && !event.defaultPrevented
}

export function listen(): void {
  // Navigation within a page, to a rule or a section, is left to the browser.
  addEventListener('popstate', () => location.pathname !== path && arrive())
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest('a')
    if (!link || !isOurs(event, link) || (link.hash && link.pathname === location.pathname)) return
    event.preventDefault()
    go(link.pathname + link.search + link.hash)
  })
}
