// Invitation links of tables set in this browser; the server stores only their digests.
import type { GameMade, Invitation } from '../protocol.gen'

const nameOf = (game: string): string => `tessella.invitations.${game}`

export function keepInvitations({ id, invitations }: Pick<GameMade, 'id' | 'invitations'>): void {
  if (invitations.length) localStorage.setItem(nameOf(id), JSON.stringify(invitations))
}

export function forgetInvitations(game: string): void {
  localStorage.removeItem(nameOf(game))
}

export function invitations(game: string): Invitation[] {
  try {
    return JSON.parse(localStorage.getItem(nameOf(game)) ?? '[]') as Invitation[]
  } catch {
    return []
  }
}

export function linkFor(game: string, invitation: Invitation): string {
  return `${location.origin}/join/${game}#${invitation.secret}`
}
