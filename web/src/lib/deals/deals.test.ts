// @vitest-environment node
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { canCheck, check, readFacts } from '.'

const root = join(import.meta.dirname, '../../../..')
const files = ['azul', 'duel', 'blockers'].flatMap((game) =>
  readdirSync(join(root, 'records', game))
    .filter((name) => name.endsWith('.game'))
    .map((name) => `${game}/${name}`),
)
const python = join(root, '.venv/bin/python')
const read = (file: string): string => readFileSync(join(root, 'records', file), 'utf8')
const dealsIn = (record: string): number => record.split('\n').filter((line) => line.startsWith('*')).length

describe('the deals of recorded games', () => {
  it.each(files.filter((file) => canCheck(read(file))))('of %s agree', async (file) => {
    const checked = await check(read(file))
    expect(checked.mismatch).toBe(null)
    expect(checked.good).toBe(dealsIn(read(file)))
    expect(checked.good).toBeGreaterThan(3)
    expect(checked.fair).toBe(true)
  })
})

/** Whole games as the server plays and stores them, with a number from each player; one record per variant. */
const SERVER = `
import random, sys
from tessella.core import dice, record
from tessella.table.log import Opened
from tessella.table.table import Secret, Table
for number, rules in enumerate(sys.argv[1:]):
    rng = random.Random(number)
    secret = Secret(rng.randbytes(32))
    name = f"g{number}"
    table = Table(name, Opened(rules, dice.commitment(name, secret.seed).hex()), 0.0)
    for seat in range(table.config.seats):
        table.fold(table.sit(seat, f"p{seat}", f"Player {seat}"), 1.0)
    numbers = [rng.randbytes(32) for _ in table.seats]
    for seat, own in enumerate(numbers):
        table.fold(table.pledge(seat, dice.pledge(name, seat, own).hex()), 2.0)
    for seat, own in enumerate(numbers):
        table.fold(table.reveal(seat, own.hex()), 3.0)
    table.fold(table.start(secret), 4.0)
    while table.status == "playing":
        seat = rng.choice(table.movers)
        move = rng.choice(table.game.legal_moves(table.state, seat))
        table.fold(table.play(seat, table.game.write_move(table.state, move), secret), 5.0)
    print(record.write(table.record()), end="\\f")
`
const RULES = [
  ...['coloured', 'grey'].flatMap((wall) => [2, 3, 4].map((seats) => `azul/1 seats=${seats} wall=${wall}`)),
  ...Array.from({ length: 12 }, () => 'duel/1 seats=2 faces=rows,columns,diagonals special_counts_as_colour=true'),
  ...[2, 3, 4, 5].map((seats) => `blockers/1 seats=${seats} scoring=blockers`),
]

describe('the deals of games of the server', () => {
  it.skipIf(!existsSync(python))('agree', { timeout: 60_000 }, async () => {
    const { stdout, stderr } = spawnSync(python, ['-c', SERVER, ...RULES], { encoding: 'utf8', maxBuffer: 1e7 })
    expect(stderr).toBe('')
    const records = stdout.split('\f').filter(Boolean)
    expect(records.length).toBe(RULES.length)
    for (const record of records) {
      const checked = await check(record)
      expect(checked, record).toMatchObject({ fair: true, mismatch: null, good: dealsIn(record) })
      expect(checked.pledges.length).toBeGreaterThan(1)
    }
  })
})

describe('a change is detected:', () => {
  const games = ['azul/3-grey-greedy.game', 'duel/points.game', 'blockers/4-greedy.game']

  it.each(games)('another seed in %s', async (file) => {
    const record = read(file).replace(/^seed (.)/m, (_, digit: string) => `seed ${digit === '0' ? '1' : '0'}`)
    expect(await check(record)).toMatchObject({ fair: false, commitment: false, good: 0 })
  })

  it.each(games)('another commitment in %s', async (file) => {
    const record = read(file).replace(/^commitment (.)/m, (_, digit: string) => `commitment ${digit === '0' ? '1' : '0'}`)
    expect(await check(record)).toMatchObject({ fair: false, commitment: false })
  })

  it.each(games)('every single deal of %s', { timeout: 60_000 }, async (file) => {
    const { acts } = readFacts(read(file))
    const lines = read(file).split('\n')
    const first = lines.indexOf(acts[0]!)
    for (const [number, act] of acts.entries()) {
      if (!act.startsWith('*')) continue
      const changed = [...lines]
      changed[first + number] = act.slice(0, -1) + (act.endsWith('b') ? 'k' : 'b')
      expect(await check(changed.join('\n'))).toMatchObject({ fair: false, mismatch: { act: number, written: changed[first + number], expected: act } })
    }
  })

  it.each(games)('a move of %s', async (file) => {
    const { acts } = readFacts(read(file))
    const move = acts.findLast((act) => !act.startsWith('*'))!
    const at = read(file).lastIndexOf(`\n${move}\n`)
    const record = read(file).slice(0, at) + read(file).slice(at).replace(move, `${move}x`)
    expect(await check(record)).toMatchObject({ fair: false, seal: false })
  })

  it.skipIf(!existsSync(python))('another number or another pledge where a player added one', { timeout: 60_000 }, async () => {
    const { stdout } = spawnSync(python, ['-c', SERVER, RULES[0]!], { encoding: 'utf8' })
    const record = stdout.split('\f')[0]!
    expect((await check(record)).fair).toBe(true)
    const flip = (digit: string): string => (digit === '0' ? '1' : '0')
    const number = record.replace(/^(pledge 1 \w+ )(\w)/m, (_, before: string, digit: string) => before + flip(digit))
    expect(await check(number)).toMatchObject({ fair: false, commitment: true, good: 0, pledges: [{ seat: 0, good: true }, { seat: 1, good: false }] })
    const promise = record.replace(/^(pledge 0 )(\w)/m, (_, before: string, digit: string) => before + flip(digit))
    expect(await check(promise)).toMatchObject({ fair: false, commitment: true, good: 0, pledges: [{ seat: 0, good: false }, { seat: 1, good: true }] })
  })
})
