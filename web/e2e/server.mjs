// Servers of our own for a test, with a database that nobody else uses: one process, or several behind one address.
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const PYTHON = process.env.PYTHON ?? join(root, '.venv/bin/python')
const POSTGRES = process.env.TESSELLA_TEST_POSTGRES ?? 'postgresql://postgres@127.0.0.1:5432'
const NATS = process.env.TESSELLA_TEST_NATS ?? 'nats://127.0.0.1:4222'

const answers = (port) => fetch(`http://127.0.0.1:${port}/ready`).then((answer) => answer.ok, () => false)

/** A worker that answers; a server that was there before must not be taken for it. */
async function worker(port, database, { more = [], first = [] } = {}) {
  if (await answers(port)) throw new Error(`another server answers on port ${port}`)
  const options = ['--database', database, '--port', String(port), '--log-level', 'warning', ...more]
  const env = { ...process.env, PYTHONPATH: [...first, join(root, 'src')].join(delimiter) }
  const child = spawn(PYTHON, ['-m', 'tessella', 'serve', ...options], { stdio: ['ignore', 'ignore', 'inherit'], env })
  for (let tries = 0; tries < 200; tries += 1) {
    if (await answers(port)) return child
    await new Promise((wake) => setTimeout(wake, 100))
  }
  throw new Error(`nothing answers on port ${port}`)
}

/** A folder of libraries that are as if nobody had installed them. */
function missing(folder, libraries) {
  mkdirSync(folder)
  for (const library of libraries) writeFileSync(join(folder, `${library}.py`), `raise ModuleNotFoundError(name='${library}')`)
  return folder
}

/** One process with SQLite, as at home; without some libraries, if wanted. */
export async function serve(port, { without = [] } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'tessella-web-'))
  const first = without.length ? [missing(join(folder, 'missing'), without)] : []
  const child = await worker(port, `sqlite:${join(folder, 'web.sqlite3')}`, { first })
  const stop = () => {
    child.kill()
    rmSync(folder, { recursive: true, force: true })
  }
  return { address: `http://127.0.0.1:${port}`, stop }
}

function sql(statement) {
  const program = 'import asyncio, asyncpg, sys\nasync def run():\n c = await asyncpg.connect(sys.argv[1])\n await c.execute(sys.argv[2])\nasyncio.run(run())'
  execFileSync(PYTHON, ['-c', program, `${POSTGRES}/postgres`, statement])
}

/** Three workers with PostgreSQL and NATS behind one address, as for many.
 *
 * `kill` ends the one that serves; after `hush` nothing passes on any open line, which looks alive all the same.
 */
export async function serveMany(port) {
  const name = `tessella_web_${process.pid}_${port}`
  sql(`CREATE DATABASE ${name}`)
  const start = (at) => worker(at, `${POSTGRES}/${name}`, { more: ['--bus', NATS] })
  const workers = new Map()
  for (const at of [port + 1, port + 2, port + 3]) {
    workers.set(at, await start(at))
  }
  const alive = () => workers.keys().next().value
  const lines = new Set()
  const door = createServer((visitor) => {
    const inside = connect(alive(), '127.0.0.1')
    visitor.pipe(inside).pipe(visitor)
    for (const end of [visitor, inside]) lines.add(end.on('close', () => lines.delete(end)))
    visitor.on('error', () => inside.destroy())
    inside.on('error', () => visitor.destroy())
    inside.on('close', () => visitor.destroy())
  }).listen(port, '127.0.0.1')
  return {
    address: `http://127.0.0.1:${port}`,
    kill() {
      workers.get(alive()).kill('SIGKILL')
      workers.delete(alive())
    },
    hush() {
      for (const end of lines) end.unpipe().pause()
      return lines.size
    },
    stop() {
      door.close()
      for (const child of workers.values()) child.kill('SIGKILL')
      sql(`DROP DATABASE ${name} WITH (FORCE)`)
    },
  }
}

export const BROWSER = {
  executablePath: process.env.CHROMIUM ?? execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim(),
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'],
}
