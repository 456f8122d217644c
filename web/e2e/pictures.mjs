// The pictures of the documentation: home, a lesson, a review, and each game in the middle of a good game; wide and on a phone.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { arrive, come, look, reviewed, setTable, SOON, throwDice } from './scenes.mjs'
import { openBrowser, serve } from './server.mjs'

const FOLDER = fileURLToPath(new URL('../../docs/pictures', import.meta.url))
const TABLES = [
  ['azul', 3, 42],
  ['duel', 2, 66],
  ['blockers', 4, 52],
]
const server = await serve()
const browser = await openBrowser()
/** Something must still lie on the factories of Azul for a picture of it. */
const isRich = ({ view }) => !view.factories?.length || typeof view.factories[0] !== 'string' || view.factories.filter(Boolean).length > 3
const pause = (ms) => new Promise((wake) => setTimeout(wake, ms))

/** The computer plays for everybody until enough has happened; then one is back, and it is one's turn. */
async function midGame(title, seats, acts) {
  const ilse = await come(server.address, 'Ilse')
  const bots = Array.from({ length: seats - 1 }, () => ({ kind: 'bot', level: 'greedy' }))
  const { id } = await ilse.ask('POST', '/api/games', { title, seats: [{ kind: 'me' }, ...bots] })
  await throwDice([ilse], id)
  const see = () => ilse.ask('GET', `/api/games/${id}`)
  while ((await see()).status !== 'playing') await pause(50)
  await ilse.act(id, { type: 'command', action: 'leave' })
  for (let table = await see(); table.number < acts || !isRich(table); table = await see()) await pause(5)
  await ilse.act(id, { type: 'command', action: 'return' })
  while (!(await see()).moves.length) await pause(20)
  return { ilse, path: `/table/${id}` }
}

async function take(name, person, path) {
  for (const width of [1440, 360]) {
    const context = await look(browser, person, { width, theme: 'light', language: 'en' })
    const page = await context.newPage()
    await arrive(page, server.address + path)
    await page.screenshot({ path: join(FOLDER, `${name}-${width}.jpg`), type: 'jpeg', quality: 78 })
    await context.close()
  }
}

try {
  for (const [title, seats, acts] of TABLES) {
    const { ilse, path } = await midGame(title, seats, acts)
    await take(title, ilse, path)
  }
  const ann = await come(server.address, 'Ann')
  await take('home', ann, '/')
  await take('lesson', ann, '/learn/azul')
  const { id, host } = await setTable(server.address, 'azul', 2, {}, SOON)
  await reviewed(host, id)
  await take('review', host, `/review/${id}`)
} finally {
  await browser.close()
  server.stop()
}
