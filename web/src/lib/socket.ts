// The line to one table. It comes back by itself, and a wish that was not acknowledged is sent again with its key.
import type { Foresee, FromClient, FromServer, Play, Pledge, Reveal, Wish } from '../wire'

export type Keyed = Play | Pledge | Reveal | Wish
/** A wish without its key. */
export type Bare = Keyed extends infer W ? (W extends Keyed ? Omit<W, 'key'> : never) : never
export type Line = 'connecting' | 'live' | 'lost'

export interface Ears {
  hear(message: FromServer): void
  line(line: Line): void
  /** The number of the last entry that was seen. */
  have(): number
}

const PING_EVERY = 15_000
const PATIENCE = 8_000
const NOT_ALLOWED = 4003

/** Full jitter: any time up to a limit that doubles with each try. */
export function pause(tries: number, random: () => number = Math.random): number {
  return random() * Math.min(15_000, 400 * 2 ** tries)
}

export class Connection {
  private socket: WebSocket | null = null
  private readonly waiting = new Map<string, Keyed>()
  private question: Foresee | null = null
  private tries = 0
  private closed = false
  private timer = 0
  private ping = 0
  private heard = 0

  constructor(
    private readonly address: string,
    private readonly ears: Ears,
  ) {
    addEventListener('online', this.hurry)
    document.addEventListener('visibilitychange', this.hurry)
    this.open()
  }

  /** Send a wish, now or when the line is back; gives its key. */
  wish(wish: Bare): string {
    const key = crypto.randomUUID()
    const keyed = { ...wish, key } as Keyed
    this.waiting.set(key, keyed)
    this.say(keyed)
    return key
  }

  /** Ask; only the last question matters, and it is asked again if the line was lost before the answer. */
  ask(question: Foresee): void {
    this.question = question
    this.say(question)
  }

  private say(message: FromClient): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message))
  }

  close(): void {
    this.closed = true
    removeEventListener('online', this.hurry)
    document.removeEventListener('visibilitychange', this.hurry)
    clearTimeout(this.timer)
    clearInterval(this.ping)
    this.socket?.close()
  }

  private readonly hurry = (): void => {
    if (this.closed || document.hidden || this.socket) return
    clearTimeout(this.timer)
    this.open()
  }

  private open(): void {
    this.ears.line(this.tries ? 'lost' : 'connecting')
    const socket = new WebSocket(this.address)
    this.socket = socket
    socket.onopen = () => this.greet()
    socket.onmessage = (event) => this.hear(JSON.parse(String(event.data)) as FromServer)
    socket.onclose = (event) => this.lose(socket, event.code)
  }

  private greet(): void {
    this.heard = Date.now()
    this.say({ type: 'hello', have: this.ears.have() })
    for (const wish of this.waiting.values()) this.say(wish)
    if (this.question) this.say(this.question)
    clearInterval(this.ping)
    this.ping = window.setInterval(() => this.check(), PING_EVERY)
  }

  private check(): void {
    if (Date.now() - this.heard > PING_EVERY + PATIENCE) this.socket?.close()
    else this.say({ type: 'ping', n: 0 })
  }

  private hear(message: FromServer): void {
    this.heard = Date.now()
    if (message.type === 'step') {
      this.tries = 0
      this.ears.line('live')
    }
    if (message.type === 'foreseen' && message.move === this.question?.move) this.question = null
    if (message.type === 'ack' || message.type === 'refusal') this.waiting.delete(message.key)
    this.ears.hear(message)
  }

  private lose(socket: WebSocket, code: number): void {
    if (this.socket !== socket) return
    this.socket = null
    clearInterval(this.ping)
    if (this.closed) return
    this.tries += 1
    this.ears.line('lost')
    if (code === NOT_ALLOWED) return
    this.timer = window.setTimeout(() => this.open(), pause(this.tries))
  }
}
