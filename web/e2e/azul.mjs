// A whole game of Azul in real browsers: two people and a computer player, from the home page to the ledger.
// On the way: a link, a reload, a lost connection, a take-over and a return, a rematch; and no page breaks its policy.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { chromium } from 'playwright-core'
import { BROWSER, serve } from './server.mjs'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const server = await serve(8793)
const browser = await chromium.launch(BROWSER)
const problems = []

async function person(name, options) {
  const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce', ...options })
  const page = await context.newPage()
  const note = (text) => /status of 401|ERR_INTERNET_DISCONNECTED|WebSocket connection/.test(text) || problems.push(`${name}: ${text}`)
  page.on('console', (message) => message.type() === 'error' && note(message.text()))
  page.on('pageerror', (error) => note(String(error)))
  return page
}

async function check(page, what) {
  await page.evaluate(AXE)
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }))
  for (const { id, nodes } of violations) problems.push(`${what}: ${id}: ${nodes.map((node) => node.target.join(' ')).slice(0, 3).join('; ')}`)
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  if (over > 0) problems.push(`${what}: ${over} px too wide`)
}

const over = (page) => page.locator('.end').count()

/** Make a move if it is this person's turn: by mouse, or by keyboard alone. */
async function move(page, how = 'mouse') {
  const sources = page.locator('.factory button[aria-label][aria-disabled=false], .heap[aria-disabled=false]')
  if (await over(page) || !(await sources.count())) return false
  const source = sources.nth(Math.floor(Math.random() * (await sources.count())))
  if (how === 'keys') {
    await source.focus()
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.activeElement?.matches('.line.may, .floor.may'))
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.activeElement?.matches('.confirm'))
    await page.keyboard.press('Enter')
  } else {
    await source.click()
    const lines = page.locator('.own .line.may')
    const count = await lines.count()
    await (count ? lines.nth(Math.floor(Math.random() * count)) : page.locator('.own .floor.may')).click()
    await page.locator('.own .sum').waitFor()
    await page.locator('.confirm').click()
  }
  await page.locator('.confirm').waitFor({ state: 'detached' })
  return true
}

async function playOn(people, until) {
  for (let moves = 0; moves < 400; moves += 1) {
    if (await until(moves)) return moves
    const moved = await Promise.all(people.map((one, i) => move(one, i ? 'mouse' : 'keys')))
    if (!moved.some(Boolean)) await people[0].waitForTimeout(40)
  }
  throw new Error('the game does not end')
}

try {
  const ilse = await person('Ilse', { viewport: { width: 1440, height: 900 } })
  const tom = await person('Tom', { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, colorScheme: 'dark' })

  await ilse.goto(server.address)
  await check(ilse, 'home')
  await ilse.getByLabel('Your name').fill('Ilse')
  await ilse.locator('input[name=bots][value="1"]').check({ force: true })
  await ilse.getByRole('button', { name: 'Set the table' }).click()
  const link = await ilse.getByLabel('Link to this seat').inputValue()
  await check(ilse, 'waiting')

  await tom.goto(link)
  await tom.getByRole('button', { name: 'Sit down' }).waitFor()
  await check(tom, 'join')
  await tom.getByLabel('Your name').fill('<img src=x onerror=alert(1)>')
  await tom.getByRole('button', { name: 'Sit down' }).click()
  await Promise.all([ilse, tom].map((page) => page.waitForSelector('.own')))
  assert.match(await ilse.locator('.rail').innerText(), /<img src=x/)

  await playOn([ilse, tom], (moves) => moves > 12)
  await check(ilse, 'table 1440 light')
  await check(tom, 'table 360 dark')

  await tom.reload()
  await tom.waitForSelector('.own')
  await ilse.context().setOffline(true)
  await ilse.evaluate(() => dispatchEvent(new Event('offline')))
  await ilse.context().setOffline(false)

  await tom.getByRole('button', { name: 'Menu' }).click()
  await tom.getByRole('button', { name: 'Leave the table' }).click()
  await tom.locator('dialog[open] .button').first().click()
  await tom.getByRole('button', { name: 'Come back' }).click()
  await tom.getByRole('button', { name: 'Come back' }).waitFor({ state: 'detached' })

  const moves = await playOn([ilse, tom], async () => (await over(ilse)) && (await over(tom)))
  const rows = await ilse.locator('.end tbody tr').evaluateAll((all) => all.map((row) => Array.from(row.querySelectorAll('td'), (cell) => Number(cell.innerText.replace('−', '-')))))
  assert.equal(rows.length, 3)
  for (const [, ...numbers] of rows) assert.equal(numbers.slice(0, -1).reduce((sum, n) => sum + n, 0), numbers.at(-1))
  await check(ilse, 'ledger')
  await check(tom, 'ledger 360')

  const old = ilse.url()
  await ilse.getByRole('button', { name: 'Play again' }).click()
  await tom.getByRole('button', { name: /play again/i }).click()
  await ilse.waitForURL((url) => url.href !== old)
  await Promise.all([ilse, tom].map((page) => page.waitForSelector('.own')))
  assert.deepEqual(problems, [])
  console.log(`a whole game, ${moves} turns after the return, and a rematch: all well`)
} finally {
  await browser.close()
  server.stop()
}
