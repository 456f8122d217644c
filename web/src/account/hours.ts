// Times of the day: minutes since midnight, and the text of a time field.

/** Return minutes since midnight as the value of a time field, such as 22:30. */
export function clock(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
}

/** Return the minutes since midnight of the value of a time field. */
export function minutes(text: string): number {
  const [hour, minute] = text.split(':').map(Number)
  return hour! * 60 + minute!
}
