// Synthesized sounds: a ceramic click, a soft knock, a chime.
import { settings } from './settings.svelte'

let context: AudioContext | null = null

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
}

export function click(after = 0): void {
  tone(2100, 0.05, 0.06, 'triangle', after)
  tone(3400, 0.03, 0.03, 'sine', after)
}

export function knock(after = 0): void {
  tone(150, 0.12, 0.12, 'sine', after)
}

export function chime(): void {
  tone(880, 0.35, 0.05, 'sine')
  tone(1318, 0.5, 0.04, 'sine', 0.11)
}
