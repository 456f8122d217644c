// No circle of imports: a module can be read, tested and loaded without the ones that use it.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, it } from 'vitest'

const root = import.meta.dirname
const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*'(\.[^'?]+)'/g
const ENDINGS = ['', '.ts', '.svelte', '.svelte.ts', '/index.ts']

function modules(): string[] {
  const paths = readdirSync(root, { recursive: true, withFileTypes: true }).map((entry) => join(entry.parentPath, entry.name))
  return paths.filter((path) => /\.(ts|svelte)$/.test(path))
}

/** Return the files that a module imports: values, types and what is loaded on demand. */
function importsOf(module: string): string[] {
  const found = Array.from(readFileSync(module, 'utf8').matchAll(IMPORT), ([, path]) => join(dirname(module), path!))
  return found.flatMap((path) => ENDINGS.map((ending) => path + ending).filter((file) => /\.(ts|svelte)$/.test(file) && existsSync(file)).slice(0, 1))
}

/** Return the first circle found by depth-first search, or nothing. */
function findCircle(graph: Map<string, string[]>): string[] {
  const done = new Set<string>()
  const visit = (module: string, path: string[]): string[] => {
    if (path.includes(module)) return [...path.slice(path.indexOf(module)), module]
    if (done.has(module)) return []
    for (const next of graph.get(module) ?? []) {
      const circle = visit(next, [...path, module])
      if (circle.length) return circle
    }
    done.add(module)
    return []
  }
  for (const module of graph.keys()) {
    const circle = visit(module, [])
    if (circle.length) return circle
  }
  return []
}

it('finds a circle', () => {
  expect(findCircle(new Map([['a', ['b']], ['b', ['c']], ['c', ['b']]]))).toEqual(['b', 'c', 'b'])
  expect(findCircle(new Map([['a', ['b', 'c']], ['b', ['c']], ['c', []]]))).toEqual([])
})

it('has no circle of imports', () => {
  const graph = new Map(modules().map((module) => [module, importsOf(module)]))
  expect([...graph.values()].flat().length).toBeGreaterThan(200)
  expect(findCircle(graph).map((module) => relative(root, module))).toEqual([])
})
