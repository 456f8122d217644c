// A bare static server: files of one folder below a path, no rewriting, no headers but the type.
import { createServer } from 'node:http'
import { readFileSync, statSync } from 'node:fs'
import { extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from './server.mjs'

export const SITE = process.env.TESSELLA_SITE ?? fileURLToPath(new URL('../../build/site', import.meta.url))
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.png': 'image/png', '.json': 'application/json', '.webmanifest': 'application/manifest+json' }

export async function serveFolder(folder = SITE, base = '/tessella/') {
  const port = await freePort()
  const asked = []
  let cut = false
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost')
    asked.push(pathname)
    if (cut) return request.socket.destroy()
    const path = normalize(join(folder, pathname.replace(base, '/')))
    const file = pathname === base ? join(folder, 'index.html') : path
    if (!pathname.startsWith(base) || !file.startsWith(folder) || !statSync(file, { throwIfNoEntry: false })?.isFile()) return response.writeHead(404).end()
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' }).end(readFileSync(file))
  })
  await new Promise((ready) => server.listen(port, '127.0.0.1', ready))
  return { address: `http://127.0.0.1:${port}${base}`, asked, cut: () => ((cut = true), (asked.length = 0)), stop: () => server.close() }
}
