// @vitest-environment node
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { digest, hex, pledge, unhex } from './dice'
import { detail, house, pieces, read as readRules, readBook, matchesRule } from './rules'

const root = join(import.meta.dirname, '../../..')
const languages = readdirSync(join(root, 'web/src/locales')).filter((name) => !name.includes('.'))

describe('fair dice', () => {
  it('digests parts with their lengths, as the server does', async () => {
    expect(hex(await digest('client', 'g1', '0', unhex('ab')))).toBe(await pledge('g1', 0, 'ab'))
    expect(await pledge('g1', 0, 'ab')).toBe('38fdfca627a28966ec3bb1a3a874ea12a997020306b01e6f32413bd166aa217f')
  })
  it('reads what it writes', () => {
    expect(hex(unhex('00ff10'))).toBe('00ff10')
  })
})

describe('rules', () => {
  it.each(languages)('reads every numbered rule of Azul in %s', (language) => {
    const rules = readRules(readFileSync(join(root, `docs/rules/azul.${language}.md`), 'utf8'))
    expect(rules.find((rule) => rule.id === 'AZ22')?.text).toMatch(/10/)
    expect(rules.every((rule) => rule.title && rule.text)).toBe(true)
    expect(rules.length).toBeGreaterThan(30)
  })
})

describe('the rules page', () => {
  const text = 'Zie `3r4` en AZ15: één kleur.'
  it.each(['azul', 'duel', 'blockers'])('reads the book of %s, the same rules in each language', (game) => {
    const books = languages.map((language) => readBook(readFileSync(join(root, `docs/rules/${game}.${language}.md`), 'utf8')))
    const shape = books.map((book) => book.sections.map((section) => section.rules.map((rule) => [rule.id, house(rule.text)[1] !== null, detail(rule.text)[1] !== null])))
    for (const other of shape) expect(other).toEqual(shape[0])
    expect(books.every((book) => book.intro && book.credit && book.sections.every((section) => section.title && section.rules.length))).toBe(true)
  })
  it('cuts a text into words, moves and rules', () => {
    expect(pieces(text, '').map((piece) => piece.kind)).toEqual(['words', 'code', 'words', 'rule', 'words'])
  })
  it('finds words without their accents', () => {
    expect(pieces(text, 'een').filter((piece) => piece.kind === 'found').map((piece) => piece.text)).toEqual(['één'])
    expect(matchesRule({ id: 'AZ22', title: 'Rangée', text: '' }, 'az22 rangee')).toBe(true)
    expect(matchesRule({ id: 'AZ22', title: 'Rangée', text: '' }, 'colonne')).toBe(false)
  })
})

describe('what the server writes', () => {
  const python = join(root, '.venv/bin/python')
  it.skipIf(!existsSync(python)).each(['web-types', 'gen/web-examples'])('is current: %s', (script) => {
    const { status, stderr } = spawnSync(python, [join(root, 'scripts', script), '--check'], { encoding: 'utf8' })
    expect(stderr).toBe('')
    expect(status).toBe(0)
  }, 60_000)
})
