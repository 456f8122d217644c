// Arrow keys move the focus to the nearest button in that direction.
import type { Attachment } from 'svelte/attachments'

const WAYS: Record<string, [x: number, y: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

export interface Spot {
  x: number
  y: number
}

/** Return the distance in a direction; sideways counts more, and backwards is infinitely far. */
export function distance(from: Spot, to: Spot, [x, y]: [number, number]): number {
  const ahead = (to.x - from.x) * x + (to.y - from.y) * y
  const aside = Math.abs((to.x - from.x) * y) + Math.abs((to.y - from.y) * x)
  return ahead > 2 ? ahead + 2.5 * aside : Infinity
}

function middle(element: Element): Spot {
  const { left, top, width, height } = element.getBoundingClientRect()
  return { x: left + width / 2, y: top + height / 2 }
}

export const arrows: Attachment<HTMLElement> = (area) => {
  function onkeydown(event: KeyboardEvent): void {
    const way = WAYS[event.key]
    const here = document.activeElement
    if (!way || !here || !area.contains(here) || event.altKey || event.ctrlKey || event.metaKey) return
    const others = Array.from(area.querySelectorAll<HTMLElement>('button:not([tabindex="-1"]):not(:disabled)'))
    const far = others.map((button) => (button === here ? Infinity : distance(middle(here), middle(button), way)))
    const nearest = Math.min(...far)
    if (nearest === Infinity) return
    event.preventDefault()
    others[far.indexOf(nearest)]!.focus()
  }
  area.addEventListener('keydown', onkeydown)
  return () => area.removeEventListener('keydown', onkeydown)
}
