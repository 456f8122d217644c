// A whole game of Azul Duel in real browsers: two people, from the home page to the ledger, one by keyboard alone and
// one on a phone. On the way: a move that is not allowed, a reload, a killed worker, a take-over and a return, a rematch.
import assert from 'node:assert/strict'
import { afterwards, check, ledgerOf, leaveAndReturn, over, person, playOn } from './people.mjs'
import { openBrowser, serveMany } from './server.mjs'

const server = await serveMany()
const browser = await openBrowser()
const problems = []
const kinds = new Set()

/** What one can point at first: tiles, chips and plates on offer, a space of the dome, or a choice at the question. */
const FIRST = '.offering button[tabindex="0"], .own button.cell.may, .choice'
/** What one points at then. */
const THEN = '.own .line.may, .own .slot.may, .own .broken.may, .offering .tile.may, .choice'

const any = async (places) => places.nth(Math.floor(Math.random() * (await places.count())))
const ready = (page) => page.locator('.confirm:not(:disabled)').count()

/** Make a move if it is this person's turn: by finger, or by keyboard alone. */
async function move(page, how) {
  if ((await over(page)) || !(await page.locator(FIRST).count())) return false
  const phase = await page.locator('.table').getAttribute('data-phase')
  kinds.add(phase)
  if (phase === 'return') return putBack(page, how)
  const first = await any(page.locator(FIRST))
  if (how === 'keys') await byKeys(page, first)
  else {
    await first.tap()
    for (let steps = 0; steps < 4 && !(await ready(page)); steps += 1) await (await any(page.locator(THEN))).tap()
    await page.locator('.own .sum').waitFor()
    await page.locator('.confirm').tap()
  }
  await page.locator('.confirm').filter({ hasNotText: 'Put back' }).waitFor({ state: 'detached' })
  return true
}

/** Drawn plates are put back in one go; by keyboard two of them change places first. */
async function putBack(page, how) {
  const confirm = page.locator('.confirm:not(:disabled)')
  if (!(await confirm.count())) return false
  if (how === 'keys') {
    const plates = page.locator('[data-at=hand]')
    const last = await plates.last().getAttribute('data-c')
    for (const plate of [plates.first(), plates.last()]) {
      await plate.focus()
      await page.keyboard.press('Enter')
    }
    assert.equal(await plates.first().getAttribute('data-c'), last)
    await confirm.focus()
    await page.keyboard.press('Enter')
  } else await confirm.tap()
  await page.locator('[data-phase=return] .offering [data-at=hand]').first().waitFor({ state: 'detached' })
  return true
}

/** The focus goes along: from what is taken to where it may go, and to the key that lays it. */
async function byKeys(page, first) {
  await first.focus()
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => document.activeElement?.matches('.line.may, .slot.may, .broken.may, .tile.may, .confirm, .choice'))
  if (await page.locator('.own .slot.may').count()) await turnAndWalk(page)
  for (let steps = 0; steps < 4 && !(await ready(page)); steps += 1) {
    if (!(await page.evaluate(() => document.activeElement?.matches('.may')))) await page.locator(THEN).first().focus()
    await page.keyboard.press('Enter')
    await page.waitForTimeout(10)
  }
  await page.waitForFunction(() => document.activeElement?.matches('.confirm'))
  await page.keyboard.press('Enter')
}

/** A plate is turned with R, and the arrow keys go from slot to slot. */
async function turnAndWalk(page) {
  const held = () => page.locator('.in-hand use').evaluateAll((all) => all.map((one) => one.getAttribute('href')).join())
  const before = await held()
  await page.keyboard.press('r')
  await page.waitForTimeout(10)
  assert.notEqual(await held(), before)
  await page.keyboard.press(['ArrowRight', 'ArrowDown', 'ArrowLeft'][Math.floor(Math.random() * 3)])
  assert.ok(await page.evaluate(() => document.activeElement?.matches('.slot.may, .line, .broken, .slot')))
}

/** A chip that nobody has seen may not be taken; the table says by which rule. */
async function forbidden(page) {
  await page.locator('.offering .chip[aria-disabled=true]').first().dispatchEvent('click')
  await page.locator('.own .say .rule').waitFor()
  assert.equal(await page.locator('.own .say .rule').innerText(), 'DU26')
  assert.match(await page.locator('.own .say .illegal').innerText(), /^The chip of factory \d is still face down: its tiles go first\.$/)
  await page.keyboard.press('Escape')
  await page.locator('.own .say .rule').waitFor({ state: 'detached' })
}

try {
  const ilse = await person(browser, problems, 'Ilse', { viewport: { width: 1440, height: 900 } })
  const tom = await person(browser, problems, 'Tom', { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, colorScheme: 'dark' })

  await ilse.goto(server.address)
  await ilse.locator('[data-more=duel]').click()
  await ilse.getByLabel('Your name').fill('Ilse')
  await ilse.getByLabel('Scoring').selectOption('four')
  await ilse.getByRole('button', { name: 'Set the table' }).click()
  const link = await ilse.getByLabel('Link to this seat').inputValue()

  await tom.goto(link)
  await tom.getByLabel('Your name').fill('Tom')
  await tom.getByRole('button', { name: 'Sit down' }).click()
  await Promise.all([ilse, tom].map((page) => page.waitForSelector('.own')))
  assert.equal(await ilse.locator('.scoring .card').count(), 4)

  await playOn([ilse, tom], move, async (moves) => moves > 4 && (await ilse.locator('[data-phase=act] .offering button[tabindex="0"]').count()))
  await forbidden(ilse)
  await playOn([ilse, tom], move, (moves) => moves > 16)
  await check(ilse, 'table 1440 light', problems)
  await check(tom, 'table 360 dark', problems)

  await tom.reload()
  await tom.waitForSelector('.own')
  server.kill()
  await playOn([ilse, tom], move, (moves) => moves > 6)
  await leaveAndReturn(tom)

  const moves = await playOn([ilse, tom], move, async () => (await over(ilse)) && (await over(tom)))
  const rows = await ledgerOf(ilse)
  assert.equal(rows.length, 2)
  for (const [, ...numbers] of rows) assert.equal(numbers.slice(0, -1).reduce((sum, n) => sum + n, 0), numbers.at(-1))
  assert.ok(['first', 'act', 'stack', 'draw', 'keep'].every((phase) => kinds.has(phase)), `only ${[...kinds].join()}`)
  const steps = await afterwards(browser, problems, [ilse, tom], 'duel')
  console.log(`a whole game, ${moves} turns after the return, ${steps} steps watched again, and a rematch: all well`)
} finally {
  await browser.close()
  server.stop()
}
