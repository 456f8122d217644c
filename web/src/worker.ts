// Caches the pages, their files and games that were watched or reviewed, so that they open offline.
// Nothing else is cached: no game in progress and no personal data. It also shows turn notifications.
import { handleTurnNotifications, type PushScope } from './push-worker'

const here = self as unknown as ServiceWorkerGlobalScope

/** The folder that all files are in: the root of a server, or any folder of a static host. */
const ROOT = new URL('./', location.href).pathname
/** Every built file but the packed Python, and a digest of them all; the build fills them in. */
const FILES: string[] = (JSON.parse('__FILES__') as string[]).map((path) => ROOT + path)
const SHELL = 'shell-__VERSION__'

const REPLAYS = 'replays'
const MOST_REPLAYS = 80
const PAGE_TIMEOUT_MS = 4000

here.addEventListener('install', (event) => {
  event.waitUntil(fillShell().then(() => here.skipWaiting()))
})

async function fillShell(): Promise<void> {
  const shell = await caches.open(SHELL)
  await shell.addAll(FILES.map((path) => new Request(path, { cache: path.startsWith(`${ROOT}assets/`) ? 'default' : 'reload' })))
}

here.addEventListener('activate', (event) => {
  event.waitUntil(forgetOldShells().then(() => here.clients.claim()))
})

/** Keep the previous version: an open page may still load a part of it. */
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
  else if (FILES.includes(pathname) || pathname.startsWith(`${ROOT}assets/`) || pathname.startsWith(`${ROOT}python/`)) event.respondWith(file(request))
})

function isReplay(path: string): boolean {
  return path.startsWith('/api/replay/') || /^\/api\/(games\/[^/]+\/replay|reviews\/[^/]+\/lines\/\d+)$/.test(path) || isReview(path)
}

function isReview(path: string): boolean {
  return /^\/api\/(games\/[^/]+\/review|reviews\/[^/]+)$/.test(path)
}

/** Return whether an answer can be cached: a review changes until it is finished. */
async function isFinal(path: string, answer: Response): Promise<boolean> {
  if (!answer.ok) return false
  return !isReview(path) || ((await answer.json()) as { status: string }).status === 'done'
}

/** Return the newest page, or the cached one if the network is slow or down. Every address has the same page. */
async function page(request: Request): Promise<Response> {
  const kept = await caches.match(ROOT, { cacheName: SHELL })
  try {
    return await fetch(request, kept && { signal: AbortSignal.timeout(PAGE_TIMEOUT_MS) })
  } catch (exc) {
    if (kept) return kept
    throw exc
  }
}

/** Return a built file from any cache: a name under assets changes with the content. */
async function file(request: Request): Promise<Response> {
  const shell = await caches.open(SHELL)
  return (await shell.match(request)) ?? (await caches.match(request)) ?? fetch(request)
}

async function replay(request: Request): Promise<Response> {
  const kept = await caches.open(REPLAYS)
  try {
    const answer = await fetch(request)
    if (await isFinal(new URL(request.url).pathname, answer.clone())) await keepReplay(kept, request, answer.clone())
    return answer
  } catch (exc) {
    const found = await kept.match(request)
    if (found) return found
    throw exc
  }
}

async function keepReplay(kept: Cache, request: Request, answer: Response): Promise<void> {
  await kept.delete(request)
  await kept.put(request, answer)
  const games = await kept.keys()
  await Promise.all(games.slice(0, -MOST_REPLAYS).map((game) => kept.delete(game)))
}

handleTurnNotifications(self as unknown as PushScope)
