// Turn notifications in the service worker: shows them, and opens the table when one is tapped.
// Its few texts are here because no page, and so no locale file, may be loaded.
import type { Text } from './protocol.gen'

interface TurnNotification {
  title: string
  table: string
  tables: number
  language: keyof Text
  invitation?: boolean
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
  data: { json(): TurnNotification } | null
}
interface Tapped extends Waiting {
  notification: { data: string; close(): void }
}

/** The part of ServiceWorkerGlobalScope that is used here. */
export interface PushScope {
  addEventListener(name: 'push', hear: (event: Pushed) => void): void
  addEventListener(name: 'notificationclick', hear: (event: Tapped) => void): void
  registration: { showNotification(title: string, options: NotificationOptions): Promise<void> }
  clients: {
    matchAll(what: { type: 'window'; includeUncontrolled: boolean }): Promise<readonly Page[]>
    openWindow(address: string): Promise<unknown>
  }
}

const NAMES: Record<string, string> = { azul: 'Azul', duel: 'Azul Duel', blockers: 'Blockers!' }
const WORDS: Record<keyof Text, (n: number) => string> = {
  en: (n) => (n > 1 ? `It is your turn at ${n} tables.` : 'It is your turn.'),
  nl: (n) => (n > 1 ? `Je bent aan de beurt aan ${n} tafels.` : 'Je bent aan de beurt.'),
  fr: (n) => (n > 1 ? `C’est à vous de jouer à ${n} tables.` : 'C’est à vous de jouer.'),
  de: (n) => (n > 1 ? `Du bist an ${n} Tischen dran.` : 'Du bist dran.'),
  es: (n) => (n > 1 ? `Es tu turno en ${n} mesas.` : 'Es tu turno.'),
  it: (n) => (n > 1 ? `Tocca a te a ${n} tavoli.` : 'Tocca a te.'),
}

const INVITED: Record<keyof Text, string> = {
  en: 'A friend invites you.',
  nl: 'Een vriend nodigt je uit.',
  fr: 'Un ami vous invite.',
  de: 'Du hast eine Einladung.',
  es: 'Tienes una invitación.',
  it: 'Hai un invito.',
}

/** Show a notification for each push message, and open its table on a tap. */
export function handleTurnNotifications(worker: PushScope): void {
  worker.addEventListener('push', (event) => event.data && event.waitUntil(show(worker, event.data.json())))
  worker.addEventListener('notificationclick', (event) => {
    event.notification.close()
    event.waitUntil(open(worker, event.notification.data))
  })
}

async function show(worker: PushScope, turn: TurnNotification): Promise<void> {
  const address = turn.invitation ? (turn.tables > 1 ? '/' : `/join/${turn.table}`) : turn.tables > 1 ? '/games' : `/table/${turn.table}`
  const pages = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  if (pages.some((page) => page.visibilityState === 'visible' && new URL(page.url).pathname === address)) return
  await worker.registration.showNotification(NAMES[turn.title] ?? 'Tessella', {
    body: turn.invitation ? INVITED[turn.language] : WORDS[turn.language](turn.tables),
    lang: turn.language,
    icon: '/icon.svg',
    tag: turn.invitation ? 'invitation' : 'turn',
    data: address,
  })
}

async function open(worker: PushScope, address: string): Promise<void> {
  const pages = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const there = pages.find((page) => new URL(page.url).pathname === address)
  await (there ? there.focus() : worker.clients.openWindow(address))
}
