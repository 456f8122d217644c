// The locales match: the same parts, keys, blanks and plural forms.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

type Words = Record<string, string | { one: string; other: string }>

const here = import.meta.dirname
const parts = readdirSync(join(here, 'en'))
const read = (language: string, part: string): Words => JSON.parse(readFileSync(join(here, language, part), 'utf8')) as Words

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

describe.each(readdirSync(here).filter((name) => !name.includes('.') && name !== 'en'))('%s', (language) => {
  it('has the parts of English', () => {
    expect(readdirSync(join(here, language))).toEqual(parts)
  })
  describe.each(parts)('%s', (part) => {
    const english = read('en', part)
    const words = read(language, part)

    it('has the keys of English, in their order', () => {
      expect(Object.keys(words)).toEqual(Object.keys(english))
    })
    it('leaves the same blanks', () => {
      const shape = (of: Words): unknown[] => Object.entries(of).map(([key, text]) => [key, typeof text, blanks(text)])
      expect(shape(words)).toEqual(shape(english))
    })
  })
})

it('has each key once', () => {
  const keys = parts.flatMap((part) => Object.keys(read('en', part)))
  expect(keys.filter((key, i) => keys.indexOf(key) !== i)).toEqual([])
})

it('has no unused keys', () => {
  const text = sources(join(here, '..')).join('\n')
  const made = [...text.matchAll(/[`(]([a-z.]+\.)\$\{/g)].map(([, prefix]) => prefix!)
  const keys = parts.flatMap((part) => Object.keys(read('en', part)))
  expect(keys.filter((key) => !text.includes(`'${key}'`) && !made.some((prefix) => key.startsWith(prefix)))).toEqual([])
})
