// Every page, game, number of players, theme, language and width as a picture: scripts/screens DIR [part of a name …]
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { arrive, LANGUAGES, look, scenes, THEMES, WIDTHS } from './scenes.mjs'
import { openBrowser, serve } from './server.mjs'

const [dir, ...parts] = process.argv.slice(2)
if (!dir) {
  console.error('usage: scripts/screens DIR [part of a name …], for example: scripts/screens /tmp/screens table-azul 360 nl')
  process.exit(2)
}
const chosen = (name) => parts.length === 0 || parts.some((part) => name.includes(part))
/** A word that names a width, theme or language chooses among those; the others choose scenes. */
const axes = [Object.keys(WIDTHS), THEMES, Object.keys(LANGUAGES)].map((all) => {
  const some = all.filter((one) => parts.includes(one))
  for (const one of some) parts.splice(parts.indexOf(one), 1)
  return some.length ? some : all
})
const views = axes[0].flatMap((width) => axes[1].flatMap((theme) => axes[2].map((language) => ({ width: Number(width), theme, language }))))

mkdirSync(dir, { recursive: true })
const server = await serve()
const browser = await openBrowser()
try {
  const all = await scenes(server.address, chosen)
  let done = 0
  for (const [name, path, person, more] of all)
    for (const view of views) {
      const context = await look(browser, person, { ...view, more })
      const page = await context.newPage()
      await arrive(page, server.address + path)
      await page.screenshot({ path: join(dir, `${name}-${view.width}-${view.theme}-${view.language}.png`), fullPage: true })
      await context.close()
      done += 1
      if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${all.length * views.length} pictures`)
    }
  console.log(`\n${done} pictures in ${dir}`)
} finally {
  await browser.close()
  server.stop()
}
