import { expect, test } from 'vitest'
import { clock, minutes } from './hours'

test('a time of the day is written and read back', () => {
  expect(clock(0)).toBe('00:00')
  expect(clock(22 * 60 + 5)).toBe('22:05')
  for (let minute = 0; minute < 1440; minute += 7) expect(minutes(clock(minute))).toBe(minute)
})
