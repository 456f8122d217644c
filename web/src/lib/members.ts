// The login methods of this server; none if it has only guests.
import type { LoginMethods } from '../protocol.gen'
import { fetchJson } from './api'

export type LoginMethod = LoginMethods['methods'][number]

export async function loginMethods(): Promise<LoginMethods> {
  return fetchJson<LoginMethods>('GET', '/api/members')
}
