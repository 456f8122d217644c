// What the parts of the table need for composing a move: what can be chosen, what is chosen, and callbacks.

export interface Pointing {
  /** The places where others moved last. */
  fresh: Set<string>
  /** Whether the reader is to move. */
  active: boolean
  /** Whether nothing but plates and chips can be taken, which are then marked. */
  narrow: boolean
  may(move: string): boolean
  isWhole(move: string): boolean
  whole(move: string, event: MouseEvent): void

  mayTake(source: string, colour: string): boolean
  isPicked(source: string, colour: string): boolean
  isOn(source: string): boolean
  take(source: string, colour: string, event: MouseEvent): void
  onMoons(colour: string): number

  stackable(colour: string): boolean
  /** Return whether a leftover tile is already stacked. */
  stacked(tiles: string, place: number): boolean
  stack(colour: string, event: MouseEvent): void

  /** The plates to put back in the chosen order; empty if there are none. */
  order: string[]
  isSwapping(plate: string): boolean
  swap(plate: string): void

  mayHold(plate: string): boolean
  isHeld(plate: string): boolean
  hold(plate: string, event: MouseEvent): void
}
