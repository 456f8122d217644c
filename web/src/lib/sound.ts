// Synthesized sounds: picking up, laying, falling, scoring, winning, and a chime for one's turn.
import { settings } from './settings.svelte'

let context: AudioContext | null = null
/** Sounds that have not ended, with the time at which they begin. */
const coming = new Map<OscillatorNode, number>()

function tone(frequency: number, seconds: number, volume: number, kind: OscillatorType, after = 0): void {
  if (!settings.sound || document.hidden || !navigator.userActivation?.hasBeenActive) return
  context ??= new AudioContext()
  const start = context.currentTime + after
  const oscillator = new OscillatorNode(context, { type: kind, frequency })
  const gain = new GainNode(context, { gain: 0 })
  gain.gain.setValueAtTime(volume, start)
  gain.gain.exponentialRampToValueAtTime(0.0001, start + seconds)
  oscillator.connect(gain).connect(context.destination)
  oscillator.start(start)
  oscillator.stop(start + seconds)
  coming.set(oscillator, start)
  oscillator.onended = () => coming.delete(oscillator)
}

/** Drop the sounds that have not begun. */
export function hush(): void {
  for (const [oscillator, start] of coming) if (context && start > context.currentTime) oscillator.stop()
}

/** A tile is lifted. */
export function lift(): void {
  tone(1500, 0.035, 0.025, 'sine')
}

/** A tile is laid: a ceramic click. */
export function click(after = 0): void {
  tone(2100, 0.05, 0.06, 'triangle', after)
  tone(3400, 0.03, 0.03, 'sine', after)
}

/** A tile falls: a soft knock. */
export function knock(after = 0): void {
  tone(150, 0.12, 0.12, 'sine', after)
}

const SCALE = [523, 587, 659, 784, 880, 1047, 1175, 1319, 1568, 1760]

/** Points are scored: the more, the higher; losing sounds low. */
export function score(points: number, after = 0): void {
  if (points < 0) return tone(196, 0.25, 0.08, 'triangle', after)
  tone(SCALE[Math.min(points, SCALE.length) - 1] ?? SCALE[0]!, 0.3, 0.05, 'triangle', after)
}

/** The game is won. */
export function fanfare(): void {
  for (const [i, frequency] of [523, 659, 784, 1047].entries()) tone(frequency, i === 3 ? 0.9 : 0.35, 0.06, 'triangle', i * 0.13)
  tone(1319, 0.9, 0.04, 'sine', 0.39)
}

/** It is the reader's turn, who was waiting. */
export function chime(): void {
  tone(880, 0.35, 0.05, 'sine')
  tone(1318, 0.5, 0.04, 'sine', 0.11)
}
