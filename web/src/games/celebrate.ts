// The win as a feast: the winner's wall shines in a wave, and tiles rain over the table.
import { track } from '../lib/motion'
import { reducedMotion } from '../lib/settings.svelte'
import { fanfare } from '../lib/sound'
import { tile } from './animate'

const RAIN = 36
const COLOURS = 'byrkw'

/** Celebrate the win of a seat; nothing moves for readers who want less motion. */
export function celebrate(seat: number): void {
  fanfare()
  if (reducedMotion() || document.hidden) return
  for (const [i, piece] of Array.from(document.querySelectorAll<HTMLElement>(`[data-at^="w${seat}-"]`)).entries()) {
    const delay = 40 * ((i % 5) + Math.floor(i / 5))
    track(piece.animate({ transform: ['none', 'translateY(-7px) scale(1.1)', 'none'], filter: ['none', 'brightness(1.25)', 'none'] }, { duration: 520, delay }))
  }
  for (let i = 0; i < RAIN; i += 1) drop(i)
}

function drop(i: number): void {
  const drawing = tile(COLOURS[i % COLOURS.length]!)
  const size = 16 + ((i * 7) % 18)
  drawing.classList.add('flying')
  drawing.setAttribute('aria-hidden', 'true')
  Object.assign(drawing.style, { left: `${(i * 61) % 100}vw`, top: `${-size - 8}px`, width: `${size}px`, height: `${size}px` })
  document.body.append(drawing)
  const turn = 180 + ((i * 83) % 540)
  const frames = { transform: ['none', `translate(${((i * 37) % 120) - 60}px, ${innerHeight + 80}px) rotate(${i % 2 ? turn : -turn}deg)`], opacity: [1, 1, 0.9] }
  const timing = { duration: 2_200 + ((i * 97) % 1_200), delay: (i * 53) % 900, easing: 'cubic-bezier(.3,.1,.6,1)', fill: 'both' } as const
  track(drawing.animate(frames, timing), () => drawing.remove())
}
