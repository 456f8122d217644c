import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'

// The server of `tessella serve`, while the client is being developed with `npm run dev`.
const server = process.env.TESSELLA_SERVER ?? 'http://127.0.0.1:8642'

export default defineConfig({
  plugins: [svelte()],
  build: { target: 'es2022', modulePreload: { polyfill: false }, assetsInlineLimit: 0, reportCompressedSize: true },
  server: { host: '127.0.0.1', port: 8700, proxy: { '/api': { target: server, ws: true } }, fs: { allow: ['..'] } },
  test: { include: ['src/**/*.test.ts'] },
})
