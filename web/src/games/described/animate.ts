// Flies the pieces of any described board: one that is gone here and has come there was moved.
import { flushSync } from 'svelte'
import type { Animator } from '../../lib/game'
import { track } from '../../lib/motion'
import { reducedMotion } from '../../lib/settings.svelte'
import { click } from '../../lib/sound'
import { flightMs } from '../animate'

interface Lying {
  at: string
  from: DOMRect
  drawing: Element
}

/** Return the pieces on the board by what they look like. */
function pieces(): Map<string, Lying[]> {
  const found = new Map<string, Lying[]>()
  for (const drawing of document.querySelectorAll<HTMLElement>('[data-piece]')) {
    const lying = { at: drawing.closest<HTMLElement>('[data-at]')?.dataset.at ?? '', from: drawing.getBoundingClientRect(), drawing }
    found.set(drawing.dataset.piece!, [...(found.get(drawing.dataset.piece!) ?? []), lying])
  }
  return found
}

/** Measure the pieces, update the page, and fly copies from their old places to the new. */
export const animate: Animator = (_, apply) => {
  if (reducedMotion()) return apply()
  const before = pieces()
  apply()
  flushSync()
  const after = pieces()
  let flown = 0
  for (const [look, now] of after) {
    const old = before.get(look) ?? []
    const gone = old.filter(({ at }) => !now.some((one) => one.at === at))
    const come = now.filter(({ at }) => !old.some((one) => one.at === at))
    for (const [i, goal] of come.entries()) if (gone[i]) flown += fly(gone[i], goal)
  }
  if (flown) click(flightMs() / 1000)
  return flown ? flightMs() : 0
}

function fly({ from }: Lying, { from: end, drawing }: Lying): 1 {
  const copy = drawing.cloneNode(true) as SVGElement
  copy.removeAttribute('data-piece')
  copy.classList.add('flying')
  copy.setAttribute('aria-hidden', 'true')
  for (const [side, length] of [['left', from.left], ['top', from.top], ['width', from.width], ['height', from.height]] as const) copy.style[side] = `${length}px`
  document.body.append(copy)
  const way = `translate(${end.left - from.left}px, ${end.top - from.top}px) scale(${end.width / from.width})`
  track(drawing.animate({ opacity: [0, 0] }, { duration: flightMs() }))
  track(copy.animate({ transform: ['none', way] }, { duration: flightMs(), easing: 'cubic-bezier(.3,.1,.2,1)', fill: 'both' }), () => copy.remove())
  return 1
}
