// Who answers a request: a server, or the Python in this tab. Both speak the messages of protocol.gen.ts.
import type { Command, Handover, FromServer, Play, Pledge, Preview, Reveal, Say } from '../protocol.gen'
import { isHere } from './here'
import { STANDALONE } from './standalone'

export type Method = 'GET' | 'POST' | 'DELETE'

/** The answer to a request: a status of HTTP, and JSON. */
export interface Reply {
  status: number
  body: unknown
}

export type Request = Play | Pledge | Reveal | Command
/** A request without its key. */
export type NewRequest = Request extends infer W ? (W extends Request ? Omit<W, 'key'> : never) : never
/** `elsewhere`: another tab shows this game, which is at this device; it goes on here when that one is closed. */
export type LinkState = 'connecting' | 'live' | 'lost' | 'elsewhere'

export interface Handlers {
  receive(message: FromServer): void
  state(state: LinkState): void
  /** Return the number of the last entry received. */
  lastEntry(): number
  /** Pass the screen to another person; only a game at this device asks for it. */
  handover?(message: Handover): void
}

/** The line to one table. */
export interface Link {
  /** Send a request; return its key. */
  request(request: NewRequest): string
  /** Request a preview; only the last one matters. */
  ask(question: Preview): void
  /** Say something; it is lost without a connection. */
  say(message: Say): void
  /** Show the screen to this person. */
  sit?(seat: number): void
  close(): void
}

/** Return whether the Python in this tab answers for a path. */
export function isLocal(path: string): boolean {
  if (STANDALONE || path.startsWith('/api/here')) return true
  const game = /^\/api\/games\/([a-z0-9]+)/.exec(path)?.[1]
  return game !== undefined && isHere(game)
}

/** Return whether the Python in this tab gives the same answer as a server. */
export function isAnsweredAnywhere(path: string): boolean {
  return /^\/api\/(titles|lessons|puzzles|replay|reviews)(?=$|[/?])/.test(path)
}
