// The worker that runs Python: loads it, keeps its files and the games, and passes messages. It knows no rules.
import type { FromWorker, Packed, ToWorker } from './messages'

declare const __PYTHON__: Packed

interface Tab {
  request(method: string, path: string, body: string): string
  connect(link: string, game: string): void
  disconnect(link: string): void
  receive(link: string, text: string): void
  sync(kept: string): void
  step(): boolean
}

interface Pyodide {
  unpackArchive(archive: ArrayBuffer, format: string, options: { extractDir: string }): void
  runPython(code: string): unknown
}

const here = self as unknown as DedicatedWorkerGlobalScope
const { version, files } = __PYTHON__
const folder = new URL(`${version}/`, location.href).href
const CACHE = `python-${version}`
const PACKAGES = '/lib/python3.14/site-packages'
const MOST_STEPS_MS = 50

const post = (message: FromWorker): void => here.postMessage(message)

// Files

let loaded = 0
const total = Object.values(files).reduce((sum, size) => sum + size, 0)

function count(bytes: number): void {
  loaded += bytes
  post({ type: 'progress', loaded: Math.min(loaded, total), total })
}

/** Return a file from the cache, or from the network and keep it. */
async function load(name: string): Promise<Uint8Array<ArrayBuffer>> {
  const address = folder + name
  const cache = 'caches' in here ? await caches.open(CACHE).catch(() => null) : null
  const kept = await cache?.match(address)
  if (kept) {
    const bytes = new Uint8Array(await kept.arrayBuffer())
    count(files[name]!)
    return bytes
  }
  const answer = await fetch(address)
  if (!answer.ok || !answer.body) throw new Error(`${name}: ${answer.status}`)
  const bytes = await read(answer.body, files[name]!)
  await cache?.put(address, new Response(bytes, { headers: { 'content-type': answer.headers.get('content-type') ?? 'application/octet-stream' } }))
  return bytes
}

async function read(body: ReadableStream<Uint8Array>, size: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(size)
  let at = 0
  for (const reader = body.getReader(); ; ) {
    const { done, value } = await reader.read()
    if (done) return bytes
    bytes.set(value, at)
    at += value.length
    count(value.length)
  }
}

async function forgetOldVersions(): Promise<void> {
  const old = (await caches.keys()).filter((name) => name.startsWith('python-') && name !== CACHE)
  await Promise.all(old.map((name) => caches.delete(name)))
}

// Games, kept in the browser

const STORE = 'games'

function openGames(): Promise<IDBDatabase> {
  return new Promise((done, failed) => {
    const opening = indexedDB.open('tessella', 1)
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE)
    opening.onsuccess = () => done(opening.result)
    opening.onerror = () => failed(opening.error)
  })
}

let database: IDBDatabase

function readGames(): Promise<string[]> {
  return new Promise((done, failed) => {
    const reading = database.transaction(STORE).objectStore(STORE).getAll()
    reading.onsuccess = () => done(reading.result as string[])
    reading.onerror = () => failed(reading.error)
  })
}

// Python

async function start(): Promise<Tab> {
  const began = performance.now()
  const names = Object.keys(files)
  const held = new Map(await Promise.all(names.map(async (name) => [name, await load(name)] as const)))
  const wasm = new Response(new Blob([held.get('pyodide.asm.wasm.gz')!]).stream().pipeThrough(new DecompressionStream('gzip')), { headers: { 'content-type': 'application/wasm' } })
  const network = here.fetch.bind(here)
  here.fetch = (input, init) => {
    const name = String(input instanceof Request ? input.url : input).split('/').at(-1)!
    if (name === 'pyodide.asm.wasm') return Promise.resolve(wasm)
    return held.has(name) ? Promise.resolve(new Response(held.get(name)!)) : network(input, init)
  }
  const { loadPyodide } = (await import(/* @vite-ignore */ `${folder}pyodide.mjs`)) as { loadPyodide(options: object): Promise<Pyodide> }
  const python = await loadPyodide({ indexURL: folder, lockFileContents: new TextDecoder().decode(held.get('pyodide-lock.json')), enableRunUntilComplete: false, env: { HOME: '/home', PYTHONWARNINGS: 'ignore' } })
  python.unpackArchive(held.get('tessella.zip')!.buffer, 'zip', { extractDir: PACKAGES })
  here.fetch = network
  held.clear()
  database = await openGames()
  const kept = await readGames()
  const send = (kind: string, key: string, text: string): void => {
    if (kind === 'message') return post({ type: 'message', link: key, text })
    const games = database.transaction(STORE, 'readwrite').objectStore(STORE)
    if (kind === 'keep') games.put(text, key)
    else games.delete(key)
    post({ type: kind === 'keep' ? 'kept' : 'dropped', game: key })
  }
  const make = python.runPython('from tessella.local.browser import Tab; Tab') as (post: typeof send, kept: string) => Tab
  const tab = make(send, `[${kept.join(',')}]`)
  for (const text of kept) post({ type: 'kept', game: (JSON.parse(text) as { id: string }).id })
  post({ type: 'ready', seconds: (performance.now() - began) / 1000 })
  void forgetOldVersions().catch(() => undefined)
  return tab
}

const ready = start()
ready.catch((exc: unknown) => post({ type: 'failed', message: String(exc) }))

// Messages: bots move and reviews go on between them

let working = false

async function work(): Promise<void> {
  if (working) return
  working = true
  const tab = await ready
  try {
    while (workOn(tab)) await new Promise((wake) => setTimeout(wake))
  } catch (exc) {
    post({ type: 'failed', message: String(exc) })
  }
  working = false
}

/** Work for a moment; return whether there is more to do. */
function workOn(tab: Tab): boolean {
  const until = performance.now() + MOST_STEPS_MS
  let more = tab.step()
  while (more && performance.now() < until) more = tab.step()
  return more
}

/** Answer a request; a fault of ours must not leave the page waiting. */
function reply(tab: Tab, method: string, path: string, body: string): string {
  try {
    return tab.request(method, path, body)
  } catch (exc) {
    return JSON.stringify({ status: 500, body: { rule: 'fault', message: String(exc) } })
  }
}

/** Whoever comes to a game or asks for the list sees what other tabs have played since. */
const isStale = (data: ToWorker): boolean => data.type === 'connect' || (data.type === 'ask' && data.method === 'GET' && data.path === '/api/here')

async function handle(data: ToWorker): Promise<void> {
  const tab = await ready
  if (isStale(data)) tab.sync(`[${(await readGames()).join(',')}]`)
  if (data.type === 'ask') post({ type: 'reply', id: data.id, text: reply(tab, data.method, data.path, data.body) })
  else if (data.type === 'connect') tab.connect(data.link, data.game)
  else if (data.type === 'disconnect') tab.disconnect(data.link)
  else tab.receive(data.link, data.text)
  void work()
}

// One after the other: reading the games may not let a later message pass.
let handled: Promise<void> = Promise.resolve()
here.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  handled = handled.then(() => handle(data)).catch((exc: unknown) => post({ type: 'failed', message: String(exc) }))
}
