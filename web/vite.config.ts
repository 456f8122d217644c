import { svelte } from '@sveltejs/vite-plugin-svelte'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'

// The server of `tessella serve`, while the client is being developed with `npm run dev`.
const server = process.env.TESSELLA_SERVER ?? 'http://127.0.0.1:8642'

/** The address of the source code, which a release names; a build of a checkout has none. */
const source = process.env.TESSELLA_REPOSITORY ?? ''

/** The packed Python of the tab, which scripts/web-build makes. */
const python = join(import.meta.dirname, '../build/python')
const manifest = join(python, 'manifest.json')
const packed = existsSync(manifest) ? readFileSync(manifest, 'utf8') : '{"version":"none","files":{}}'

/** Put the packed Python beside its worker. */
function shipPython(): Plugin {
  const { version } = JSON.parse(packed) as { version: string }
  return {
    name: 'ship-python',
    apply: 'build',
    writeBundle({ dir = '' }) {
      if (existsSync(manifest)) cpSync(join(python, version), join(dir, 'python', version), { recursive: true })
    },
  }
}

/** A folder that a static host serves gets its policy from the page itself. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; worker-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; require-trusted-types-for 'script'; trusted-types svelte-trusted-html tessella-worker"

function standalonePage(): Plugin {
  return {
    name: 'standalone-page',
    apply: (_, { mode }) => mode === 'standalone',
    transformIndexHtml: (html) => html.replace('<meta charset="utf-8" />', `<meta charset="utf-8" />\n    <meta http-equiv="content-security-policy" content="${POLICY}" />`),
  }
}

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
      // The packed Python is kept when it is first used.
      const shell = paths.filter((path) => !path.startsWith(join(dir, 'python')) || path.endsWith('.js'))
      const files = shell.map((path) => path.slice(dir.length + 1).replaceAll('\\', '/').replace('index.html', ''))
      const code = readFileSync(worker, 'utf8').replace('__FILES__', JSON.stringify(files))
      writeFileSync(worker, code.replace('__VERSION__', version.digest('hex').slice(0, 12)))
    },
  }
}

export default defineConfig({
  plugins: [svelte(), shipPython(), standalonePage(), fillWorker()],
  define: { __PYTHON__: packed, __SOURCE__: JSON.stringify(source) },
  worker: { format: 'es', rolldownOptions: { output: { entryFileNames: 'python/worker-[hash].js' } } },
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
  // a limit for what hangs: on a busy machine a test takes as long as it takes
  test: { include: ['src/**/*.test.ts'], testTimeout: 60_000 },
})
