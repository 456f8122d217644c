// A club in a real browser: made, joined by its link, a weekly event, a knock-out over three rounds, standings, the end;
// its people read three languages.
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { ask, checkWidths, someone } from './people.mjs'
import { openBrowser, serve } from './server.mjs'

const PICTURES = process.env.E2E_PICTURES
if (PICTURES) mkdirSync(PICTURES, { recursive: true })
const read = (language) => Object.assign({}, ...['common', 'events', 'clubs'].map((part) => JSON.parse(readFileSync(new URL(`../src/locales/${language}/${part}.json`, import.meta.url), 'utf8'))))
const [en, nl, fr] = ['en', 'nl', 'fr'].map(read)
const server = await serve()
const browser = await openBrowser()
const problems = []
const isAccessible = (page, where) => checkWidths(page, `clubs-${where}`, problems, PICTURES)
const button = (page, name) => page.getByRole('button', { name, exact: true })

/** A member makes a club and a link; another one joins by it; a guest sees that there is one, and no more. */
async function found(ann, bob, guest) {
  await ann.goto(`${server.address}/clubs`)
  await ann.getByText(en['clubs.new'], { exact: true }).click()
  await ann.getByLabel(en['clubs.name']).fill('The Thursday Tilers')
  await ann.getByLabel(en['clubs.about']).fill('Azul by the fire, and a knock-out now and then.')
  await isAccessible(ann, 'new')
  await button(ann, en['clubs.make']).click()
  await button(ann, en['clubs.link.new']).click()
  const link = await ann.getByLabel(en['clubs.link'], { exact: true }).inputValue()
  await bob.goto(link.split('#')[0])
  await bob.getByText(nl['clubs.closed.text']).waitFor()
  await bob.goto('about:blank')
  await bob.goto(link)
  await button(bob, nl['clubs.join']).click()
  await bob.getByText(nl['clubs.in'], { exact: true }).waitFor()
  await guest.goto(link)
  await guest.getByText(fr['clubs.no.members']).waitFor()
  assert.equal(await guest.getByRole('table').count(), 0)
  await isAccessible(guest, 'closed')
  return new URL(link).pathname
}

/** The owner lets an event repeat every week; the next one is there by itself. */
async function plan(ann, bob, club) {
  await ann.getByText(en['events.new'], { exact: true }).click()
  await ann.getByLabel(en['events.name']).fill('Thursday cup')
  await ann.getByRole('combobox', { name: en['events.starts'], exact: true }).selectOption('-1')
  await ann.getByRole('combobox', { name: en['events.weekday'], exact: true }).selectOption('3')
  await ann.getByLabel(en['events.time']).fill('19:30')
  await isAccessible(ann, 'weekly')
  await button(ann, en['events.create']).click()
  await ann.getByText('every week on Thursday at 19:30 (UTC)').waitFor()
  await bob.goto(server.address + club)
  await bob.getByText('elke week op donderdag om 19:30 (UTC)').waitFor()
  const next = bob.getByRole('link', { name: /^Thursday cup/ })
  for (let tries = 0; tries < 20 && !(await next.count()); tries += 1) {
    await bob.waitForTimeout(500)
    await bob.reload()
    await bob.getByText(nl['clubs.in'], { exact: true }).waitFor()
  }
  await next.click()
  await button(bob, nl['events.enter']).click()
  await bob.getByText(nl['events.entered'], { exact: true }).waitFor()
}

/** A knock-out of the club: eight entrants, six of them bots, three rounds. */
async function knockOut(ann, bob, guest, club) {
  const terms = { name: 'Fireside knock-out', title: 'azul', format: 'knockout', pace: { days: 1 }, bots: 6, most: 8, club: club.split('/').at(-1) }
  const { id } = await ask(ann, 'POST', '/api/events', terms)
  assert.equal((await ask(guest, 'POST', `/api/events/${id}/entry`)).rule, 'club')
  for (const page of [ann, bob]) await ask(page, 'POST', `/api/events/${id}/entry`)
  await ask(ann, 'POST', `/api/events/${id}/start`)
  await bob.goto(`${server.address}/events/${id}`)
  await bob.getByRole('region', { name: nl['events.bracket'] }).waitFor()
  await isAccessible(bob, 'bracket-first')
  for (const page of [ann, bob]) await giveUp(page, id)
  await bob.getByText(nl['events.winner'].replace('{name}', '').trim()).waitFor({ timeout: 120_000 })
  const view = await ask(bob, 'GET', `/api/events/${id}`)
  assert.deepEqual([1, 2, 3].map((round) => view.tables.filter((table) => table.round === round).length), [4, 2, 1])
  assert.equal(await bob.getByRole('region', { name: nl['events.bracket'] }).getByRole('listitem').filter({ has: bob.locator('b') }).count() > 6, true)
  await isAccessible(bob, 'bracket')
}

/** Somebody resigns, however far they have come. */
async function giveUp(page, event) {
  for (let tries = 0; tries < 60; tries += 1) {
    const view = await ask(page, 'GET', `/api/events/${event}`)
    const table = view.tables.findLast((each) => each.game && !each.over && each.players.includes(view.me))
    if (table) {
      const done = await ask(page, 'POST', `/api/games/${table.game}/act`, { request: { type: 'command', key: `resign-${table.game}-${tries}`, action: 'resign' } })
      if (!done.rule) return
    }
    await page.waitForTimeout(500)
  }
  throw new Error('there is no table to resign at')
}

/** Everybody reads the standings; the owner removes a member and leaves: the club is over. */
async function end(ann, bob, guest, club) {
  await ann.goto(server.address + club)
  await ann.getByText(en['clubs.change'], { exact: true }).click()
  await ann.getByLabel(en['clubs.open'], { exact: true }).check()
  await button(ann, en['clubs.save']).click()
  await ann.getByText(en['events.past'], { exact: true }).waitFor()
  await isAccessible(ann, 'owner')
  await bob.goto(server.address + club)
  await bob.getByRole('row', { name: /ann/ }).waitFor()
  await isAccessible(bob, 'member')
  await guest.goto(`${server.address}/clubs`)
  await guest.getByRole('link', { name: /^The Thursday Tilers/ }).click()
  await guest.getByRole('row', { name: /bob/ }).waitFor()
  await isAccessible(guest, 'guest')
  await button(ann, en['clubs.remove.who'].replace('{who}', 'bob')).click()
  await ann.getByRole('row', { name: /bob/ }).waitFor({ state: 'detached' })
  await button(ann, en['clubs.leave']).click()
  await ann.waitForURL('**/clubs')
  assert.deepEqual((await ask(ann, 'GET', '/api/clubs')).clubs, [])
}

try {
  const ann = await someone(browser, server.address, problems, { language: 'en', name: 'ann', isMember: true })
  const bob = await someone(browser, server.address, problems, { language: 'nl', colorScheme: 'dark', name: 'bob', isMember: true })
  const guest = await someone(browser, server.address, problems, { language: 'fr', name: 'chloe' })
  const club = await found(ann, bob, guest)
  await plan(ann, bob, club)
  await knockOut(ann, bob, guest, club)
  await end(ann, bob, guest, club)
} finally {
  await browser.close()
  server.stop()
}
assert.deepEqual(problems, [])
console.log('a club was made, joined, played in and left, in three languages')
