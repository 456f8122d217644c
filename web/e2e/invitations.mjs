// The person who set a table makes new links after somebody got up, and closes the table before the game begins.
import assert from 'node:assert/strict'
import { check, person } from './people.mjs'
import { openBrowser, serve } from './server.mjs'

const server = await serve()
const browser = await openBrowser()
const problems = []

async function join(page, link) {
  await page.goto(link)
  await page.getByRole('button', { name: 'Sit down' }).click()
  await page.getByRole('heading', { name: 'Waiting for players' }).waitFor()
}
const links = (page) => page.getByLabel('Link to this seat')

try {
  const [ann, bob, cid] = await Promise.all(['Ann', 'Bob', 'Cid'].map((name) => person(browser, problems, name, { viewport: { width: 360, height: 740 } })))
  await ann.goto(server.address)
  await ann.locator('[data-more=azul]').click()
  await ann.locator('input[name=people][value="3"]').check({ force: true })
  await ann.getByRole('button', { name: 'Set the table' }).click()
  await ann.waitForURL(/\/table\/\w+$/)
  await ann.getByRole('heading', { name: 'Your table' }).waitFor()
  assert.equal(await links(ann).count(), 2)
  const used = await links(ann).first().inputValue()
  await check(ann, 'waiting', problems)

  // Bob sits down and gets up again: his link is not shown any more, for nobody can use it.
  await join(bob, used)
  assert.equal(await bob.getByRole('heading', { name: 'Your table' }).count(), 0)
  await bob.getByRole('button', { name: 'Menu' }).click()
  await bob.getByRole('button', { name: 'Get up from the table' }).click()
  await ann.getByText('waiting …').nth(1).waitFor()
  await ann.waitForFunction(() => document.querySelectorAll('.invitation').length === 1)

  await ann.getByRole('button', { name: 'New links' }).click()
  await ann.waitForFunction(() => document.querySelectorAll('.invitation').length === 2)
  const fresh = await links(ann).first().inputValue()
  assert.notEqual(fresh, used)
  await join(bob, fresh)

  // Closing asks first; then everybody at the table is told, and also whoever comes later by a link.
  const last = await links(ann).first().inputValue()
  await ann.getByRole('button', { name: 'Close this table' }).click()
  await check(ann, 'the question before closing', problems)
  await ann.getByRole('button', { name: 'Keep it open' }).click()
  await ann.getByRole('button', { name: 'Close this table' }).click()
  await ann.locator('dialog[open]').getByRole('button', { name: 'Close this table' }).click()
  const closed = 'This table was closed before the game began.'
  for (const page of [ann, bob]) await page.getByText(closed).waitFor()
  await check(bob, 'a closed table', problems)
  await cid.goto(last)
  await cid.getByText(closed).waitFor()
  assert.equal(await cid.getByRole('button', { name: 'Sit down' }).count(), 0)
  await ann.goto(`${server.address}/games`)
  await ann.getByText('None yet.').first().waitFor()
  assert.deepEqual(problems, [])
} finally {
  await browser.close()
  server.stop()
}
console.log('new links work, old ones do not, and a closed table is closed for everybody')
