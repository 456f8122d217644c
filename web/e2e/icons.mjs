// Draws the icons that must be PNG from public/icon.svg: node e2e/icons.mjs
import { readFileSync } from 'node:fs'
import { openBrowser } from './server.mjs'

const folder = new URL('../public/', import.meta.url)
const svg = readFileSync(new URL('icon.svg', folder), 'utf8')
// Phones cut a maskable icon to any shape and round the one of the home screen themselves: the ground fills the square.
const inner = svg.replace(/<svg[^>]*>|<\/svg>/g, '').replace(/<rect[^>]*\/>/g, '')
const square = (scale) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" fill="#1f4e9e"/><g transform="translate(20 20) scale(${scale}) translate(-20 -20)">${inner}</g></svg>`

const browser = await openBrowser()
for (const [name, size, drawing] of [
  ['icon-180', 180, square(0.92)],
  ['icon-192', 192, svg],
  ['icon-512', 512, svg],
  ['icon-maskable', 512, square(0.8)],
]) {
  const page = await browser.newPage({ viewport: { width: size, height: size } })
  await page.setContent(`<style>body{margin:0}svg{display:block;width:100vw;height:100vh}</style>${drawing}`)
  await page.screenshot({ path: new URL(`${name}.png`, folder).pathname, omitBackground: true })
}
await browser.close()
