// The shop window: on a phone the first Play is in sight, one click plays, what was chosen last is played next, an
// invitation is one click too, and games in progress come first.
import assert from 'node:assert/strict'
import { check, person } from './people.mjs'
import { openBrowser, serve } from './server.mjs'

const server = await serve()
const browser = await openBrowser()
const problems = []
const TABLE = /\/table\/\w+$/

/** What the server knows of the table that is open. */
const table = (page) => page.evaluate(() => fetch(`/api/games/${location.pathname.split('/').at(-1)}`).then((answer) => answer.json()))
const bots = async (page) => (await table(page)).seats.filter((seat) => seat.is_bot).map((seat) => seat.level)

try {
  const page = await person(browser, problems, 'Ilse', { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })
  await page.goto(server.address)
  const play = page.locator('[data-play]').first()
  await play.waitFor()
  const { y, height } = await play.boundingBox()
  assert.ok(y + height < 740, `the first Play ends at ${y + height}`)
  assert.equal(await page.getByRole('link', { name: 'Learn: Azul' }).first().getAttribute('href'), '/learn/azul')
  await check(page, 'home', problems)

  // A first game is against level 1
  await play.tap()
  await page.waitForURL(TABLE)
  assert.deepEqual(await bots(page), ['1'])

  // What was chosen last is played next, and the game that goes on comes first
  await page.goto(server.address)
  await page.locator('#resume + ul a').first().waitFor()
  await page.locator('[data-more=azul]').tap()
  await page.locator('input[name=rivals][value="2"]').check({ force: true })
  await page.locator('input[name=level][value="2"]').check({ force: true })
  await check(page, 'options', problems)
  await page.locator('dialog').getByRole('button', { name: 'Play the Scatterbrain' }).tap()
  await page.waitForURL(TABLE)
  await page.goto(server.address)
  await page.getByText('Against: 2 × Scatterbrain').waitFor()
  await page.locator('[data-play=azul]').tap()
  await page.waitForURL(TABLE)
  assert.deepEqual(await bots(page), ['2', '2'])

  // An invitation is one click; it says who invites to what, and offers to learn it
  await page.goto(server.address)
  await page.locator('[data-gather=duel]').tap()
  const link = await page.getByLabel('Link to this seat').inputValue()
  const tom = await person(browser, problems, 'Tom', { viewport: { width: 1440, height: 900 } })
  await tom.goto(link)
  await tom.getByRole('heading', { name: /invites you to Azul Duel$/ }).waitFor()
  await tom.getByRole('link', { name: 'Learn: Azul Duel' }).waitFor()
  await check(tom, 'invitation', problems)
  await tom.getByRole('button', { name: 'Sit down' }).click()
  await tom.waitForURL(TABLE)

  // A used one says so, and offers to watch or to play elsewhere
  const late = await person(browser, problems, 'Eva', { viewport: { width: 360, height: 740 } })
  await late.goto(link)
  await late.getByRole('heading', { name: 'This seat is taken' }).waitFor()
  assert.equal(await late.getByRole('button', { name: 'Sit down' }).count(), 0)
  await check(late, 'a used invitation', problems)
  await late.getByRole('link', { name: 'Just watch' }).click()
  await late.waitForURL(TABLE)
  assert.deepEqual(problems, [])
  console.log('home: one click plays, invites, and goes on')
} finally {
  await browser.close()
  server.stop()
}
