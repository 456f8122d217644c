import { svelte } from '@sveltejs/vite-plugin-svelte'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'

// The server of `tessella serve`, while the client is being developed with `npm run dev`.
const server = process.env.TESSELLA_SERVER ?? 'http://127.0.0.1:8642'

/** Write the list of built files and a version digest into the service worker. */
function fillWorker(): Plugin {
  return {
    name: 'fill-worker',
    apply: 'build',
    writeBundle({ dir = '' }) {
      const worker = join(dir, 'worker.js')
      const found = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
      const paths = found.map((entry) => join(entry.parentPath, entry.name)).filter((path) => path !== worker).sort()
      const version = createHash('sha256')
      for (const path of [...paths, worker]) version.update(readFileSync(path))
      const files = paths.map((path) => path.slice(dir.length).replaceAll('\\', '/').replace('/index.html', '/'))
      const code = readFileSync(worker, 'utf8').replace('__FILES__', JSON.stringify(files))
      writeFileSync(worker, code.replace('__VERSION__', version.digest('hex').slice(0, 12)))
    },
  }
}

export default defineConfig({
  plugins: [svelte(), fillWorker()],
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: true,
    rolldownOptions: {
      input: { index: 'index.html', worker: 'src/worker.ts' },
      output: { entryFileNames: ({ name }) => (name === 'worker' ? 'worker.js' : 'assets/[name]-[hash].js') },
    },
  },
  server: { host: '127.0.0.1', port: 8700, proxy: { '/api': { target: server, ws: true } }, fs: { allow: ['..'] } },
  test: { include: ['src/**/*.test.ts'] },
})
