// A line that is lost, or that only looks alive, is left for another; what was wished is wished again.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { FromClient, FromServer } from '../wire'
import { Connection, PATIENCE, PING_EVERY, knock, pause } from './socket'

class Socket {
  static readonly OPEN = 1
  static readonly all: Socket[] = []
  static get last(): Socket {
    return this.all.at(-1)!
  }
  readyState = 0
  closed = false
  readonly said: FromClient[] = []
  onopen: (() => void) | null = null
  onmessage: ((event: { data: string }) => void) | null = null
  onclose: ((event: { code: number }) => void) | null = null
  constructor(readonly address: string) {
    Socket.all.push(this)
  }
  send(text: string): void {
    this.said.push(JSON.parse(text) as FromClient)
  }
  close(): void {
    this.closed = true
  }
  open(): void {
    this.readyState = Socket.OPEN
    this.onopen?.()
  }
  tell(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) })
  }
  get kinds(): string[] {
    return this.said.map(({ type }) => type)
  }
}

const STEP = { type: 'step' } as FromServer
const PLAY = { type: 'play', number: 3, move: 'F1-blue-2' } as const
const wake = new Map<string, () => void>()
const listening = { addEventListener: (name: string, hear: () => void) => wake.set(name, hear), removeEventListener: (name: string) => wake.delete(name) }

function arrive() {
  const lines: string[] = []
  const heard: FromServer[] = []
  const connection = new Connection('ws://table', { hear: (message) => heard.push(message), line: (line) => lines.push(line), have: () => 7 })
  Socket.last.open()
  Socket.last.tell(STEP)
  return { connection, lines, heard }
}

beforeEach(() => {
  Socket.all.length = 0
  vi.useFakeTimers()
  vi.stubGlobal('WebSocket', Socket)
  vi.stubGlobal('window', globalThis)
  vi.stubGlobal('document', { hidden: false, ...listening })
  vi.stubGlobal('addEventListener', listening.addEventListener)
  vi.stubGlobal('removeEventListener', listening.removeEventListener)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('coming back', () => {
  it('waits longer with each try, never beyond the limit, and at random', () => {
    expect(pause(0, () => 1)).toBe(400)
    expect(pause(3, () => 1)).toBe(3200)
    expect(pause(30, () => 1)).toBe(15_000)
    expect(pause(3, () => 0)).toBe(0)
  })
  it('says what was seen, and wishes again with the same key', () => {
    const { connection, lines } = arrive()
    const key = connection.wish(PLAY)
    Socket.last.onclose!({ code: 1006 })
    vi.advanceTimersByTime(pause(1, () => 1))
    expect(Socket.all).toHaveLength(2)
    Socket.last.open()
    expect(Socket.last.said).toEqual([{ type: 'hello', have: 7 }, { ...PLAY, key }])
    expect(lines).toEqual(['connecting', 'live', 'lost', 'lost'])
  })
  it('is not tried where one may not be', () => {
    arrive()
    Socket.last.onclose!({ code: 4003 })
    vi.advanceTimersByTime(60_000)
    expect(Socket.all).toHaveLength(1)
  })
  it('is over when the page is left', () => {
    const { connection } = arrive()
    connection.close()
    Socket.last.onclose!({ code: 1000 })
    vi.advanceTimersByTime(60_000)
    expect(Socket.all).toHaveLength(1)
    expect(wake.size).toBe(0)
  })
})

describe('a line that looks alive', () => {
  const soon = PATIENCE + pause(1, () => 1)
  it('is left when a wish is not answered', () => {
    const { connection } = arrive()
    const dead = Socket.last
    const key = connection.wish(PLAY)
    vi.advanceTimersByTime(soon)
    expect(dead.closed).toBe(true)
    Socket.last.open()
    expect(Socket.last.said).toContainEqual({ ...PLAY, key })
  })
  it('is kept while anything is heard, for as long as a wish waits', () => {
    const { connection } = arrive()
    connection.wish(PLAY)
    for (let times = 0; times < 5; times += 1) {
      vi.advanceTimersByTime(PATIENCE - 1)
      Socket.last.tell(STEP)
    }
    expect(Socket.all).toHaveLength(1)
    vi.advanceTimersByTime(soon)
    expect(Socket.all).toHaveLength(2)
  })
  it('is kept when nothing was asked', () => {
    const { connection } = arrive()
    const key = connection.wish(PLAY)
    Socket.last.tell({ type: 'ack', key, number: 4 })
    vi.advanceTimersByTime(PING_EVERY - 1)
    expect(Socket.last.kinds).toEqual(['hello', 'play'])
    vi.advanceTimersByTime(1)
    expect(Socket.last.kinds).toEqual(['hello', 'play', 'ping'])
    Socket.last.tell({ type: 'pong', n: 0 })
    vi.advanceTimersByTime(PATIENCE)
    expect(Socket.all).toHaveLength(1)
  })
  it('is left when a ping is not answered', () => {
    arrive()
    vi.advanceTimersByTime(PING_EVERY + soon)
    expect(Socket.all).toHaveLength(2)
  })
  it('is tried at once by who comes back to the page', () => {
    const { lines } = arrive()
    wake.get('visibilitychange')!()
    expect(Socket.last.kinds).toEqual(['hello', 'ping'])
    vi.advanceTimersByTime(soon)
    expect(Socket.all).toHaveLength(2)
    expect(lines.at(-1)).toBe('lost')
  })
  it('is not heard any more once it was left', () => {
    const { connection, heard } = arrive()
    const dead = Socket.last
    connection.wish(PLAY)
    vi.advanceTimersByTime(soon)
    dead.tell(STEP)
    dead.open()
    expect(heard).toHaveLength(1)
    expect(Socket.last.said).toEqual([])
  })
})

describe('a door that does not open', () => {
  it('is tried again, ever later', () => {
    new Connection('ws://table', { hear: () => undefined, line: () => undefined, have: () => -1 })
    vi.advanceTimersByTime(60_000)
    expect(Socket.all.length).toBeGreaterThan(4)
    expect(Socket.all.length).toBeLessThan(16)
  })
  it('is left soon for another if it was open before, and given longer each time', () => {
    expect([0, 1, 2, 3, 9].map(knock)).toEqual([PATIENCE, 1000, 2000, 4000, 15_000])
    arrive()
    Socket.last.onclose!({ code: 1006 })
    vi.advanceTimersByTime(pause(1, () => 1) + knock(1) + pause(2, () => 1))
    expect(Socket.all).toHaveLength(3)
    expect(Socket.all[1]!.closed).toBe(true)
  })
  it('is not waited for by who comes back to the network', () => {
    arrive()
    Socket.last.onclose!({ code: 1006 })
    wake.get('online')!()
    expect(Socket.all).toHaveLength(2)
  })
})
