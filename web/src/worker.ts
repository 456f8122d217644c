// Keeps the pages, their files and the games that were watched or reviewed, so that those open without a network.
// Nothing else is kept: no table that is being played, and nothing about anybody. And it tells of turns.
import { tellOfTurns, type Teller } from './push-worker'

const here = self as unknown as ServiceWorkerGlobalScope

/** Every built file, and a digest of them all; the build writes them in. */
const FILES: string[] = JSON.parse('__FILES__') as string[]
const SHELL = 'shell-__VERSION__'

const REPLAYS = 'replays'
const MOST_REPLAYS = 80
const PATIENCE = 4000

here.addEventListener('install', (event) => {
  event.waitUntil(fillShell().then(() => here.skipWaiting()))
})

async function fillShell(): Promise<void> {
  const shell = await caches.open(SHELL)
  await shell.addAll(FILES.map((path) => new Request(path, { cache: path.startsWith('/assets/') ? 'default' : 'reload' })))
}

here.addEventListener('activate', (event) => {
  event.waitUntil(forgetOldShells().then(() => here.clients.claim()))
})

/** The version before stays: a page that is still open may yet load a part of it. */
async function forgetOldShells(): Promise<void> {
  const others = (await caches.keys()).filter((name) => name.startsWith('shell-') && name !== SHELL)
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)))
}

here.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (request.mode === 'navigate' && !pathname.startsWith('/api/')) event.respondWith(page(request))
  else if (isReplay(pathname)) event.respondWith(replay(request))
  else if (FILES.includes(pathname) || pathname.startsWith('/assets/')) event.respondWith(file(request))
})

function isReplay(path: string): boolean {
  return path.startsWith('/api/replay/') || /^\/api\/games\/[^/]+\/replay$/.test(path) || isReview(path)
}

function isReview(path: string): boolean {
  return path.startsWith('/api/reviews/') || /^\/api\/games\/[^/]+\/review$/.test(path)
}

/** A review that is not finished will be another one soon. */
async function lasts(path: string, answer: Response): Promise<boolean> {
  if (!answer.ok) return false
  return !isReview(path) || ((await answer.json()) as { status: string }).status === 'done'
}

/** The newest page that can be had soon; without a network, the one that was kept. It is the same for every address. */
async function page(request: Request): Promise<Response> {
  const kept = await caches.match('/', { cacheName: SHELL })
  try {
    return await fetch(request, kept && { signal: AbortSignal.timeout(PATIENCE) })
  } catch (wrong) {
    if (kept) return kept
    throw wrong
  }
}

/** The name of a file under assets changes with its content, so whichever version kept it is right. */
async function file(request: Request): Promise<Response> {
  const shell = await caches.open(SHELL)
  return (await shell.match(request)) ?? (await caches.match(request)) ?? fetch(request)
}

async function replay(request: Request): Promise<Response> {
  const kept = await caches.open(REPLAYS)
  try {
    const answer = await fetch(request)
    if (await lasts(new URL(request.url).pathname, answer.clone())) await keepReplay(kept, request, answer.clone())
    return answer
  } catch (wrong) {
    const found = await kept.match(request)
    if (found) return found
    throw wrong
  }
}

async function keepReplay(kept: Cache, request: Request, answer: Response): Promise<void> {
  await kept.delete(request)
  await kept.put(request, answer)
  const games = await kept.keys()
  await Promise.all(games.slice(0, -MOST_REPLAYS).map((game) => kept.delete(game)))
}

tellOfTurns(self as unknown as Teller)
