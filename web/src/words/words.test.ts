// The three catalogues say the same things: equal keys, equal blanks, pairs where there are pairs.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import en from './en.json'
import fr from './fr.json'
import nl from './nl.json'

type Words = Record<string, string | { one: string; other: string }>
const catalogues: Record<string, Words> = { nl, fr }

function blanks(words: Words[string]): string[] {
  const text = typeof words === 'string' ? words : words.other
  return [...new Set(text.match(/\{\w+\}/g) ?? [])].sort()
}

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return sources(path)
    return /\.(ts|svelte)$/.test(entry.name) && !entry.name.includes('.test.') ? [readFileSync(path, 'utf8')] : []
  })
}

describe.each(Object.keys(catalogues))('%s', (language) => {
  const words = catalogues[language]!

  it('has the keys of English, in their order', () => {
    expect(Object.keys(words)).toEqual(Object.keys(en))
  })
  it.each(Object.entries(en as Words))('leaves the same blanks in %s', (key, english) => {
    expect(typeof words[key]).toBe(typeof english)
    expect(blanks(words[key]!)).toEqual(blanks(english))
  })
})

it('has no words that nobody says', () => {
  const text = sources(join(import.meta.dirname, '..')).join('\n')
  const made = [...text.matchAll(/[`(]([a-z.]+\.)\$\{/g)].map(([, prefix]) => prefix!)
  const unused = Object.keys(en).filter((key) => !text.includes(`'${key}'`) && !made.some((prefix) => key.startsWith(prefix)))
  expect(unused).toEqual([])
})
