// A whole game of Blockers! in real browsers: two people and a computer player, from the home page to the ledger.
// On the way: a cell that is refused says why, groups are shown, a score is explained; a reload, a killed worker, a take-over, a rematch.
import assert from 'node:assert/strict'
import { afterwards, check, ledgerOf, leaveAndReturn, over, person, playOn } from './people.mjs'
import { openBrowser, serveMany } from './server.mjs'

const server = await serveMany()
const browser = await openBrowser()
const problems = []

const any = async (locator) => locator.nth(Math.floor(Math.random() * (await locator.count())))

/** Make a move if it is this person's turn: by finger, or by keyboard alone. */
async function move(page, how) {
  const tiles = page.locator('.rack .may')
  if (await over(page) || !(await tiles.count())) return false
  const tile = await any(tiles)
  if (how === 'keys') {
    await tile.focus()
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.activeElement?.matches('.cell.may, .cell.take'))
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.activeElement?.matches('.confirm'))
    await page.keyboard.press('Enter')
  } else {
    await tile.tap()
    await (await any(page.locator('.cell.may, .cell.take'))).tap()
    await page.locator('.say .sum').waitFor()
    await page.locator('.confirm').tap()
  }
  await page.locator('.confirm').waitFor({ state: 'detached' })
  return true
}

/** Until it is this person's turn; the others play on meanwhile. */
async function waitForTurn(page, others) {
  await playOn(others, move, () => page.locator('.rack .may').count())
}

/** A cell where the tile may not go says why, and by which rule; a cell may be chosen before the tile. */
async function asks(page) {
  await page.locator('.rack .may').first().click()
  await page.locator('.cell.else, .cell.no').first().click({ force: true })
  await page.locator('.say .rule').click()
  await page.locator('.say .text').waitFor()
  assert.equal(await page.locator('.confirm').isDisabled(), true)
  await page.keyboard.press('Escape') // closes the rule
  await page.keyboard.press('Escape') // puts the tile back
  const cell = page.locator('.cell:not(.filled)').first()
  await cell.click()
  assert.equal(await cell.getAttribute('aria-pressed'), 'true')
  await page.keyboard.press('Escape')
  assert.equal(await page.locator('.cell.chosen').count(), 0)
}

/** Arrow keys walk over the board and stop at its edge. */
async function walks(page) {
  await page.locator('[data-at=cell-0]').focus()
  for (const key of ['ArrowUp', 'ArrowRight', 'ArrowDown', 'End']) await page.keyboard.press(key)
  assert.equal(await page.evaluate(() => document.activeElement?.dataset.at), 'cell-17')
}

/** Groups are drawn and counted; a score is explained. */
async function explains(page, what) {
  await page.getByRole('button', { name: 'Show groups' }).click()
  const sizes = await page.locator('.groups text').allTextContents()
  assert.equal(sizes.map(Number).reduce((sum, n) => sum + n, 0), await page.locator('.cell.filled').count())
  await page.getByRole('button', { name: 'Show groups' }).click()
  await page.locator('.me .sum').click()
  await check(page, `${what}, a score explained`, problems)
  await page.locator('dialog[open]').getByRole('button', { name: 'Close' }).click()
}

try {
  const ilse = await person(browser, problems, 'Ilse', { viewport: { width: 1440, height: 900 } })
  const tom = await person(browser, problems, 'Tom', { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, colorScheme: 'dark' })

  await ilse.goto(server.address)
  await ilse.locator('[data-more=blockers]').click()
  await ilse.getByLabel('Your name').fill('Ilse')
  await ilse.locator('input[name=bots][value="1"]').check({ force: true })
  await ilse.getByLabel('Scoring').waitFor()
  await check(ilse, 'options', problems)
  await ilse.getByRole('button', { name: 'Set the table' }).click()
  const link = await ilse.getByLabel('Link to this seat').inputValue()

  await tom.goto(link)
  await tom.getByLabel('Your name').fill('<img src=x onerror=alert(1)>')
  await tom.getByRole('button', { name: 'Sit down' }).click()
  await Promise.all([ilse, tom].map((page) => page.waitForSelector('.own')))
  assert.match(await ilse.locator('.rail').innerText(), /<img src=x/)

  await playOn([ilse, tom], move, (moves) => moves > 12)
  await waitForTurn(ilse, [tom])
  await asks(ilse)
  await walks(ilse)
  await explains(ilse, 'table 1440 light')
  await check(ilse, 'table 1440 light', problems)
  await ilse.locator('.rack .may').first().click()
  await check(ilse, 'table 1440 light, a tile in hand', problems)
  await ilse.keyboard.press('Escape')
  await waitForTurn(tom, [ilse])
  await asks(tom)
  await explains(tom, 'table 360 dark')
  await check(tom, 'table 360 dark', problems)

  await tom.reload()
  await tom.waitForSelector('.own')
  server.kill()
  await playOn([ilse, tom], move, (moves) => moves > 6)
  await leaveAndReturn(tom)

  const moves = await playOn([ilse, tom], move, async () => (await over(ilse)) && (await over(tom)))
  const rows = await ledgerOf(ilse)
  assert.equal(rows.length, 3)
  for (const [, groups, captured, total] of rows) assert.equal(groups + captured, total)
  assert.deepEqual(rows.map((row) => row.at(-1)), rows.map((row) => row.at(-1)).sort((one, other) => one - other))
  assert.match(await ilse.locator('.end').innerText(), /lowest score wins/)
  const steps = await afterwards(browser, problems, [ilse, tom], 'blockers')
  console.log(`a whole game, ${moves} turns after the return, ${steps} steps watched again, and a rematch: all well`)
} finally {
  await browser.close()
  server.stop()
}
