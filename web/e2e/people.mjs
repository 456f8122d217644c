// What every game's test does with people: they come, look whether the page is well, play on, leave and return, play again.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { sample } from './sample.mjs'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Somebody with a browser of their own; what goes wrong in it is noted. */
export async function person(browser, problems, name, options) {
  const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce', ...options })
  const page = await context.newPage()
  const note = (text) => /status of 401|ERR_INTERNET_DISCONNECTED|WebSocket connection/.test(text) || problems.push(`${name}: ${text}`)
  page.on('console', (message) => message.type() === 'error' && note(message.text()))
  page.on('pageerror', (error) => note(String(error)))
  return page
}

/** What axe finds on a page when it stands still, in a line each. */
export async function findWithAxe(page, options = {}) {
  await page.evaluate(AXE)
  await page.evaluate(() => {
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    return Promise.race([Promise.allSettled(ending.map(({ finished }) => finished)), new Promise((end) => setTimeout(end, 1000))])
  })
  const { violations } = await page.evaluate((how) => window.axe.run(document, how), { resultTypes: ['violations'], ...options })
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).slice(0, 3).join('; ')}`)
}

/** Everybody can use the page, and it is not too wide. */
export async function check(page, what, problems) {
  await page.locator('h1').first().waitFor({ state: 'attached' })
  for (const found of await findWithAxe(page)) problems.push(`${what}: ${found}`)
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  if (wide > 0) problems.push(`${what}: ${wide} px too wide`)
}

/** Ask the server as the person of a page. */
export const ask = (page, method, path, body) =>
  page.evaluate(
    async ([method, path, body]) => {
      const answer = await fetch(path, { method, headers: { 'content-type': 'application/json' }, body: body && JSON.stringify(body) })
      return answer.json()
    },
    [method, path, body],
  )

/** Somebody with a name, a language and a colour scheme, as a guest or a member; what goes wrong on the page is noted. */
export async function someone(browser, address, problems, { language, colorScheme = 'light', name, isMember = false }) {
  const context = await browser.newContext({ locale: language, viewport: { width: 1440, height: 900 }, colorScheme })
  const page = await context.newPage()
  page.on('pageerror', (error) => problems.push(String(error)))
  await page.goto(address)
  await ask(page, 'POST', '/api/session', { name })
  if (isMember) await ask(page, 'POST', '/api/members', { login: name, password: 'four corners of a wall' })
  return page
}

/** Everybody can use the page, narrow and wide (with `--some`, narrow); it is drawn, if pictures are wanted. */
export async function checkWidths(page, what, problems, pictures) {
  for (const width of sample([360, 1440])) {
    await page.setViewportSize({ width, height: 900 })
    await check(page, `${what} ${width}`, problems)
    if (pictures) await page.screenshot({ path: join(pictures, `${what}-${width}.png`), fullPage: true })
  }
}

export const over = (page) => page.locator('.end').count()

/** Everybody makes moves, the first one by keyboard alone and the others by touch, until something is true; says how many turns that took. */
export async function playOn(people, move, until) {
  for (let moves = 0; moves < 600; moves += 1) {
    if (await until(moves)) return moves
    const moved = await Promise.all(people.map((one, i) => move(one, i ? 'touch' : 'keys')))
    if (!moved.some(Boolean)) await people[0].waitForTimeout(40)
  }
  throw new Error('the game does not end')
}

/** A computer player takes over, and the person comes back. */
export async function leaveAndReturn(page) {
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('button', { name: 'Leave the table' }).click()
  await page.locator('dialog[open] [data-sure]').click()
  await page.getByRole('button', { name: 'Come back' }).click()
  await page.getByRole('button', { name: 'Come back' }).waitFor({ state: 'detached' })
}

/** The deals are computed again in the browser, with the number that this person added. */
async function checkDeals(page) {
  await page.getByRole('button', { name: 'Check the deals' }).click()
  await page.locator('.verdict').waitFor()
  assert.match(await page.locator('.verdict').innerText(), /^All \d+ deals are as they were fixed before the game\.$/)
  await page.getByText('Your own number was part of the dice').waitFor()
}

/** The game is watched again, and a stranger opens it from a link that holds all of it; says how many steps it has. */
async function watchAgain(browser, problems, page, title) {
  const table = page.url()
  await page.getByRole('link', { name: 'Watch it again' }).click()
  await page.waitForSelector('.controls')
  const steps = (await page.locator('output').innerText()).split('/')[1]
  await page.keyboard.press('End')
  assert.equal(await page.locator('output').innerText(), `${steps}/${steps}`)
  await check(page, 'replay', problems)
  await page.getByText('Whole game in a link').click()
  const link = await page.getByRole('textbox', { name: 'Link to this game' }).inputValue()
  assert.match(link, new RegExp(`/replay#${title}1\\.[\\w-]+$`))
  const stranger = await person(browser, problems, 'a stranger', { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })
  await stranger.goto(link)
  await stranger.waitForSelector('.controls')
  // The link holds the game itself: not that somebody left and came back
  assert.equal((await stranger.locator('output').innerText()).split('/')[1], String(Number(steps) - 2))
  await check(stranger, 'replay 360', problems)
  await stranger.context().close()
  await page.goto(table)
  await page.waitForSelector('.end')
  return steps
}

/** What both do when a game is over: see the ledger, check the deals, watch it again, play again; says how many steps it had. */
export async function afterwards(browser, problems, [ilse, tom], title) {
  await check(ilse, 'ledger', problems)
  await check(tom, 'ledger 360', problems)
  await checkDeals(ilse)
  await checkDeals(tom)
  const steps = await watchAgain(browser, problems, ilse, title)
  await rematch(ilse, tom)
  assert.deepEqual(problems, [])
  return steps
}

/** The rows of the ledger as numbers: place, what the points were for, total. */
export function ledgerOf(page) {
  return page.locator('.end tbody tr').evaluateAll((all) => all.map((row) => Array.from(row.querySelectorAll('td'), (cell) => Number(cell.innerText.replace('−', '-')))))
}

/** Both ask for another game, and sit at it. */
async function rematch(ilse, tom) {
  const old = ilse.url()
  await ilse.getByRole('button', { name: 'Play again' }).click()
  await tom.getByRole('button', { name: /play again/i }).click()
  await ilse.waitForURL((url) => url.href !== old)
  await Promise.all([ilse, tom].map((page) => page.waitForSelector('.own')))
}
