// Opens a game that begins with the first acts of another one: on the server, or at this device.
import type { BranchBody, GameMade, HereBranch, HereMade } from '../protocol.gen'
import { fetchJson } from './api'
import { keepInvitations } from './invitations'
import { ensurePerson, lastName } from './session.svelte'

/** A player of the new game: a person, or a bot of some level. On a server, the first person is the reader. */
interface Player {
  name: string
  level?: string
}

/** Return the address of the new table. */
export async function openBranch(record: string, acts: number, players: Player[], here: boolean): Promise<string> {
  if (here) {
    const made = await fetchJson<HereMade>('POST', '/api/here/branch', { record, acts, players } satisfies HereBranch)
    return `/table/${made.id}`
  }
  await ensurePerson(lastName())
  const reader = players.findIndex(({ level }) => !level)
  const seats = players.map(({ level }, seat): BranchBody['seats'][number] => (level ? { kind: 'bot', level } : { kind: seat === reader ? 'me' : 'open' }))
  const made = await fetchJson<GameMade>('POST', '/api/branches', { record, acts, seats } satisfies BranchBody)
  keepInvitations(made)
  return `/table/${made.id}`
}
