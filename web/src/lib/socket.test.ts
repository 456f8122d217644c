// A lost or silent connection is replaced, and unacknowledged requests are sent again.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { FromClient, FromServer } from '../protocol.gen'
import { Connection, REPLY_TIMEOUT_MS, PING_INTERVAL_MS, backoff, openTimeout } from './socket'

class Socket {
  static readonly OPEN = 1
  static readonly all: Socket[] = []
  static get last(): Socket {
    return this.all.at(-1)!
  }
  readyState = 0
  closed = false
  readonly sent: FromClient[] = []
  onopen: (() => void) | null = null
  onmessage: ((event: { data: string }) => void) | null = null
  onclose: ((event: { code: number }) => void) | null = null
  constructor(readonly address: string) {
    Socket.all.push(this)
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text) as FromClient)
  }
  close(): void {
    this.closed = true
  }
  open(): void {
    this.readyState = Socket.OPEN
    this.onopen?.()
  }
  receive(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) })
  }
  get kinds(): string[] {
    return this.sent.map(({ type }) => type)
  }
}

const UPDATE = { type: 'update' } as FromServer
const PLAY = { type: 'play', number: 3, move: 'F1-blue-2' } as const
const wake = new Map<string, () => void>()
const listening = { addEventListener: (name: string, hear: () => void) => wake.set(name, hear), removeEventListener: (name: string) => wake.delete(name) }

function arrive() {
  const states: string[] = []
  const received: FromServer[] = []
  const connection = new Connection('ws://table', { receive: (message) => received.push(message), state: (state) => states.push(state), lastEntry: () => 7 })
  Socket.last.open()
  Socket.last.receive(UPDATE)
  return { connection, states, received }
}

beforeEach(() => {
  Socket.all.length = 0
  vi.useFakeTimers()
  // each delay at its longest, so that a count of attempts never depends on luck
  vi.spyOn(Math, 'random').mockReturnValue(1)
  vi.stubGlobal('WebSocket', Socket)
  vi.stubGlobal('window', globalThis)
  vi.stubGlobal('document', { hidden: false, ...listening })
  vi.stubGlobal('addEventListener', listening.addEventListener)
  vi.stubGlobal('removeEventListener', listening.removeEventListener)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe('reconnecting', () => {
  it('waits a random time, up to a limit that grows with each attempt', () => {
    expect(backoff(0, () => 1)).toBe(400)
    expect(backoff(3, () => 1)).toBe(3200)
    expect(backoff(30, () => 1)).toBe(15_000)
    expect(backoff(3, () => 0)).toBe(0)
  })
  it('says which entry it has, and resends requests with the same key', () => {
    const { connection, states } = arrive()
    const key = connection.request(PLAY)
    Socket.last.onclose!({ code: 1006 })
    vi.advanceTimersByTime(backoff(1, () => 1))
    expect(Socket.all).toHaveLength(2)
    Socket.last.open()
    expect(Socket.last.sent).toEqual([{ type: 'hello', have: 7 }, { ...PLAY, key }])
    expect(states).toEqual(['connecting', 'live', 'lost', 'lost'])
  })
  it('is not attempted if access is forbidden', () => {
    arrive()
    Socket.last.onclose!({ code: 4003 })
    vi.advanceTimersByTime(60_000)
    expect(Socket.all).toHaveLength(1)
  })
  it('stops when the page is closed', () => {
    const { connection } = arrive()
    connection.close()
    Socket.last.onclose!({ code: 1000 })
    vi.advanceTimersByTime(60_000)
    expect(Socket.all).toHaveLength(1)
    expect(wake.size).toBe(0)
  })
})

describe('a silent connection', () => {
  const soon = REPLY_TIMEOUT_MS + backoff(1, () => 1)
  it('is replaced when a request is not answered', () => {
    const { connection } = arrive()
    const dead = Socket.last
    const key = connection.request(PLAY)
    vi.advanceTimersByTime(soon)
    expect(dead.closed).toBe(true)
    Socket.last.open()
    expect(Socket.last.sent).toContainEqual({ ...PLAY, key })
  })
  it('is kept while anything is received, however long a request waits', () => {
    const { connection } = arrive()
    connection.request(PLAY)
    for (let times = 0; times < 5; times += 1) {
      vi.advanceTimersByTime(REPLY_TIMEOUT_MS - 1)
      Socket.last.receive(UPDATE)
    }
    expect(Socket.all).toHaveLength(1)
    vi.advanceTimersByTime(soon)
    expect(Socket.all).toHaveLength(2)
  })
  it('is kept when nothing was requested', () => {
    const { connection } = arrive()
    const key = connection.request(PLAY)
    Socket.last.receive({ type: 'ack', key, number: 4 })
    vi.advanceTimersByTime(PING_INTERVAL_MS - 1)
    expect(Socket.last.kinds).toEqual(['hello', 'play'])
    vi.advanceTimersByTime(1)
    expect(Socket.last.kinds).toEqual(['hello', 'play', 'ping'])
    Socket.last.receive({ type: 'pong', n: 0 })
    vi.advanceTimersByTime(REPLY_TIMEOUT_MS)
    expect(Socket.all).toHaveLength(1)
  })
  it('is replaced when a ping is not answered', () => {
    arrive()
    vi.advanceTimersByTime(PING_INTERVAL_MS + soon)
    expect(Socket.all).toHaveLength(2)
  })
  it('is tested at once when the reader returns to the page', () => {
    const { states } = arrive()
    wake.get('visibilitychange')!()
    expect(Socket.last.kinds).toEqual(['hello', 'ping'])
    vi.advanceTimersByTime(soon)
    expect(Socket.all).toHaveLength(2)
    expect(states.at(-1)).toBe('lost')
  })
  it('delivers no messages once it was replaced', () => {
    const { connection, received } = arrive()
    const dead = Socket.last
    connection.request(PLAY)
    vi.advanceTimersByTime(soon)
    dead.receive(UPDATE)
    dead.open()
    expect(received).toHaveLength(1)
    expect(Socket.last.sent).toEqual([])
  })
})

describe('a connection that does not open', () => {
  it('is retried with growing delays', () => {
    new Connection('ws://table', { receive: () => undefined, state: () => undefined, lastEntry: () => -1 })
    vi.advanceTimersByTime(60_000)
    expect(Socket.all.length).toBeGreaterThan(4)
    expect(Socket.all.length).toBeLessThan(16)
  })
  it('is replaced soon if it was open before, and given longer each time', () => {
    expect([0, 1, 2, 3, 9].map(openTimeout)).toEqual([REPLY_TIMEOUT_MS, 1000, 2000, 4000, 15_000])
    arrive()
    Socket.last.onclose!({ code: 1006 })
    vi.advanceTimersByTime(backoff(1, () => 1) + openTimeout(1) + backoff(2, () => 1))
    expect(Socket.all).toHaveLength(3)
    expect(Socket.all[1]!.closed).toBe(true)
  })
  it('is retried at once when the network returns', () => {
    arrive()
    Socket.last.onclose!({ code: 1006 })
    wake.get('online')!()
    expect(Socket.all).toHaveLength(2)
  })
})
