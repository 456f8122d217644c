// The ids of the games at this device, so that a page knows at once who answers for a game.
const KEY = 'tessella.here'
const READY = 'tessella.here.ready'

function ids(): string[] {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '[]') as string[]
  } catch {
    return []
  }
}

export function isHere(game: string): boolean {
  return ids().includes(game)
}

export function rememberHere(game: string): void {
  if (!isHere(game)) localStorage.setItem(KEY, JSON.stringify([...ids(), game]))
}

export function forgetHere(game: string): void {
  localStorage.setItem(KEY, JSON.stringify(ids().filter((one) => one !== game)))
}

/** Return whether Python has run in this browser before, so that it is kept and starts without a network. */
export function wasReady(): boolean {
  return localStorage.getItem(READY) !== null
}

export function rememberReady(): void {
  localStorage.setItem(READY, 'yes')
}
