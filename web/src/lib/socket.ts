// The WebSocket of one table. It reconnects by itself and resends unacknowledged requests with the same key.
import type { FromClient, FromServer, Preview, Say } from '../protocol.gen'
import { loadSession } from './session.svelte'
import type { Handlers, Link, NewRequest, Request } from './transport'

export const PING_INTERVAL_MS = 15_000
/** A server that sends nothing for this long after a message is considered gone. */
export const REPLY_TIMEOUT_MS = 4_000
const MAX_BACKOFF_MS = 15_000
const CLOSE_FORBIDDEN = 4003
const CLOSE_LOGGED_OUT = 4001

/** Return a random delay up to a limit that doubles with each attempt (full jitter). */
export function backoff(tries: number, random: () => number = Math.random): number {
  return random() * Math.min(MAX_BACKOFF_MS, 400 * 2 ** tries)
}

/** Return the time a connection may take to open; a reconnection starts short and gets longer. */
export function openTimeout(tries: number): number {
  return tries ? Math.min(MAX_BACKOFF_MS, 500 * 2 ** tries) : REPLY_TIMEOUT_MS
}

export class Connection implements Link {
  private socket: WebSocket | null = null
  private readonly waiting = new Map<string, Request>()
  private question: Preview | null = null
  private tries = 0
  private closed = false
  private timer = 0
  private ping = 0
  private silence = 0

  constructor(
    private readonly address: string,
    private readonly handlers: Handlers,
  ) {
    addEventListener('online', this.wake)
    document.addEventListener('visibilitychange', this.wake)
    this.open()
  }

  /** Send a request, now or after reconnecting; return its key. */
  request(request: NewRequest): string {
    const key = crypto.randomUUID()
    const keyed = { ...request, key } as Request
    this.waiting.set(key, keyed)
    this.send(keyed)
    return key
  }

  /** Request a preview; only the last one matters, and it is sent again after reconnecting. */
  ask(question: Preview): void {
    this.question = question
    this.send(question)
  }

  say(message: Say): void {
    this.send(message)
  }

  private send(message: FromClient): void {
    if (this.socket?.readyState !== WebSocket.OPEN) return
    this.socket.send(JSON.stringify(message))
    this.expectReply()
  }

  /** Drop the connection unless any message arrives in time. */
  private expectReply(timeout = REPLY_TIMEOUT_MS): void {
    this.silence ||= window.setTimeout(() => this.abandon(), timeout)
  }

  private cancelTimeout(): void {
    clearTimeout(this.silence)
    this.silence = 0
  }

  close(): void {
    this.closed = true
    removeEventListener('online', this.wake)
    document.removeEventListener('visibilitychange', this.wake)
    clearTimeout(this.timer)
    clearInterval(this.ping)
    this.cancelTimeout()
    this.socket?.close()
  }

  /** Test the connection at once when the page or the network returns: it may be dead after sleeping. */
  private readonly wake = (): void => {
    if (this.closed || document.hidden) return
    if (this.socket) return this.send({ type: 'ping', n: 0 })
    clearTimeout(this.timer)
    this.open()
  }

  private open(): void {
    this.handlers.state(this.tries ? 'lost' : 'connecting')
    const socket = new WebSocket(this.address)
    this.socket = socket
    socket.onopen = () => this.hello()
    socket.onmessage = (event) => this.receive(JSON.parse(String(event.data)) as FromServer)
    socket.onclose = (event) => this.lose(event.code)
    this.expectReply(openTimeout(this.tries))
  }

  private hello(): void {
    this.cancelTimeout()
    this.send({ type: 'hello', have: this.handlers.lastEntry() })
    for (const request of this.waiting.values()) this.send(request)
    if (this.question) this.send(this.question)
    clearInterval(this.ping)
    this.ping = window.setInterval(() => this.send({ type: 'ping', n: 0 }), PING_INTERVAL_MS)
  }

  private receive(message: FromServer): void {
    this.cancelTimeout()
    if (message.type === 'update') {
      this.tries = 0
      this.handlers.state('live')
    }
    if (message.type === 'preview' && message.move === this.question?.move) this.question = null
    if (message.type === 'ack' || message.type === 'error') this.waiting.delete(message.key)
    if (this.waiting.size) this.expectReply()
    this.handlers.receive(message)
  }

  /** Replace a silent connection: the browser may take minutes to notice. */
  private abandon(): void {
    const dead = this.socket!
    dead.onopen = dead.onmessage = dead.onclose = null
    dead.close()
    this.lose(0)
  }

  private lose(code: number): void {
    this.socket = null
    clearInterval(this.ping)
    this.cancelTimeout()
    if (this.closed) return
    this.tries += 1
    this.handlers.state('lost')
    if (code === CLOSE_FORBIDDEN) return
    if (code === CLOSE_LOGGED_OUT) loadSession().catch(() => undefined) // the page shows whether it was a ban
    this.timer = window.setTimeout(() => this.open(), backoff(this.tries))
  }
}
