// A small event in a real browser: a member makes it, a guest enters, the tables are played, the standings follow by
// themselves; in three languages, narrow and wide.
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { ask, checkWidths, someone } from './people.mjs'
import { sample } from './sample.mjs'
import { openBrowser, serve } from './server.mjs'

const PICTURES = process.env.E2E_PICTURES
if (PICTURES) mkdirSync(PICTURES, { recursive: true })
const read = (language, part) => JSON.parse(readFileSync(new URL(`../src/locales/${language}/${part}.json`, import.meta.url), 'utf8'))
const server = await serve()
const browser = await openBrowser()
const problems = []

const isAccessible = (page, where) => checkWidths(page, `events-${where}`, problems, PICTURES)

async function visit(language, colorScheme) {
  const words = { ...read(language, 'common'), ...read(language, 'events') }
  const ann = await someone(browser, server.address, problems, { language, colorScheme, name: `ann-${language}`, isMember: true })
  const bob = await someone(browser, server.address, problems, { language, colorScheme, name: `bob-${language}` })

  // A member makes an event.
  await ann.goto(`${server.address}/events`)
  await ann.getByText(words['events.new'], { exact: true }).click()
  await ann.getByLabel(words['events.name']).fill(`Cup ${language}`)
  await ann.getByRole('combobox', { name: words['events.rounds'], exact: true }).selectOption('1')
  await ann.getByRole('combobox', { name: words['events.bots'], exact: true }).selectOption('2')
  await ann.getByLabel(words['events.duplicate']).check()
  await isAccessible(ann, `${language}-new`)
  await ann.getByRole('button', { name: words['events.create'], exact: true }).click()
  await ann.getByRole('button', { name: words['events.enter'], exact: true }).click()
  await ann.getByText(words['events.entered'], { exact: true }).waitFor()

  // A guest finds it in the list, cannot make one, and enters.
  await bob.goto(`${server.address}/events`)
  await bob.getByText(words['events.new.member']).waitFor()
  await bob.getByRole('link', { name: new RegExp(`^Cup ${language}`) }).click()
  await bob.getByRole('button', { name: words['events.enter'], exact: true }).click()
  await bob.getByText(words['events.entered'], { exact: true }).waitFor()
  await isAccessible(bob, `${language}-open`)

  // It begins; everybody is led to their table without reloading the page.
  await ann.getByRole('button', { name: words['events.start'], exact: true }).click()
  const id = new URL(ann.url()).pathname.split('/').at(-1)
  for (const page of [ann, bob]) await page.getByRole('link', { name: words['events.go'] }).waitFor()
  await isAccessible(bob, `${language}-running`)
  const view = await ask(ann, 'GET', `/api/events/${id}`)
  assert.equal(view.tables.length, 2)
  const mine = view.tables.find((table) => table.players.includes(view.me))
  const theirs = await ask(bob, 'GET', `/api/events/${id}`).then((seen) => seen.tables.find((table) => table.players.includes(seen.me)))

  // Ann sits down by the link, starts the game and resigns; so does Bob if he has another table.
  await ann.getByRole('link', { name: words['events.go'] }).click()
  await ann.waitForURL(`**/table/${mine.game}`)
  for (const [page, table] of [[ann, mine], [bob, theirs]]) {
    for (const action of ['start', 'resign']) await ask(page, 'POST', `/api/games/${table.game}/act`, { request: { type: 'command', key: `${action}-${language}-${table.game}`, action } })
  }

  // Bob has kept the page open: the standings and the winner come by themselves.
  await bob.getByText(words['events.winner'].replace('{name}', '').trim()).waitFor({ timeout: 60_000 })
  const end = await ask(bob, 'GET', `/api/events/${id}`)
  assert.equal(end.state, 'over')
  assert.deepEqual(end.standings.map((line) => line.played), [1, 1, 1, 1])
  assert.equal(end.standings.reduce((sum, line) => sum + line.points, 0), 2)
  await bob.getByText(words['events.how'], { exact: true }).click()
  await bob.getByText(words['events.break.comparison.text']).waitFor()
  assert.equal(await bob.getByRole('region', { name: words['events.standings'] }).getByRole('row').count(), 5)
  await isAccessible(bob, `${language}-over`)
  for (const page of [ann, bob]) await page.context().close()
}

try {
  for (const [language, scheme] of sample([['en', 'light'], ['nl', 'dark'], ['fr', 'light']])) await visit(language, scheme)
} finally {
  await browser.close()
  server.stop()
}
assert.deepEqual(problems, [])
console.log('an event was made, entered, played and ranked')
