// Runs a Python file in the packed Python of the tab: node web/python/run.mjs FILE [NAME=NUMBER ...]
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadPyodide } from 'pyodide'

process.on('uncaughtException', ({ message }) => {
  console.error(message)
  process.exit(1)
})
const target = join(dirname(fileURLToPath(import.meta.url)), '../../build/python')
const { version } = JSON.parse(readFileSync(join(target, 'manifest.json'), 'utf8'))
const folder = join(target, version)
const python = await loadPyodide({ stdLibURL: join(folder, 'python_stdlib.zip'), env: { HOME: '/home', PYTHONWARNINGS: 'ignore' } })
python.unpackArchive(new Uint8Array(readFileSync(join(folder, 'tessella.zip'))), 'zip', { extractDir: '/lib/python3.14/site-packages' })
const [file, ...given] = process.argv.slice(2)
for (const [name, value] of given.map((text) => text.split('='))) python.globals.set(name, Number(value))
python.runPython(readFileSync(file, 'utf8'))
