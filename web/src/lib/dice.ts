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

/** Who sits down again promises a new number: the old one has been seen. */
export function forgetNumber(game: string, seat: number): void {
  localStorage.removeItem(nameOf(game, seat))
}
