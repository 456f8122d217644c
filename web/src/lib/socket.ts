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

export const PING_EVERY = 15_000
/** Who is asked says something within this time, or is not there. */
export const PATIENCE = 4_000
const LONGEST = 15_000
const NOT_ALLOWED = 4003

/** Full jitter: any time up to a limit that doubles with each try. */
export function pause(tries: number, random: () => number = Math.random): number {
  return random() * Math.min(LONGEST, 400 * 2 ** tries)
}

/** How long a line may take to open: one that was open before should be there soon, and is given longer each time. */
export function knock(tries: number): number {
  return tries ? Math.min(LONGEST, 500 * 2 ** tries) : PATIENCE
}

export class Connection {
  private socket: WebSocket | null = null
  private readonly waiting = new Map<string, Keyed>()
  private question: Foresee | null = null
  private tries = 0
  private closed = false
  private timer = 0
  private ping = 0
  private silence = 0

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
    if (this.socket?.readyState !== WebSocket.OPEN) return
    this.socket.send(JSON.stringify(message))
    this.expect()
  }

  /** From now on somebody should be heard: whatever comes is a sign of life. */
  private expect(patience = PATIENCE): void {
    this.silence ||= window.setTimeout(() => this.abandon(), patience)
  }

  private relax(): void {
    clearTimeout(this.silence)
    this.silence = 0
  }

  close(): void {
    this.closed = true
    removeEventListener('online', this.hurry)
    document.removeEventListener('visibilitychange', this.hurry)
    clearTimeout(this.timer)
    clearInterval(this.ping)
    this.relax()
    this.socket?.close()
  }

  /** Who comes back to the page, or to a network, wants to play now: a line that slept may be dead without knowing it. */
  private readonly hurry = (): void => {
    if (this.closed || document.hidden) return
    if (this.socket) return this.say({ type: 'ping', n: 0 })
    clearTimeout(this.timer)
    this.open()
  }

  private open(): void {
    this.ears.line(this.tries ? 'lost' : 'connecting')
    const socket = new WebSocket(this.address)
    this.socket = socket
    socket.onopen = () => this.greet()
    socket.onmessage = (event) => this.hear(JSON.parse(String(event.data)) as FromServer)
    socket.onclose = (event) => this.lose(event.code)
    this.expect(knock(this.tries))
  }

  private greet(): void {
    this.relax()
    this.say({ type: 'hello', have: this.ears.have() })
    for (const wish of this.waiting.values()) this.say(wish)
    if (this.question) this.say(this.question)
    clearInterval(this.ping)
    this.ping = window.setInterval(() => this.say({ type: 'ping', n: 0 }), PING_EVERY)
  }

  private hear(message: FromServer): void {
    this.relax()
    if (message.type === 'step') {
      this.tries = 0
      this.ears.line('live')
    }
    if (message.type === 'foreseen' && message.move === this.question?.move) this.question = null
    if (message.type === 'ack' || message.type === 'refusal') this.waiting.delete(message.key)
    if (this.waiting.size) this.expect()
    this.ears.hear(message)
  }

  /** Leave a line on which nobody answers: it may take minutes to notice that itself. */
  private abandon(): void {
    const dead = this.socket!
    dead.onopen = dead.onmessage = dead.onclose = null
    dead.close()
    this.lose(0)
  }

  private lose(code: number): void {
    this.socket = null
    clearInterval(this.ping)
    this.relax()
    if (this.closed) return
    this.tries += 1
    this.ears.line('lost')
    if (code === NOT_ALLOWED) return
    this.timer = window.setTimeout(() => this.open(), pause(this.tries))
  }
}
