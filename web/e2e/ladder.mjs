// The ladder of bot accounts in a real browser: two bots of two members have played, and people read the list in three languages.
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { ask, checkWidths, someone } from './people.mjs'
import { sample } from './sample.mjs'
import { openBrowser, serve } from './server.mjs'

const PICTURES = process.env.E2E_PICTURES
if (PICTURES) mkdirSync(PICTURES, { recursive: true })
const read = (language) => JSON.parse(readFileSync(new URL(`../src/locales/${language}/people.json`, import.meta.url), 'utf8'))
const server = await serve({ more: ['--bots', '0'] })
const browser = await openBrowser()
const problems = []

/** Ask the server as a bot. */
async function as(token, path, body) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const answer = await fetch(server.address + path, { method: 'POST', headers, body: JSON.stringify(body) })
  assert.ok(answer.ok, `${path}: ${answer.status}`)
  return answer.json()
}

/** A bot resigns a game against the nearest level. */
async function lose(token, title) {
  const { id } = await as(token, '/api/bot/ladder', { title })
  for (const action of ['start', 'resign']) await as(token, `/api/games/${id}/act`, { request: { type: 'command', key: `${action}-${id}`, action } })
}

const ann = await someone(browser, server.address, problems, { language: 'en', name: 'Ann', isMember: true })
const bob = await someone(browser, server.address, problems, { language: 'nl', colorScheme: 'dark', name: 'Bob', isMember: true })
const cid = await someone(browser, server.address, problems, { language: 'fr', name: 'Cid' })
const deep = await ask(ann, 'POST', '/api/me/bots', { name: 'Deep Tile' })
const long = await ask(bob, 'POST', '/api/me/bots', { name: 'The Quick Brown Fox' })
await lose(deep.token, 'azul')
for (let games = 0; games < 3; games += 1) await lose(long.token, 'azul')

for (const [page, language, scheme] of sample([[ann, 'en', 'light'], [bob, 'nl', 'dark'], [cid, 'fr', 'light']])) {
  const texts = read(language)
  await page.goto(`${server.address}/leaderboard`)
  await page.getByText(texts['people.among.bots'], { exact: true }).click()
  await page.getByText('Deep Tile (bot)').waitFor()
  const lines = await page.locator('table.ranks tbody tr').allInnerTexts()
  assert.equal(lines.length, 8, lines.join('\n'))
  assert.equal(lines.filter((line) => line.includes(texts['people.ladder.fixed'])).length, 6)
  const mine = lines.find((line) => line.includes('Deep Tile (bot)'))
  assert.ok(mine.includes(texts['people.ladder.of'].replace('{name}', 'Ann')) && mine.includes('±'), mine)
  await checkWidths(page, `ladder-${language}-${scheme}`, problems, PICTURES)
}

await ann.getByRole('link', { name: 'Deep Tile (bot)' }).click()
const { ladder, ratings, games } = await ask(ann, 'GET', `/api/people/${deep.id}`)
assert.deepEqual([ladder.length, ratings.length, games.length], [1, 0, 0])
await ann.getByRole('heading', { name: read('en')['people.ladder'] }).waitFor()
await checkWidths(ann, 'ladder-profile', problems, PICTURES)

await browser.close()
server.stop()
assert.deepEqual(problems, [])
