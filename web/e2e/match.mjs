// A duplicate match of two: one makes it, the other sits down by one link, both games are played on the same deals, and
// the page compares the players; in three languages, narrow and wide.
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { check, person } from './people.mjs'
import { sample } from './sample.mjs'
import { openBrowser, serve } from './server.mjs'

const PICTURES = process.env.E2E_PICTURES
if (PICTURES) mkdirSync(PICTURES, { recursive: true })
const words = (language) => JSON.parse(readFileSync(new URL(`../src/locales/${language}/events.json`, import.meta.url), 'utf8'))
const server = await serve()
const browser = await openBrowser()
const problems = []

async function look(page, what) {
  for (const width of sample([360, 1440])) {
    await page.setViewportSize({ width, height: 900 })
    await check(page, `${what} ${width}`, problems)
    if (PICTURES) await page.screenshot({ path: join(PICTURES, `match-${what}-${width}.png`), fullPage: true })
  }
}

/** In the page: make the first or last legal move at each table where it is this person's turn; says at how many tables. */
async function playOnce([games, place]) {
  let moved = 0
  for (const game of games) {
    const table = await (await fetch(`/api/games/${game}`)).json()
    if (!table.moves.length) continue
    const request = { type: 'play', key: crypto.randomUUID(), number: table.number, move: table.moves.at(place) }
    const answer = await fetch(`/api/games/${game}/act`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ request }) })
    moved += answer.ok
  }
  return moved
}

const start = (page, games) =>
  page.evaluate(async (games) => {
    for (const game of games) {
      const request = { type: 'command', action: 'start', key: crypto.randomUUID() }
      await fetch(`/api/games/${game}/act`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ request }) })
    }
  }, games)

try {
  const en = words('en')
  const ann = await person(browser, problems, 'Ann', { viewport: { width: 1440, height: 900 } })
  await ann.goto(server.address)
  await ann.evaluate(() => fetch('/api/session', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"name":"Ann"}' }))
  await ann.goto(`${server.address}/events`)
  await ann.locator('[data-match]').click()
  await ann.waitForURL(/\/match\/\w+$/)
  const link = await ann.getByLabel(en['match.link']).inputValue()
  await look(ann, 'made')

  const bob = await person(browser, problems, 'Bob', { viewport: { width: 360, height: 740 }, locale: 'nl-NL' })
  await bob.goto(link)
  await bob.getByLabel('Je naam').fill('Bob')
  await look(bob, 'invited')
  await bob.getByRole('button', { name: words('nl')['match.sit'] }).click()
  await bob.getByText('Bob – Ann').waitFor()

  const { games } = await ann.evaluate((id) => fetch(`/api/matches/${id}`).then((answer) => answer.json()), link.match(/match\/(\w+)/)[1])
  assert.equal(games.length, 2)
  await start(ann, games)
  for (let idle = 0; idle < 3; ) idle = (await ann.evaluate(playOnce, [games, 0])) + (await bob.evaluate(playOnce, [games, -1])) ? 0 : idle + 1

  await ann.reload()
  await ann.getByRole('heading', { name: en['match.compared'] }).waitFor()
  const nets = await ann.locator('tbody td:last-child').allInnerTexts()
  assert.equal(nets.length, 4)
  const sum = nets.map((net) => Number(net.replace('−', '-'))).reduce((one, other) => one + other, 0)
  assert.ok(Math.abs(sum) < 0.05, `the comparison adds up to ${sum}`)
  await look(ann, 'compared')

  const carl = await person(browser, problems, 'Carl', { viewport: { width: 1440, height: 900 }, locale: 'fr-FR' })
  await carl.goto(link.split('#')[0])
  await carl.getByRole('heading', { name: words('fr')['match.compared'] }).waitFor()
  await look(carl, 'compared-fr')

  // before Bob sits down he may not see the tables: his browser reports the refusals
  assert.deepEqual(problems.filter((problem) => !/^Bob: .* 403/.test(problem)), [])
  console.log('match: made, joined by one link, played twice on the same deals, compared')
} finally {
  await browser.close()
  server.stop()
}
