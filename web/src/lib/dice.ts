// Our share of the fair dice: a number of our own behind a digest, shown when everybody has promised one.
const utf8 = new TextEncoder()

export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export function unhex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16))
}

/** SHA-256 of the parts, each preceded by its length as four bytes. */
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

/** The number of this browser for a seat; drawn once and kept, so that a reload does not break the promise. */
export function ownNumber(game: string, seat: number): string {
  const kept = localStorage.getItem(nameOf(game, seat))
  if (kept) return kept
  const drawn = hex(crypto.getRandomValues(new Uint8Array(32)))
  localStorage.setItem(nameOf(game, seat), drawn)
  return drawn
}

/** The number that this browser added to a game, if it still has it. */
export function keptNumber(game: string, seat: number): string | null {
  return localStorage.getItem(nameOf(game, seat))
}

const promiseOf = (game: string): string => `tessella.promise.${game}`

/** Note what the server promised before the game, so that it cannot be another promise afterwards. */
export function notePromise(game: string, commitment: string): void {
  if (!keptPromise(game)) localStorage.setItem(promiseOf(game), commitment)
}

export function keptPromise(game: string): string | null {
  return localStorage.getItem(promiseOf(game))
}

/** The seat that this browser had in a game, if it had one. */
export function keptSeat(game: string): number | null {
  const seat = [0, 1, 2, 3, 4].find((seat) => localStorage.getItem(nameOf(game, seat)))
  return seat ?? null
}

/** Who sits down again promises a new number: the old one has been seen. */
export function forgetNumber(game: string, seat: number): void {
  localStorage.removeItem(nameOf(game, seat))
}
