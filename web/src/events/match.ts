// Duplicate matches of two: the link for the other player, and the players compared.
import type { Compared } from '../protocol.gen'

const nameOf = (match: string): string => `tessella.match.${match}`

/** Keep the secrets of the other player's seats; the server stores only their digests. */
export function keepLink(match: string, secrets: string[]): void {
  localStorage.setItem(nameOf(match), secrets.join('.'))
}

/** Return the link for the other player, or nothing if the match was not made in this browser. */
export function linkOf(match: string): string {
  const secrets = localStorage.getItem(nameOf(match))
  return secrets ? `${location.origin}/match/${match}#${secrets}` : ''
}

export type Total = { name: string; net: number }

/** Return by how much each player did better than the other in the same seats, the best first; nothing without scores. */
export function totals(compared: Compared[]): Total[] {
  const sums = new Map<string, number>()
  for (const { name, net } of compared) {
    if (net === null) return []
    sums.set(name, (sums.get(name) ?? 0) + net)
  }
  return [...sums].map(([name, net]) => ({ name, net })).sort((one, other) => other.net - one.net)
}
