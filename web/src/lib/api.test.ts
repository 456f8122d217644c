// Reads that get no response are retried on a new connection; every request ends in time.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fetchJson, TIMEOUTS_MS, ApiError } from './api'

/** Each connection in turn: it responds, or it stays silent. */
function lines(...all: (Response | 'dead')[]) {
  const take = vi.fn((_path: string, { signal }: RequestInit) => {
    const line = all.shift() ?? 'dead'
    if (line !== 'dead') return Promise.resolve(line)
    return new Promise<Response>((_, refuse) => signal!.addEventListener('abort', () => refuse(signal!.reason as Error)))
  })
  vi.stubGlobal('fetch', take)
  return take
}

const well = (): Response => Response.json({ games: [] })
const network = (asked: Promise<unknown>): Promise<unknown> => asked.catch((exc: unknown) => (exc instanceof ApiError ? exc.rule : exc))

describe('a request', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  it('is sent once if it gets a response', async () => {
    const taken = lines(well())
    expect(await fetchJson('GET', '/api/games')).toEqual({ games: [] })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(taken).toHaveBeenCalledTimes(1)
    expect(taken.mock.calls[0]?.[1].signal?.aborted).toBe(false)
  })

  it('is retried on another connection if it gets no response', async () => {
    const taken = lines('dead', 'dead', well())
    const asked = fetchJson('GET', '/api/games')
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await asked).toEqual({ games: [] })
    expect(taken).toHaveBeenCalledTimes(3)
  })

  it('fails after the last timeout', async () => {
    const taken = lines()
    const asked = network(fetchJson('GET', '/api/games'))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await asked).toBe('network')
    expect(taken).toHaveBeenCalledTimes(TIMEOUTS_MS.GET.length)
  })

  it('that changes something is sent only once', async () => {
    const taken = lines('dead', well())
    const asked = network(fetchJson('POST', '/api/games', {}))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await asked).toBe('network')
    expect(taken).toHaveBeenCalledTimes(1)
  })

  it('is not retried without a network', async () => {
    const taken = vi.fn(() => Promise.reject(new TypeError('Failed to fetch')))
    vi.stubGlobal('fetch', taken)
    expect(await network(fetchJson('GET', '/api/games'))).toBe('network')
    expect(taken).toHaveBeenCalledTimes(1)
  })
})
