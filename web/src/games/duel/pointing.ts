// What the parts of the table ask while one points at them: what may be chosen, what is chosen, and what to do then.

export interface Pointing {
  /** What others did last, by the names of places. */
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
  /** Whether the tile at this place of the leftover already lies on the stack. */
  stacked(tiles: string, place: number): boolean
  stack(colour: string, event: MouseEvent): void

  mayHold(plate: string): boolean
  isHeld(plate: string): boolean
  hold(plate: string, event: MouseEvent): void
}
