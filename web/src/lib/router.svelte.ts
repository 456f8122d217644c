// Addresses of the client. Links are ordinary links; a click on one of ours changes the page without loading it.
export type Page =
  | { name: 'home' | 'about' | 'settings' | 'games' | 'missing' }
  | { name: 'table' | 'join'; id: string }

const PLAIN = { '/': 'home', '/about': 'about', '/settings': 'settings', '/games': 'games' } as const

export function read(path: string): Page {
  const plain = PLAIN[path as keyof typeof PLAIN]
  if (plain) return { name: plain }
  const found = /^\/(table|join)\/([a-z0-9]{4,20})$/.exec(path)
  return found ? { name: found[1] as 'table' | 'join', id: found[2]! } : { name: 'missing' }
}

export const place: { page: Page } = $state({ page: read(location.pathname) })

export function go(address: string, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') history.pushState(null, '', address)
  else history.replaceState(null, '', address)
  arrive()
}

function arrive(): void {
  place.page = read(location.pathname)
  scrollTo(0, 0)
}

function isOurs(event: MouseEvent, link: HTMLAnchorElement): boolean {
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
  const here = link.origin === location.origin && !link.pathname.startsWith('/api/')
  return plain && here && !link.target && !link.hasAttribute('download') && !event.defaultPrevented
}

export function listen(): void {
  addEventListener('popstate', arrive)
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest('a')
    if (!link || !isOurs(event, link) || (link.hash && link.pathname === location.pathname)) return
    event.preventDefault()
    go(link.pathname + link.search + link.hash)
  })
}
