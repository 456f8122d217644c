// Python in this tab: one worker for all games, started when it is first needed.
import address from './worker?worker&url'
import type { FromClient, FromServer, Handover, Sit } from '../protocol.gen'
import { forgetHere, rememberHere, rememberReady } from '../lib/here'
import type { Method, Reply } from '../lib/transport'
import { trusted } from '../lib/workers'
import type { FromWorker, ToWorker } from './messages'
import { python } from './progress.svelte'

type Receive = (message: FromServer | Handover) => void

const CONTROL_TIMEOUT_MS = 4_000
const links = new Map<string, Receive>()
const waiting = new Map<number, (reply: Reply) => void>()
let asked = 0
let started: Promise<Worker> | null = null
let running: Worker | null = null

/** Start Python, or return the one that runs; after a failure the next call tries again. */
function start(): Promise<Worker> {
  started ??= launch()
  return started
}

async function launch(): Promise<Worker> {
  python.state = 'loading'
  await controlled()
  const worker = new Worker(trusted(address) as string, { type: 'module', name: 'python' })
  running = worker
  worker.onmessage = ({ data }: MessageEvent<FromWorker>) => receive(data)
  worker.onerror = () => fail('the worker did not start')
  return worker
}

/** Wait for the service worker, which keeps the files of Python; without one they come from the network. */
async function controlled(): Promise<void> {
  const { serviceWorker } = navigator
  if (!import.meta.env.PROD || !serviceWorker) return
  await Promise.race([serviceWorker.ready, new Promise((wake) => setTimeout(wake, CONTROL_TIMEOUT_MS))])
}

function receive(message: FromWorker): void {
  switch (message.type) {
    case 'progress':
      python.loaded = message.loaded
      python.total = message.total
      return
    case 'ready':
      python.state = 'ready'
      python.seconds = message.seconds
      return rememberReady()
    case 'failed':
      return fail(message.message)
    case 'reply':
      waiting.get(message.id)?.(JSON.parse(message.text) as Reply)
      waiting.delete(message.id)
      return
    case 'message':
      return links.get(message.link)?.(JSON.parse(message.text) as FromServer | Handover)
    case 'kept':
      return rememberHere(message.game)
    case 'dropped':
      return forgetHere(message.game)
  }
}

function fail(message: string): void {
  python.state = 'failed'
  running?.terminate()
  running = started = null
  for (const answer of waiting.values()) answer({ status: 503, body: { rule: 'python', message } })
  waiting.clear()
}

async function post(message: ToWorker): Promise<void> {
  ;(await start()).postMessage(message)
}

/** Ask what a server would be asked over HTTP. */
export function ask(method: Method, path: string, body?: unknown): Promise<Reply> {
  const id = ++asked
  return new Promise((answer) => {
    waiting.set(id, answer)
    void post({ type: 'ask', id, method, path, body: body === undefined ? '' : JSON.stringify(body) })
  })
}

export function connect(link: string, game: string, handler: Receive): Promise<void> {
  links.set(link, handler)
  return post({ type: 'connect', link, game })
}

export function send(link: string, message: FromClient | Sit): Promise<void> {
  return post({ type: 'send', link, text: JSON.stringify(message) })
}

export function disconnect(link: string): Promise<void> {
  links.delete(link)
  return post({ type: 'disconnect', link })
}
