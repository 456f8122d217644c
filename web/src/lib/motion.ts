// What moves on the page now; all of it can be skipped at once.
import { hush } from './sound'

const running = new Set<Animation>()
const steps = new Map<number, () => void>()

/** Remember an animation until it has ended; `done` is called then, also if it was skipped. */
export function track(animation: Animation, done: () => void = () => undefined): void {
  running.add(animation)
  void animation.finished
    .catch(() => undefined)
    .finally(() => {
      running.delete(animation)
      done()
    })
}

/** Do something later, or now if the reader skips what moves. */
export function later(ms: number, step: () => void): void {
  const timer = window.setTimeout(() => {
    steps.delete(timer)
    step()
  }, ms)
  steps.set(timer, step)
}

/** End everything that moves: the page is as it will be. */
export function skip(): void {
  if (!running.size && !steps.size) return
  hush()
  const left = [...steps]
  steps.clear()
  for (const [timer, step] of left) {
    clearTimeout(timer)
    step()
  }
  for (const animation of running) animation.finish()
}
