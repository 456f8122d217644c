// JSON requests, to the server over HTTP or to the Python in this tab.
import { wasReady } from './here'
import { isAnsweredAnywhere, isLocal, type Method, type Reply } from './transport'

export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly rule: string,
    message: string,
  ) {
    super(message)
  }
}

/** Time until a response must begin, for each attempt.
 *
 * A kept-alive connection may be dead without the browser knowing, so reads are retried on a new one.
 * The last timeout is longer than the server makes any client wait.
 */
export const TIMEOUTS_MS: Record<Method, readonly number[]> = { GET: [4_000, 4_000, 20_000], POST: [30_000], DELETE: [30_000] }

export async function fetchJson<T>(method: Method, path: string, body?: unknown): Promise<T> {
  const reply = isLocal(path) ? await askHere(method, path, body) : await askServer(method, path, body)
  if (reply.status < 400) return reply.body as T
  const { rule, message } = reply.body as { rule: string; message: string }
  throw new ApiError(reply.status, rule, message)
}

async function askHere(method: Method, path: string, body?: unknown): Promise<Reply> {
  return (await import('../local/python')).ask(method, path, body)
}

/** Ask the server; without a network, what Python in this tab knows as well is asked there, if it has run before. */
async function askServer(method: Method, path: string, body?: unknown): Promise<Reply> {
  const headers = body === undefined ? undefined : { 'content-type': 'application/json' }
  const text = body === undefined ? undefined : JSON.stringify(body)
  try {
    const answer = await fetchWithTimeouts(path, { method, headers, body: text, credentials: 'same-origin' }, TIMEOUTS_MS[method])
    return { status: answer.status, body: await answer.json().catch(() => ({ rule: 'answer', message: answer.statusText })) }
  } catch (exc) {
    if (isAnsweredAnywhere(path) && wasReady()) return askHere(method, path, body)
    throw exc
  }
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
