// A line of play is stepped through on the board of a recording, and left again.
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { ReplayStep, ReplayView } from '../protocol.gen'

vi.mock('./settings.svelte', () => ({ reducedMotion: () => false }))
const { Recording } = await import('./recording.svelte')

const step = (name: string): ReplayStep => ({ entry: { number: 0, kind: 'played', seat: 0, acts: [name], events: [] }, movers: [0], view: name, board: null })
const replay = { table: { seats: [], seat: null }, steps: ['deal', 'one', 'two', 'three'].map(step), record: '', short: '' } as unknown as ReplayView
const LINE = ['better', 'answer'].map(step)

describe('a line on the board', () => {
  let recording: InstanceType<typeof Recording>
  const seen = (): unknown => recording.shown.view
  beforeEach(() => {
    vi.useFakeTimers()
    vi.stubGlobal('window', globalThis)
    vi.stubGlobal('document', { hidden: false })
    recording = new Recording(replay)
    recording.go(1)
  })

  it('begins with the position of the game and goes back and forth', () => {
    recording.follow(LINE)
    expect(seen()).toBe('one')
    recording.line!.go(1)
    expect(seen()).toBe('better')
    recording.line!.go(5)
    expect(seen()).toBe('answer')
    expect(recording.entries.map(({ acts }) => acts[0])).toEqual(['deal', 'one', 'better', 'answer'])
    recording.line!.go(0)
    expect(seen()).toBe('one')
  })
  it('returns to the same step of the game, or to another one', () => {
    recording.follow(LINE)
    recording.line!.go(2)
    recording.follow(null)
    expect(seen()).toBe('one')
    recording.follow(LINE)
    recording.go(3)
    expect([recording.line, seen()]).toEqual([null, 'three'])
  })
  it('plays by itself to its end, and stops', () => {
    recording.follow(LINE)
    const line = recording.line!
    line.toggle()
    vi.advanceTimersByTime(1400)
    expect([line.at, line.playing]).toEqual([1, true])
    vi.advanceTimersByTime(5000)
    expect([line.at, line.playing]).toEqual([2, false])
    expect(recording.at).toBe(1)
  })
  it('does not go on when it was left', () => {
    recording.follow(LINE)
    const line = recording.line!
    line.toggle()
    recording.follow(null)
    vi.advanceTimersByTime(5000)
    expect([line.at, recording.at]).toEqual([0, 1])
  })
  it('animates one move forward only', () => {
    const animated: unknown[] = []
    recording.animator = (entries, apply) => {
      animated.push(entries[0]!.acts[0])
      apply()
    }
    recording.follow(LINE)
    for (const at of [1, 0, 2]) recording.line!.go(at)
    expect(animated).toEqual(['better'])
  })
})
