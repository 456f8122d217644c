// The puzzles solved in this browser, and the streak of daily puzzles.
const KEY = 'tessella.puzzles'
const DAY = 86_400_000
const MOST_DAYS = 400

export interface Solved {
  /** Puzzles solved without help. */
  found: string[]
  /** Puzzles whose solution was shown; they no longer count. */
  shown: string[]
  /** Dates whose daily puzzle was solved. */
  days: string[]
}

export function kept(): Solved {
  const none: Solved = { found: [], shown: [], days: [] }
  try {
    return { ...none, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Solved>) }
  } catch {
    return none
  }
}

/** Return the list after a puzzle was solved or its solution shown; the first of the two counts. */
export function after(solved: Solved, id: string, how: 'found' | 'shown', day = ''): Solved {
  if (solved.found.includes(id) || solved.shown.includes(id)) return solved
  const days = how === 'found' && day && !solved.days.includes(day) ? [...solved.days, day].sort().slice(-MOST_DAYS) : solved.days
  return { ...solved, [how]: [...solved[how], id], days }
}

export function keep(id: string, how: 'found' | 'shown', day = ''): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(after(kept(), id, how, day)))
  } catch {
    // Without storage, puzzles work but are not remembered.
  }
}

/** Return the days in a row up to today; today's puzzle may still be open. */
export function streak(days: string[], today: string): number {
  const found = new Set(days.map((day) => Date.parse(day)))
  let day = Date.parse(today)
  if (!found.has(day)) day -= DAY
  let count = 0
  for (; found.has(day); day -= DAY) count += 1
  return count
}
