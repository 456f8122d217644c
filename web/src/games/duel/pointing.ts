// What the parts of the table need for composing a move: what can be chosen, what is chosen, and callbacks.

export interface Pointing {
  /** The places where others moved last. */
  fresh: Set<string>
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

  mayHold(plate: string): boolean
  isHeld(plate: string): boolean
  hold(plate: string, event: MouseEvent): void
}
