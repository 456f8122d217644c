// The frames of the README's moving picture: some moves of a game of Azul against a computer player. node moving-picture.mjs DIR
import { join } from 'node:path'
import { arrive, come, look, throwDice } from './scenes.mjs'
import { openBrowser, serve } from './server.mjs'

const folder = process.argv[2]
const MOVES = 7
const server = await serve()
const browser = await openBrowser()
let number = 0

const shoot = (page) => page.screenshot({ path: join(folder, `${String((number += 1)).padStart(3, '0')}.png`) })

/** Frames while something moves. */
async function film(page, frames) {
  for (let frame = 0; frame < frames; frame += 1) {
    await shoot(page)
    await page.waitForTimeout(120)
  }
}

/** Take tiles, look at what they would score, and confirm: each a frame. */
async function move(page) {
  const source = page.locator('.factory button[aria-label][aria-disabled=false], .heap[aria-disabled=false]').first()
  await source.waitFor()
  await source.click()
  await page.waitForTimeout(250)
  await shoot(page)
  const lines = page.locator('.own .line.may')
  const count = await lines.count()
  await (count ? lines.nth(Math.min(2, count - 1)) : page.locator('.own .floor.may')).click()
  await page.locator('.confirm').waitFor()
  await page.waitForTimeout(250)
  await shoot(page)
  await page.locator('.confirm').click()
  await film(page, 4)
}

try {
  const ann = await come(server.address, 'Ann')
  const { id } = await ann.ask('POST', '/api/games', { title: 'azul', seats: [{ kind: 'me' }, { kind: 'bot', level: '3' }] })
  await throwDice([ann], id)
  const context = await look(browser, ann, { width: 1440, theme: 'light', language: 'en' })
  const page = await context.newPage()
  await page.setViewportSize({ width: 1120, height: 700 })
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await arrive(page, `${server.address}/table/${id}`)
  for (let done = 0; done < MOVES; done += 1) await move(page)
} finally {
  await browser.close()
  server.stop()
}
