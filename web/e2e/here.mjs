// On a server: the page to play at this device, under the policy of the pages; and what is offered when the line is gone.
import assert from 'node:assert/strict'
import { openBrowser, serve } from './server.mjs'

const server = await serve()
const browser = await openBrowser()
const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce' })
const page = await context.newPage()
page.setDefaultTimeout(120_000)
const problems = []
let again = null
page.on('pageerror', (error) => problems.push(String(error)))
page.on('console', (message) => message.type() === 'error' && /policy|Trusted|worker/i.test(message.text()) && problems.push(message.text()))

try {
  const python = []
  page.on('request', (request) => /\/python\//.test(request.url()) && python.push(request.url()))
  await page.goto(server.address)
  await page.waitForSelector('[data-play]')
  assert.deepEqual(python, [], 'Python is loaded by the home page')
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)

  await page.goto(`${server.address}/here`)
  await page.locator('[data-play=azul]').click()
  await page.waitForURL(/\/table\//)
  await page.getByText('Your turn').first().waitFor()
  const table = page.url()

  // A second tab waits until the first one is closed, and then goes on from there
  const second = await context.newPage()
  second.setDefaultTimeout(120_000)
  await second.goto(table)
  await second.getByText('open in another tab').waitFor()
  assert.equal(await second.getByText('Your turn').count(), 0)
  await page.goto(`${server.address}/about`)
  await second.getByText('Your turn').first().waitFor()
  await second.close()

  // A game of this device goes on at the server
  page.on('dialog', (dialog) => void dialog.accept())
  await page.goto(`${server.address}/here`)
  await page.locator('[data-carry]').first().click()
  await page.waitForURL((url) => /\/table\//.test(url.href) && url.href !== table)
  await page.getByText('Your turn').first().waitFor()
  const carried = await page.request.get(page.url().replace('/table/', '/api/games/'))
  assert.equal(carried.status(), 200)

  // Without the server the game at this device goes on, and the home page offers it
  server.stop()
  await context.setOffline(true)
  await page.goto(table)
  await page.getByText('Your turn').first().waitFor()
  await page.goto(`${server.address}/table/abcdefghjk`)
  await page.getByRole('link', { name: 'Play here' }).last().click()
  await page.locator('a.go').first().waitFor()
  await page.goto(`${server.address}/puzzles`)
  await page.locator('main li a').first().waitFor()

  // A table whose server is away is tried again by itself, and said to be missing only by a server that answers
  await page.goto(`${server.address}/table/abcdefghjk`)
  await page.getByRole('status').filter({ hasText: 'Trying again' }).waitFor()
  again = await serve({ at: server.port })
  await context.setOffline(false)
  await page.getByText('This table does not exist').waitFor()
  assert.deepEqual(problems.filter((text) => !/ERR_INTERNET|ERR_CONNECTION/.test(text)), [])
  console.log('here: played at this device on a server, and without it')
} catch (exc) {
  if (process.env.E2E_PICTURES) await page.screenshot({ path: `${process.env.E2E_PICTURES}/here-failure.png` })
  console.error(page.url(), problems)
  throw exc
} finally {
  await browser.close()
  server.stop()
  again?.stop()
}
