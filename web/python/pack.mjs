// Packs the Python of the tab: Pyodide's files, its standard library and our packages, compiled by that same Python.
// node web/python/pack.mjs WHEEL SOURCE TARGET [GAME ...]: GAME is the wheel of a game that another package brings
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

// Node would print a line of Pyodide's code, which is the whole of it.
process.on('uncaughtException', ({ message }) => {
  console.error(message)
  process.exit(1)
})

const here = dirname(fileURLToPath(import.meta.url))
const pyodide = dirname(createRequire(import.meta.url).resolve('pyodide/package.json'))
const [wheel, source, target, ...games] = process.argv.slice(2)

/** The packages that the tab needs; everything else of ours stays at home. */
const PACKAGES = ['core', 'games', 'fast', 'bots', 'protocol', 'table', 'coach', 'lessons', 'local']
/** Parts of the standard library that the tab never imports. */
const UNUSED =
  /^(xml|xmlrpc|wsgiref|unittest|sqlite3|multiprocessing|html|http|ctypes|curses|dbm|idlelib|tkinter|turtle|venv|pydoc|doctest|pdb|bdb|mailbox|imaplib|smtplib|poplib|ftplib|cProfile|profile|pstats|profiling|trace\.|tabnanny|pickletools|optparse|argparse|cmd\.|code\.|webbrowser|antigravity|this\.|_pyrepl|wave|colorsys|_aix|_osx|_apple|_android|_ios|_pydatetime|_pydecimal|_pyio|tarfile|difflib|configparser|logging\/(handlers|config)|socketserver|cgi|netrc|plistlib|getopt|rlcompleter|zipapp|_pyrepl|sre_|modulefinder|pyclbr|symtable|timeit|mimetypes|filecmp|fileinput|nturl2path|shelve|sched|chunk|aifc|compileall|py_compile|asyncio\/(windows|proactor|__main__|tools)|email\/(mime|_header_value_parser|contentmanager|headerregistry|generator)|urllib\/(request|robotparser|error|response)|encodings\/(?!__init__|aliases|utf_8|latin_1|ascii|cp437|idna))/

const list = (folder) => readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)).sort()
const ours = [join(source, '__init__.py'), ...PACKAGES.flatMap((name) => list(join(source, name)))].filter((path) => /\.(py|net|json|jsonl|toml)$/.test(path))

/** Return the digest of everything that goes in: the same input is packed once. */
function digest() {
  const sum = createHash('sha256')
  for (const path of [...ours, wheel, ...games, join(pyodide, 'package.json'), fileURLToPath(import.meta.url), join(here, 'pack.py')]) sum.update(relative(source, path)).update(readFileSync(path))
  return sum.digest('hex').slice(0, 12)
}

async function pack(folder) {
  const { loadPyodide } = await import('pyodide')
  const python = await loadPyodide()
  const give = (path, data) => {
    python.FS.mkdirTree(dirname(path))
    python.FS.writeFile(path, new Uint8Array(data))
  }
  for (const path of ours) give(`/in/tessella/${relative(source, path)}`, readFileSync(path))
  give('/in.whl', readFileSync(wheel))
  python.FS.mkdirTree('/games')
  games.forEach((game, i) => give(`/games/${i}.whl`, readFileSync(game)))
  give('/in.zip', readFileSync(join(pyodide, 'python_stdlib.zip')))
  python.globals.set('UNUSED', UNUSED.source)
  python.runPython(readFileSync(join(here, 'pack.py'), 'utf8'))
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const name of ['python_stdlib.zip', 'tessella.zip']) writeFileSync(join(folder, name), python.FS.readFile(`/${name}`))
  for (const name of ['pyodide.mjs', 'pyodide.asm.mjs']) cpSync(join(pyodide, name), join(folder, name))
  writeFileSync(join(folder, 'pyodide.asm.wasm.gz'), gzipSync(readFileSync(join(pyodide, 'pyodide.asm.wasm')), { level: 9 }))
  const { info } = JSON.parse(readFileSync(join(pyodide, 'pyodide-lock.json'), 'utf8'))
  writeFileSync(join(folder, 'pyodide-lock.json'), JSON.stringify({ info, packages: {} }))
}

/** Start what was packed, as the worker does, and play a move: a part that is missing shows here. */
async function prove(folder) {
  const { loadPyodide } = await import('pyodide')
  const began = performance.now()
  const python = await loadPyodide({ stdLibURL: join(folder, 'python_stdlib.zip') })
  python.unpackArchive(new Uint8Array(readFileSync(join(folder, 'tessella.zip'))), 'zip', { extractDir: '/lib/python3.14/site-packages' })
  python.runPython(readFileSync(join(here, 'prove.py'), 'utf8'))
  console.log(`${((performance.now() - began) / 1000).toFixed(1)} s from nothing to the first moves, in Node`)
}

const version = digest()
const folder = join(target, version)
const manifest = join(target, 'manifest.json')
const kept = (() => {
  try {
    return JSON.parse(readFileSync(manifest, 'utf8')).version === version
  } catch {
    return false
  }
})()
if (!kept) {
  rmSync(target, { recursive: true, force: true })
  await pack(folder)
  await prove(folder)
  const files = Object.fromEntries(readdirSync(folder).sort().map((name) => [name, statSync(join(folder, name)).size]))
  writeFileSync(manifest, JSON.stringify({ version, files }))
}
const { files } = JSON.parse(readFileSync(manifest, 'utf8'))
const compressed = (name) => (name.endsWith('.mjs') || name.endsWith('.json') ? gzipSync(readFileSync(join(folder, name)), { level: 9 }).length : files[name])
const total = Object.keys(files).reduce((sum, name) => sum + compressed(name), 0)
for (const name of Object.keys(files)) console.log(`${(compressed(name) / 1e6).toFixed(2).padStart(6)} MB  ${name}`)
console.log(`${(total / 1e6).toFixed(2).padStart(6)} MB compressed in all: the Python of the tab, version ${version}`)
if (total > 10e6) throw new Error('the Python of the tab is larger than 10 MB')
