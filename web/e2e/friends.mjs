// Two guests at a server that runs already: one opens a table on the home page, the other comes by the link, both move.
// node web/e2e/friends.mjs ADDRESS
import assert from 'node:assert/strict'
import { person } from './people.mjs'
import { openBrowser } from './server.mjs'

const address = process.argv[2]
const problems = []
const browser = await openBrowser()

/** Take the first tiles on offer to the first line that may have them, and confirm. */
async function move(page) {
  await page.locator('.factory button[aria-label][aria-disabled=false], .heap[aria-disabled=false]').first().click()
  await page.locator('.own .line.may, .own .floor.may').first().click()
  await page.locator('.confirm').click()
  await page.locator('.confirm').waitFor({ state: 'detached' })
}

try {
  const [ann, bob] = await Promise.all(['Ann', 'Bob'].map((name) => person(browser, problems, name)))
  await ann.goto(address)
  await ann.locator('[data-more=azul]').click()
  await ann.getByLabel('Your name').fill('Ann')
  await ann.getByRole('button', { name: 'Set the table' }).click()
  await bob.goto(await ann.getByLabel('Link to this seat').inputValue())
  await bob.getByLabel('Your name').fill('Bob')
  await bob.getByRole('button', { name: 'Sit down' }).click()
  await Promise.all([ann, bob].map((page) => page.waitForSelector('.own')))
  const turn = '.factory button[aria-label][aria-disabled=false]'
  const first = await Promise.race([ann, bob].map((page) => page.waitForSelector(turn).then(() => page)))
  await move(first)
  await move(first === ann ? bob : ann)
  assert.deepEqual(problems, [])
} finally {
  await browser.close()
}
console.log('two guests have made their first moves')
