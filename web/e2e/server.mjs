// Starts a server of our own for a test, with a database that nobody else uses.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

export async function serve(port) {
  const folder = mkdtempSync(join(tmpdir(), 'tessella-web-'))
  const python = process.env.PYTHON ?? join(root, '.venv/bin/python')
  const program = `
import uvicorn
from tessella.server.app import make_app
from tessella.server.settings import Settings
settings = Settings(database="sqlite:${join(folder, 'web.sqlite3')}", port=${port})
uvicorn.run(make_app(settings), host="127.0.0.1", port=${port}, log_level="warning")`
  const child = spawn(python, ['-c', program], { stdio: ['ignore', 'inherit', 'inherit'] })
  const address = `http://127.0.0.1:${port}`
  for (let tries = 0; tries < 100; tries += 1) {
    if (await fetch(`${address}/health`).then((answer) => answer.ok, () => false)) break
    await new Promise((wake) => setTimeout(wake, 100))
  }
  return {
    address,
    stop() {
      child.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export const BROWSER = {
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'],
}
