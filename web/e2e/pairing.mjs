// Two strangers who want the same game find each other; one who stops waiting is not found.
import assert from 'node:assert/strict'
import { openBrowser, serve } from './server.mjs'

const server = await serve()
const browser = await openBrowser()

async function visit() {
  const page = await (await browser.newContext({ locale: 'en-GB' })).newPage()
  await page.goto(server.address)
  return page
}
const look = (page) => page.getByRole('button', { name: 'Find somebody' }).click()
const alone = (page) => page.getByText('You are the only one waiting so far.').waitFor()

try {
  const [ann, bob, cid] = [await visit(), await visit(), await visit()]
  await look(ann)
  await alone(ann)
  await ann.getByRole('button', { name: 'Stop waiting' }).click()
  await look(bob)
  await alone(bob)

  // Who leaves the page does not wait any more.
  await bob.getByRole('link', { name: 'Rules' }).first().click()
  await bob.waitForURL('**/rules')
  await look(cid)
  await alone(cid)

  // Ann sees that somebody waits, and joins in.
  await ann.reload()
  await ann.getByText('1 of 2 is waiting.').waitFor()
  await ann.getByRole('button', { name: 'Play along' }).click()
  await Promise.all([ann, cid].map((page) => page.waitForURL(/\/table\/\w+$/)))
  assert.equal(ann.url(), cid.url())
  await ann.goto(server.address)
  await ann.getByText('A game has been found for you.').waitFor()
} finally {
  await browser.close()
  server.stop()
}
console.log('two strangers found each other')
