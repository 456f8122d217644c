// Which puzzles were solved in this browser, and on how many days in a row the one of the day was.
const KEY = 'tessella.puzzles'
const DAY = 86_400_000
const MOST_DAYS = 400

export interface Solved {
  /** Puzzles that were found without being told. */
  found: string[]
  /** Puzzles whose solution was told; they no longer count. */
  told: string[]
  /** Dates whose puzzle was found. */
  days: string[]
}

export function kept(): Solved {
  const none: Solved = { found: [], told: [], days: [] }
  try {
    return { ...none, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Solved>) }
  } catch {
    return none
  }
}

/** What is known after a puzzle was found, or its solution told. The first of the two counts. */
export function after(solved: Solved, id: string, how: 'found' | 'told', day = ''): Solved {
  if (solved.found.includes(id) || solved.told.includes(id)) return solved
  const days = how === 'found' && day && !solved.days.includes(day) ? [...solved.days, day].sort().slice(-MOST_DAYS) : solved.days
  return { ...solved, [how]: [...solved[how], id], days }
}

export function keep(id: string, how: 'found' | 'told', day = ''): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(after(kept(), id, how, day)))
  } catch {
    // A browser that keeps nothing still has puzzles.
  }
}

/** So many days in a row up to today; today may still come. */
export function streak(days: string[], today: string): number {
  const found = new Set(days.map((day) => Date.parse(day)))
  let day = Date.parse(today)
  if (!found.has(day)) day -= DAY
  let count = 0
  for (; found.has(day); day -= DAY) count += 1
  return count
}
