// JSON requests to the server over HTTP.
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly rule: string,
    message: string,
  ) {
    super(message)
  }
}

type Method = 'GET' | 'POST' | 'DELETE'

/** Time until a response must begin, for each attempt.
 *
 * A kept-alive connection may be dead without the browser knowing, so reads are retried on a new one.
 * The last timeout is longer than the server makes any client wait.
 */
export const TIMEOUTS_MS: Record<Method, readonly number[]> = { GET: [4_000, 4_000, 20_000], POST: [30_000], DELETE: [30_000] }

export async function fetchJson<T>(method: Method, path: string, body?: unknown): Promise<T> {
  const headers = body === undefined ? undefined : { 'content-type': 'application/json' }
  const text = body === undefined ? undefined : JSON.stringify(body)
  const answer = await fetchWithTimeouts(path, { method, headers, body: text, credentials: 'same-origin' }, TIMEOUTS_MS[method])
  const read: unknown = await answer.json().catch(() => ({ rule: 'answer', message: answer.statusText }))
  if (answer.ok) return read as T
  const { rule, message } = read as { rule: string; message: string }
  throw new ApiError(answer.status, rule, message)
}

async function fetchWithTimeouts(path: string, request: RequestInit, [timeout, ...more]: readonly number[]): Promise<Response> {
  const silence = new AbortController()
  const timer = setTimeout(() => silence.abort(), timeout)
  try {
    return await fetch(path, { ...request, signal: silence.signal })
  } catch {
    if (silence.signal.aborted && more.length) return fetchWithTimeouts(path, request, more)
    throw new ApiError(0, 'network', 'the server does not answer')
  } finally {
    clearTimeout(timer)
  }
}
