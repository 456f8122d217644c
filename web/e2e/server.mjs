// Servers of our own for a test, with a database that nobody else uses: one process, or several behind one address.
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

const root = fileURLToPath(new URL('../..', import.meta.url))
const PYTHON = process.env.PYTHON ?? join(root, '.venv/bin/python')
const POSTGRES = process.env.TESSELLA_TEST_POSTGRES ?? 'postgresql://postgres@127.0.0.1:5432'
const NATS = process.env.TESSELLA_TEST_NATS ?? 'nats://127.0.0.1:4222'

const answers = (port) => fetch(`http://127.0.0.1:${port}/ready`).then((answer) => answer.ok, () => false)

const isTaken = (port) => new Promise((tell) => {
  const line = connect(port, '127.0.0.1', () => tell(true)).on('error', () => tell(false)).on('connect', () => line.destroy())
})

/** A port that nobody listens on, below those that the system gives out and those of the other tests. */
export async function freePort() {
  const port = 10_000 + Math.floor(Math.random() * 10_000)
  return (await isTaken(port)) ? freePort() : port
}

/** A worker that answers, and its port. */
async function worker(database, { more = [], first = [], at = 0 } = {}) {
  const port = at || (await freePort())
  const options = ['--database', database, '--port', String(port), '--log-level', 'warning', ...more]
  const env = { ...process.env, PYTHONPATH: [...first, join(root, 'src')].join(delimiter) }
  const child = spawn(PYTHON, ['-m', 'tessella', 'serve', ...options], { stdio: ['ignore', 'ignore', 'inherit'], env })
  for (let tries = 0; tries < 600 && child.exitCode === null; tries += 1) {
    if (await answers(port)) return { child, port }
    await new Promise((wake) => setTimeout(wake, 100))
  }
  child.kill()
  throw new Error(`no server of ours answers on port ${port}`)
}

/** A folder of libraries that are as if nobody had installed them. */
function missing(folder, libraries) {
  mkdirSync(folder)
  for (const library of libraries) writeFileSync(join(folder, `${library}.py`), `raise ModuleNotFoundError(name='${library}')`)
  return folder
}

/** One process with SQLite, as at home; without some libraries, with folders of games, at a known port or with more options, if wanted. */
export async function serve({ without = [], games = [], at = 0, more = [] } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'tessella-web-'))
  const first = [...(without.length ? [missing(join(folder, 'missing'), without)] : []), ...games]
  const database = `sqlite:${join(folder, 'web.sqlite3')}`
  const { child, port } = await worker(database, { first, at, more })
  const stop = () => {
    child.kill()
    rmSync(folder, { recursive: true, force: true })
  }
  const address = `http://127.0.0.1:${port}`
  return { address, port, stop, admin: (...command) => admin(command, database, address) }
}

/** A command of the host on a database; what it says, as JSON. */
function admin(command, database, address) {
  const options = ['-m', 'tessella', 'admin', ...command, '--database', database, '--site', address, '--json']
  return JSON.parse(execFileSync(PYTHON, options, { encoding: 'utf8', env: { ...process.env, PYTHONPATH: join(root, 'src') } }))
}

function sql(statement) {
  const program = 'import asyncio, asyncpg, sys\nasync def run():\n c = await asyncpg.connect(sys.argv[1])\n await c.execute(sys.argv[2])\nasyncio.run(run())'
  execFileSync(PYTHON, ['-c', program, `${POSTGRES}/postgres`, statement])
}

/** Three workers with PostgreSQL and NATS behind one address, as for many.
 *
 * `kill` ends the one that serves; after `hush` nothing passes on any open line, which looks alive all the same.
 */
export async function serveMany() {
  const port = await freePort()
  const name = `tessella_web_${process.pid}_${port}`
  sql(`CREATE DATABASE ${name}`)
  const workers = new Map()
  for (let number = 0; number < 3; number += 1) {
    const started = await worker(`${POSTGRES}/${name}`, { more: ['--bus', NATS] })
    workers.set(started.port, started.child)
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

const BROWSER = {
  executablePath: process.env.CHROMIUM ?? execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim(),
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'],
}

/** How long a step may take, in milliseconds: long enough for a busy machine; a step that goes well does not wait. */
const STEP_TIMEOUT = 60_000

/** A browser of our own; every step of its pages may take `STEP_TIMEOUT`. */
export async function openBrowser() {
  const browser = await chromium.launch(BROWSER)
  const newContext = browser.newContext.bind(browser)
  browser.newContext = async (options) => {
    const context = await newContext(options)
    context.setDefaultTimeout(STEP_TIMEOUT)
    return context
  }
  return browser
}
