/** Move the focus over the buttons of a grid with arrow keys; the grid is one tab stop. */
export function arrows(columns: number) {
  return (grid: HTMLElement): (() => void) => {
    const cells = (): HTMLElement[] => Array.from(grid.querySelectorAll<HTMLElement>('button'))
    const stop = (here: HTMLElement): void => {
      for (const cell of cells()) cell.tabIndex = cell === here ? 0 : -1
    }
    const walk = (event: KeyboardEvent): void => {
      const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[event.key]
      const all = cells()
      const next = all[all.indexOf(event.target as HTMLElement) + (step ?? NaN)]
      if (!next) return
      event.preventDefault()
      next.focus()
    }
    const arrive = (event: FocusEvent): void => stop(event.target as HTMLElement)
    const [first] = cells()
    if (first) stop(first)
    grid.addEventListener('keydown', walk)
    grid.addEventListener('focusin', arrive)
    return () => {
      grid.removeEventListener('keydown', walk)
      grid.removeEventListener('focusin', arrive)
    }
  }
}
