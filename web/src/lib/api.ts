// Questions to the server over HTTP.
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly rule: string,
    readonly why: string,
  ) {
    super(why)
  }
}

type Method = 'GET' | 'POST' | 'DELETE'

/** So many milliseconds may pass before an answer begins, each time that it is asked.
 *
 * A line that was left open may have died without a word, and browsers take it again all the same; what only reads is
 * asked again on another one. The last time is longer than anybody is made to wait by the server.
 */
export const PATIENCE: Record<Method, readonly number[]> = { GET: [4_000, 4_000, 20_000], POST: [30_000], DELETE: [30_000] }

export async function ask<T>(method: Method, path: string, body?: unknown): Promise<T> {
  const headers = body === undefined ? undefined : { 'content-type': 'application/json' }
  const text = body === undefined ? undefined : JSON.stringify(body)
  const answer = await answerTo(path, { method, headers, body: text, credentials: 'same-origin' }, PATIENCE[method])
  const read: unknown = await answer.json().catch(() => ({ rule: 'answer', why: answer.statusText }))
  if (answer.ok) return read as T
  const { rule, why } = read as { rule: string; why: string }
  throw new Refused(answer.status, rule, why)
}

async function answerTo(path: string, request: RequestInit, [patience, ...more]: readonly number[]): Promise<Response> {
  const silence = new AbortController()
  const timer = setTimeout(() => silence.abort(), patience)
  try {
    return await fetch(path, { ...request, signal: silence.signal })
  } catch {
    if (silence.signal.aborted && more.length) return answerTo(path, request, more)
    throw new Refused(0, 'network', 'the server does not answer')
  } finally {
    clearTimeout(timer)
  }
}
