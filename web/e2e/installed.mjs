// Whole games that other packages bring, in real browsers: two people, one at a desk and one with a phone, and a bot.
// The browser knows nothing of these games: it draws what they describe, and says what they say.
// node web/e2e/installed.mjs GAMES [PICTURES]: GAMES is a folder in which the packages are installed. With `--some` only
// the game with hidden hands is played, and no review of it is shown.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { check, over, person, playOn } from './people.mjs'
import { some, words } from './sample.mjs'
import { openBrowser, serve } from './server.mjs'

const [games, pictures] = words
const server = await serve({ games: [games] })
const browser = await openBrowser()
const problems = []
/** A review that nobody asked for is not there yet: the browser says so on its own. */
const known = /status of 404/
const TITLES = { stairs: 'Stairs', ribbon: 'Ribbon' }

const picture = (page, what) => (pictures ? page.screenshot({ path: join(pictures, `${what}.png`) }) : undefined)
const any = async (locator) => locator.nth(Math.floor(Math.random() * (await locator.count())))

/** Make a move if it is this person's turn: point until one move is left, by finger or by keyboard, and confirm. */
async function move(page, how) {
  const use = async (target) => (how === 'keys' ? (await target.focus(), page.keyboard.press('Enter')) : target.tap())
  const open = page.locator('.cell.may, .buttons [data-move]')
  for (let steps = 0; steps < 4; steps += 1) {
    if ((await over(page)) || !(await open.count())) return false
    await use(await any(open))
    if (await page.locator('.confirm:enabled').count()) break
  }
  await page.locator('.say .sum').waitFor()
  await use(page.locator('.confirm'))
  await page.locator('.confirm').waitFor({ state: 'detached' })
  return true
}

/** Open a table on the home page; the game has a card like any other. */
async function sitDown(ilse, tom, title) {
  await ilse.goto(server.address)
  await ilse.locator(`[data-more=${title}]`).click()
  await ilse.getByLabel('Your name').fill('Ilse')
  await ilse.locator('input[name=bots][value="1"]').check({ force: true })
  await check(ilse, `options of ${title}`, problems)
  await ilse.getByRole('button', { name: 'Set the table' }).click()
  await tom.goto(await ilse.getByLabel('Link to this seat').inputValue())
  await tom.getByLabel('Your name').fill('Tom')
  await tom.getByRole('button', { name: 'Sit down' }).click()
  await Promise.all([ilse, tom].map((page) => page.locator('[data-described]').waitFor()))
}

/** Nobody's page holds the faces of another hand. */
async function keepsSecrets(page) {
  assert.equal(await page.locator('.mini .is-track [data-piece]:not([data-piece$=hidden])').count(), 0)
}

async function playThrough(ilse, tom, title) {
  await sitDown(ilse, tom, title)
  await playOn([ilse, tom], move, (moves) => moves > 6)
  for (const [page, width] of [[ilse, 1440], [tom, 360]]) {
    await check(page, `${title} ${width}`, problems)
    await picture(page, `${title}-${width}`)
    await keepsSecrets(page)
  }
  const moves = await playOn([ilse, tom], move, async () => (await over(ilse)) && over(tom))
  for (const [page, width] of [[ilse, 1440], [tom, 360]]) {
    await check(page, `the end of ${title} ${width}`, problems)
    await picture(page, `${title}-end-${width}`)
  }
  return moves
}

/** The game is watched again, reviewed, and its rules are read. */
async function lookBack(page, title) {
  const table = page.url()
  await page.getByRole('link', { name: 'Watch it again' }).click()
  await page.waitForSelector('.controls')
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')
  await page.locator('[data-described]').waitFor()
  await check(page, `replay of ${title}`, problems)
  if (!some) {
    await page.goto(table.replace('/table/', '/review/'))
    await page.locator('.plot').waitFor({ timeout: 180_000 }) // the coach gives way to games, so it is slow on a busy machine
    await page.locator('[data-described]').waitFor()
    await check(page, `review of ${title}`, problems)
    await picture(page, `${title}-review`)
  }
  await page.goto(`${server.address}/rules/${title}`)
  await page.getByRole('heading', { level: 1, name: TITLES[title] }).waitFor()
  assert.ok((await page.locator('li .id').count()) >= 6)
  await check(page, `rules of ${title}`, problems)
  await picture(page, `${title}-rules`)
  await page.goto(table)
}

try {
  const ilse = await person(browser, problems, 'Ilse', { viewport: { width: 1440, height: 900 } })
  const tom = await person(browser, problems, 'Tom', { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, colorScheme: 'dark' })
  await ilse.goto(server.address)
  for (const [title, name] of Object.entries(TITLES)) await ilse.locator(`[data-game=${title}]`).getByRole('heading', { name }).waitFor()
  await check(ilse, 'home', problems)
  await picture(ilse, 'home-1440')
  for (const title of Object.keys(TITLES).slice(some ? -1 : 0)) {
    const moves = await playThrough(ilse, tom, title)
    await lookBack(ilse, title)
    console.log(`${title}: over after ${moves} rounds of moves`)
  }
  assert.deepEqual(problems.filter((one) => !known.test(one)), [])
} finally {
  await browser.close()
  server.stop()
}
