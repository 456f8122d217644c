// A whole game of Azul in real browsers: two people and a computer player, from the home page to the ledger.
// On the way: a link, a reload, a lost connection, a take-over and a return, a rematch; and no page breaks its policy.
import assert from 'node:assert/strict'
import { afterwards, check, ledgerOf, leaveAndReturn, over, person, playOn } from './people.mjs'
import { openBrowser, serveMany } from './server.mjs'

const server = await serveMany()
const browser = await openBrowser()
const problems = []

/** Make a move if it is this person's turn: by finger, or by keyboard alone. */
async function move(page, how) {
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
    await source.tap()
    const lines = page.locator('.own .line.may')
    const count = await lines.count()
    await (count ? lines.nth(Math.floor(Math.random() * count)) : page.locator('.own .floor.may')).tap()
    await page.locator('.own .sum').waitFor()
    await page.locator('.confirm').tap()
  }
  await page.locator('.confirm').waitFor({ state: 'detached' })
  return true
}

try {
  const ilse = await person(browser, problems, 'Ilse', { viewport: { width: 1440, height: 900 } })
  const tom = await person(browser, problems, 'Tom', { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, colorScheme: 'dark' })

  await ilse.goto(server.address)
  await check(ilse, 'home', problems)
  await ilse.locator('[data-more=azul]').click()
  await ilse.getByLabel('Your name').fill('Ilse')
  await check(ilse, 'options', problems)
  await ilse.locator('input[name=bots][value="1"]').check({ force: true })
  await ilse.getByRole('button', { name: 'Set the table' }).click()
  const link = await ilse.getByLabel('Link to this seat').inputValue()
  await check(ilse, 'waiting', problems)

  await tom.goto(link)
  await tom.getByRole('button', { name: 'Sit down' }).waitFor()
  await check(tom, 'join', problems)
  await tom.getByLabel('Your name').fill('<img src=x onerror=alert(1)>')
  await tom.getByRole('button', { name: 'Sit down' }).click()
  await Promise.all([ilse, tom].map((page) => page.waitForSelector('.own')))
  assert.match(await ilse.locator('.rail').innerText(), /<img src=x/)

  await playOn([ilse, tom], move, (moves) => moves > 12)
  await check(ilse, 'table 1440 light', problems)
  await check(tom, 'table 360 dark', problems)

  await tom.reload()
  await tom.waitForSelector('.own')
  await ilse.context().setOffline(true)
  await ilse.evaluate(() => dispatchEvent(new Event('offline')))
  await ilse.context().setOffline(false)

  server.kill()
  await playOn([ilse, tom], move, (moves) => moves > 6)

  // Lines that look alive on which nothing passes, also that of the last question: who wishes something notices, and who comes back to the page
  await ilse.evaluate(() => fetch('/api/titles').then((answer) => answer.json()))
  let made = 0
  const counted = async (page, how) => {
    const moved = await move(page, how)
    made += Boolean(moved)
    return moved
  }
  assert.ok(server.hush() > 0)
  await playOn([ilse, tom], counted, () => made > 0)
  await Promise.all([ilse, tom].map((page) => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))))
  await playOn([ilse, tom], counted, () => made > 4)

  await leaveAndReturn(tom)

  const moves = await playOn([ilse, tom], move, async () => (await over(ilse)) && (await over(tom)))
  const rows = await ledgerOf(ilse)
  assert.equal(rows.length, 3)
  for (const [, ...numbers] of rows) assert.equal(numbers.slice(0, -1).reduce((sum, n) => sum + n, 0), numbers.at(-1))
  const steps = await afterwards(browser, problems, [ilse, tom], 'azul')
  console.log(`a whole game, ${moves} turns after the return, ${steps} steps watched again, and a rematch: all well`)
} finally {
  await browser.close()
  server.stop()
}
