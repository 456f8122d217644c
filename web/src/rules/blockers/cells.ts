// Names of the cells and tiles of Blockers!.
import { t, type Key } from '../../lib/i18n.svelte'

export const SYMBOLS = 'shapdcmto'
export const nine = [0, 1, 2, 3, 4, 5, 6, 7, 8]

export function nameOf(cell: number): string {
  return `${'ABCDEFGHI'[Math.floor(cell / 9)]}${(cell % 9) + 1}`
}

export function faceName(face: string): string {
  return SYMBOLS.includes(face) || face === 'w' ? t(`rules.symbol.${face}` as Key) : face
}

export function tileName(colour: string, face: string): string {
  return colour === '.' ? '' : `${t(`rules.colour.${colour}` as Key)} ${faceName(face)}`
}
