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

export async function ask<T>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<T> {
  const headers = body === undefined ? undefined : { 'content-type': 'application/json' }
  const text = body === undefined ? undefined : JSON.stringify(body)
  let answer: Response
  try {
    answer = await fetch(path, { method, headers, body: text, credentials: 'same-origin' })
  } catch {
    throw new Refused(0, 'network', 'the server does not answer')
  }
  const read: unknown = await answer.json().catch(() => ({ rule: 'answer', why: answer.statusText }))
  if (answer.ok) return read as T
  const { rule, why } = read as { rule: string; why: string }
  throw new Refused(answer.status, rule, why)
}
