// The client's part of the fair dice: a random number, pledged by its digest and revealed later.
const utf8 = new TextEncoder()

export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export function unhex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16))
}

/** Return the SHA-256 of the parts, each preceded by its length as four bytes. */
export async function digest(...parts: (string | Uint8Array)[]): Promise<Uint8Array> {
  const raw = parts.map((part) => (typeof part === 'string' ? utf8.encode(part) : part))
  const whole = new Uint8Array(raw.reduce((sum, part) => sum + part.length + 4, 0))
  let at = 0
  for (const part of raw) {
    new DataView(whole.buffer).setUint32(at, part.length)
    whole.set(part, at + 4)
    at += part.length + 4
  }
  return new Uint8Array(await crypto.subtle.digest('SHA-256', whole))
}

export async function pledge(game: string, seat: number, number: string): Promise<string> {
  return hex(await digest('client', game, String(seat), unhex(number)))
}

const nameOf = (game: string, seat: number): string => `tessella.dice.${game}.${seat}`

/** Return this browser's number for a seat; it is stored, so that a reload keeps the pledge. */
export function ownNumber(game: string, seat: number): string {
  const kept = localStorage.getItem(nameOf(game, seat))
  if (kept) return kept
  const drawn = hex(crypto.getRandomValues(new Uint8Array(32)))
  localStorage.setItem(nameOf(game, seat), drawn)
  return drawn
}

/** Return the number that this browser added to a game, or null. */
export function storedNumber(game: string, seat: number): string | null {
  return localStorage.getItem(nameOf(game, seat))
}

const commitmentKey = (game: string): string => `tessella.promise.${game}`

/** Store the server's commitment before the game, to compare it with the revealed seed afterwards. */
export function storeCommitment(game: string, commitment: string): void {
  if (!storedCommitment(game)) localStorage.setItem(commitmentKey(game), commitment)
}

export function storedCommitment(game: string): string | null {
  return localStorage.getItem(commitmentKey(game))
}

/** Return the seat that this browser had in a game, or null. */
export function storedSeat(game: string): number | null {
  const seat = [0, 1, 2, 3, 4].find((seat) => localStorage.getItem(nameOf(game, seat)))
  return seat ?? null
}

/** Forget a number that was revealed; sitting down again draws a new one. */
export function forgetNumber(game: string, seat: number): void {
  localStorage.removeItem(nameOf(game, seat))
}
