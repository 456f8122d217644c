// How far each lesson has come in this browser.
const KEY = 'tessella.lessons'

export interface Progress {
  /** The step to go on with. */
  at: number
  /** Whether the last step was reached once. */
  finished: boolean
}

type All = Record<string, Progress>

function all(): All {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as All
  } catch {
    return {}
  }
}

export function progressOf(title: string): Progress {
  const { at = 0, finished = false } = all()[title] ?? {}
  return { at: Number(at) || 0, finished }
}

/** Remember the step; a lesson once finished stays so. */
export function keepProgress(title: string, at: number, finished: boolean): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...all(), [title]: { at, finished: finished || progressOf(title).finished } }))
  } catch {
    // Without storage a lesson works, but begins anew.
  }
}
