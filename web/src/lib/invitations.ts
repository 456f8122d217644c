// The links to the free seats of tables that were set in this browser; the server keeps only their digests.
import type { GameMade, Invitation } from '../wire'

const nameOf = (game: string): string => `tessella.invitations.${game}`

export function keepInvitations(made: GameMade): void {
  if (made.invitations.length) localStorage.setItem(nameOf(made.id), JSON.stringify(made.invitations))
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
