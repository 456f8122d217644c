// What the service worker does when the server tells of a turn: it says so, and opens the table when that is tapped.
// It has words of its own, since no page need be open, and no catalogue loaded.

interface Nudge {
  title: string
  table: string
  tables: number
  language: string
}
interface Page {
  url: string
  visibilityState: string
  focus(): Promise<unknown>
}
interface Waiting extends Event {
  waitUntil(work: Promise<unknown>): void
}
interface Pushed extends Waiting {
  data: { json(): Nudge } | null
}
interface Tapped extends Waiting {
  notification: { data: string; close(): void }
}

/** As much of a service worker as is needed here. */
export interface Teller {
  addEventListener(name: 'push', hear: (event: Pushed) => void): void
  addEventListener(name: 'notificationclick', hear: (event: Tapped) => void): void
  registration: { showNotification(title: string, options: NotificationOptions): Promise<void> }
  clients: {
    matchAll(what: { type: 'window'; includeUncontrolled: boolean }): Promise<readonly Page[]>
    openWindow(address: string): Promise<unknown>
  }
}

const NAMES: Record<string, string> = { azul: 'Azul', duel: 'Azul Duel', blockers: 'Blockers!' }
const WORDS: Record<string, (n: number) => string> = {
  en: (n) => (n > 1 ? `It is your turn at ${n} tables.` : 'It is your turn.'),
  nl: (n) => (n > 1 ? `Je bent aan de beurt aan ${n} tafels.` : 'Je bent aan de beurt.'),
  fr: (n) => (n > 1 ? `C’est à vous de jouer à ${n} tables.` : 'C’est à vous de jouer.'),
}

/** Let a service worker tell of turns. */
export function tellOfTurns(worker: Teller): void {
  worker.addEventListener('push', (event) => event.data && event.waitUntil(show(worker, event.data.json())))
  worker.addEventListener('notificationclick', (event) => {
    event.notification.close()
    event.waitUntil(open(worker, event.notification.data))
  })
}

async function show(worker: Teller, nudge: Nudge): Promise<void> {
  const address = nudge.tables > 1 ? '/games' : `/table/${nudge.table}`
  const pages = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  if (pages.some((page) => page.visibilityState === 'visible' && new URL(page.url).pathname === address)) return
  await worker.registration.showNotification(NAMES[nudge.title] ?? 'Tessella', {
    body: (WORDS[nudge.language] ?? WORDS.en!)(nudge.tables),
    lang: nudge.language,
    icon: '/icon.svg',
    tag: 'turn',
    data: address,
  })
}

async function open(worker: Teller, address: string): Promise<void> {
  const pages = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const there = pages.find((page) => new URL(page.url).pathname === address)
  await (there ? there.focus() : worker.clients.openWindow(address))
}
