// A question that nobody answers is asked again on another line, if asking twice does no harm; nobody waits for ever.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ask, PATIENCE, Refused } from './api'

/** How each line behaves, in the order in which they are taken: it answers, or nothing ever passes on it. */
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
const network = (asked: Promise<unknown>): Promise<unknown> => asked.catch((problem: unknown) => (problem instanceof Refused ? problem.rule : problem))

describe('a question', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  it('is asked once if it is answered', async () => {
    const taken = lines(well())
    expect(await ask('GET', '/api/games')).toEqual({ games: [] })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(taken).toHaveBeenCalledTimes(1)
    expect(taken.mock.calls[0]?.[1].signal?.aborted).toBe(false)
  })

  it('is asked again on another line if nothing comes back', async () => {
    const taken = lines('dead', 'dead', well())
    const asked = ask('GET', '/api/games')
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await asked).toEqual({ games: [] })
    expect(taken).toHaveBeenCalledTimes(3)
  })

  it('is given up in the end', async () => {
    const taken = lines()
    const asked = network(ask('GET', '/api/games'))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await asked).toBe('network')
    expect(taken).toHaveBeenCalledTimes(PATIENCE.GET.length)
  })

  it('that does something is asked only once', async () => {
    const taken = lines('dead', well())
    const asked = network(ask('POST', '/api/games', {}))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await asked).toBe('network')
    expect(taken).toHaveBeenCalledTimes(1)
  })

  it('is not asked again where there is no network at all', async () => {
    const taken = vi.fn(() => Promise.reject(new TypeError('Failed to fetch')))
    vi.stubGlobal('fetch', taken)
    expect(await network(ask('GET', '/api/games'))).toBe('network')
    expect(taken).toHaveBeenCalledTimes(1)
  })
})
