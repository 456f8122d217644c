// Second chances on a server: a move is taken back against a bot and between people, and a replay is played on.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { check, person } from './people.mjs'
import { openBrowser, serve } from './server.mjs'

const server = await serve()
const browser = await openBrowser()
const problems = []
const call = (page, path, body) => page.evaluate(async ([path, body]) => (await fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })).json(), [path, body])
const see = (page) => page.evaluate(async () => (await fetch(`/api/games/${location.pathname.split('/').pop()}`)).json())
const post = (page, request) => call(page, `/api/games/${page.url().split('/').pop()}/act`, { request: { key: `key-${Math.random().toString(36).slice(2)}`, ...request } })

/** Make the first legal move as soon as it is this person's turn; return the table before it. */
async function move(page) {
  await page.getByText('Your turn').first().waitFor()
  const table = await see(page)
  assert.equal((await post(page, { type: 'play', number: table.number, move: table.moves[0] })).type, 'ack')
  return table
}

async function takeBack(page) {
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('button', { name: 'Take back my last move' }).click()
}

try {
  const ann = await person(browser, problems, 'Ann', { viewport: { width: 1440, height: 900 } })
  const bob = await person(browser, problems, 'Bob', { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })
  for (const [page, name] of [[ann, 'Ann'], [bob, 'Bob']]) {
    await page.goto(server.address)
    await page.waitForSelector('[data-play]')
    await call(page, '/api/session', { name })
  }

  // Against a bot the move is taken back at once, and the table is as it was before
  const alone = await call(ann, '/api/games', { title: 'azul', seats: [{ kind: 'me' }, { kind: 'bot', level: '1' }] })
  await ann.goto(`${server.address}/table/${alone.id}`)
  const before = await move(ann)
  await ann.getByText('Your turn').first().waitFor()
  await takeBack(ann)
  await ann.waitForURL((url) => /\/table\//.test(url) && !url.pathname.endsWith(alone.id))
  await ann.getByText('Your turn').first().waitFor()
  const after = await see(ann)
  assert.deepEqual([after.view, after.moves], [before.view, before.moves])
  assert.equal(after.branch.game, alone.id)
  await check(ann, 'after a move was taken back', problems)

  // Between people the other one is asked
  const both = await call(ann, '/api/games', { title: 'blockers', seats: [{ kind: 'me' }, { kind: 'open' }] })
  await call(bob, `/api/games/${both.id}/join`, { secret: both.invitations[0].secret })
  for (const page of [ann, bob]) await page.goto(`${server.address}/table/${both.id}`)
  const first = await Promise.race([ann, bob].map((page) => page.getByText('Your turn').first().waitFor().then(() => page)))
  const second = first === ann ? bob : ann
  const start = await move(first)
  await takeBack(first)
  await second.getByText('would like to take back a move').waitFor()
  await check(second, 'asked to take back a move', problems)
  await second.getByRole('button', { name: 'Agree' }).click()
  for (const page of [first, second]) await page.waitForURL((url) => /\/table\//.test(url) && !url.pathname.endsWith(both.id))
  await first.getByText('Your turn').first().waitFor()
  assert.deepEqual((await see(first)).moves, start.moves)
  const hidden = await second.evaluate(async (id) => (await fetch(`/api/games/${id}/replay`)).status, both.id)
  assert.equal(hidden, 403, 'the racks of the game that a move was taken back from are still in play')

  // A replay is played on from the step that is shown
  const record = readFileSync(new URL('../../records/duel/points.game', import.meta.url), 'utf8')
  for (const page of [ann, bob]) {
    await page.goto(`${server.address}/replay`)
    await page.locator('input[type=file]').setInputFiles({ name: 'points.game', mimeType: 'text/plain', buffer: Buffer.from(record) })
    await page.waitForSelector('.controls')
    await page.keyboard.press('End')
    assert(await page.locator('[data-play-on]').isDisabled(), 'a game that is over cannot be played on')
    await page.keyboard.press('Home')
    for (let step = 0; step < 12; step += 1) await page.keyboard.press('ArrowRight')
    const shown = await page.locator('output').innerText()
    assert.match(shown, /^13\//)
    await page.locator('[data-play-on]').click()
    await page.locator('dialog[open] option').nth(3).waitFor({ state: 'attached' })
    if (process.env.E2E_PICTURES) await page.screenshot({ path: `${process.env.E2E_PICTURES}/play-on-${page === ann ? 1440 : 360}.png` })
    await check(page, 'play on', problems)
    await page.getByRole('button', { name: 'Play on', exact: true }).click()
    await page.waitForURL(/\/table\//)
    await page.getByText(/Your turn|is to move|to move/).first().waitFor()
    const table = await see(page)
    assert.equal(table.status, 'playing')
    assert(table.branch.acts >= 13)
    assert.equal(table.rated, false)
  }
  assert.deepEqual(problems.filter((text) => !/status of 403/.test(text)), [])
  console.log('second chances: taken back alone and by agreement, played on from a replay')
} catch (exc) {
  if (process.env.E2E_PICTURES) for (const [i, context] of browser.contexts().entries()) await context.pages()[0]?.screenshot({ path: `${process.env.E2E_PICTURES}/second-${i}.png` })
  console.error(problems)
  throw exc
} finally {
  await browser.close()
  server.stop()
}
