// Without a network the pages, the rules and the games that were watched still open; a new version takes over at once.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { freePort, openBrowser, serve } from './server.mjs'

const server = await serve()
const port = await freePort()

// Between the browser and the server: it can cut the line, and give out the pages of a later version.
const line = { cut: false, version: '' }
const between = createServer((asked, answer) => {
  if (line.cut) return asked.socket.destroy()
  const headers = { ...asked.headers, 'accept-encoding': 'identity' }
  const passed = request({ port: server.port, host: '127.0.0.1', path: asked.url, method: asked.method, headers }, (came) => {
    const parts = []
    came.on('data', (part) => parts.push(part))
    came.on('end', () => {
      const body = renew(asked.url, Buffer.concat(parts))
      answer.writeHead(came.statusCode, { ...came.headers, 'content-length': body.length })
      answer.end(body)
    })
  })
  asked.pipe(passed)
})
function renew(path, body) {
  if (!line.version) return body
  if (path === '/worker.js') return Buffer.from(body.toString().replace(/shell-\w+/, `shell-${line.version}`))
  return path.startsWith('/assets/') || path.startsWith('/api/') ? body : Buffer.from(body.toString().replace('<html lang="en"', `<html lang="en" data-version="${line.version}"`))
}
await new Promise((ready) => between.listen(port, '127.0.0.1', ready))
const address = `http://127.0.0.1:${port}`

const browser = await openBrowser()
const context = await browser.newContext({ locale: 'en-GB' })
const page = await context.newPage()
const problems = []
page.on('pageerror', (error) => problems.push(String(error)))
page.on('console', (message) => message.type() === 'error' && /policy|TrustedScriptURL|worker/i.test(message.text()) && problems.push(message.text()))

async function offline(cut) {
  line.cut = cut
  await context.setOffline(cut)
}
const shells = () => page.evaluate(async () => (await caches.keys()).filter((name) => name.startsWith('shell-')))
const version = () => page.evaluate(() => document.documentElement.dataset.version ?? '')
async function until(test, ...given) {
  for (let tries = 0; tries < 150; tries += 1) {
    if (await page.evaluate(test, ...given)) return
    await page.waitForTimeout(100)
  }
  assert.fail(`it never came true: ${test}`)
}
/** Whether a version has kept its page, and which versions are kept at all. */
const keeps = async (name) => Boolean(await caches.match('/', { cacheName: name })) && (await caches.keys()).filter((other) => other.startsWith('shell-')).length === 2

async function short(name) {
  const record = readFileSync(new URL(`../../records/azul/${name}.game`, import.meta.url), 'utf8')
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${server.address}/api/replay`, { method: 'POST', headers, body: JSON.stringify({ record }) })
  return (await answer.json()).short
}

try {
  const [watched, other] = [await short('3-coloured-greedy'), await short('2-grey-random')]

  // Online: the worker comes, a game is watched, a table is played at
  await page.goto(address)
  await page.evaluate(() => navigator.serviceWorker.ready)
  await until(() => navigator.serviceWorker.controller !== null)
  await page.goto(`${address}/replay#${watched}`)
  await page.waitForSelector('.controls')
  const table = await page.evaluate(async () => {
    const post = (path, body) => fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }).then((answer) => answer.json())
    await post('/api/session', { name: 'Ilse' })
    return (await post('/api/games', { title: 'azul', seats: [{ kind: 'me' }, { kind: 'bot', level: 'greedy' }] })).id
  })
  for (const path of [`/table/${table}`, '/games', '/settings']) {
    await page.goto(address + path)
    await page.waitForTimeout(300)
  }

  // What is kept: files, and the game that was watched; nothing of tables or people
  const kept = await page.evaluate(async () => {
    const caught = await Promise.all((await caches.keys()).map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)))
    return caught.flat()
  })
  assert.ok(kept.length > 30)
  assert.deepEqual(kept.filter((path) => path.startsWith('/api/')), [`/api/replay/${watched.replace('.', '/')}`])
  assert.ok(kept.every((path) => /^\/(api\/replay\/.*|python\/worker-[\w-]+\.js|assets\/[\w.-]+|[\w-]*\.(png|svg|webmanifest)|)$/.test(path)))

  // Offline: the game opens, moves, tells its rules; another one says that it cannot
  await offline(true)
  await page.goto(`${address}/replay#${watched}`)
  await page.waitForSelector('.controls')
  for (let i = 0; i < 40; i += 1) await page.keyboard.press('ArrowRight')
  assert.equal(await page.locator('output').innerText(), '41/69')
  await page.locator('#story-panel button', { hasText: 'AZ22' }).first().click()
  await page.getByText('One tile never brings more than 10.').waitFor()
  await page.goto('about:blank')
  await page.goto(`${address}/replay#${other}`)
  await page.getByText('You are offline').waitFor()
  await page.goto(`${address}/about`)
  await page.getByRole('heading', { name: 'About Tessella' }).waitFor()

  // A new version: its page comes with the next load, its worker takes over, and it is what opens offline from then on
  await offline(false)
  const [first] = await shells()
  line.version = 'second'
  await page.goto(address)
  assert.equal(await version(), 'second')
  await until(keeps, 'shell-second')
  assert.deepEqual(await shells(), [first, 'shell-second'])
  line.version = 'third'
  await page.goto(`${address}/about`)
  await until(keeps, 'shell-third')
  assert.deepEqual(await shells(), ['shell-second', 'shell-third'])
  await offline(true)
  await page.goto(`${address}/settings`)
  await page.getByRole('heading').first().waitFor()
  assert.equal(await version(), 'third')

  // It can be installed
  await offline(false)
  const session = await context.newCDPSession(page)
  await page.goto(address)
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors')
  assert.deepEqual(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito'), [])
  assert.deepEqual(problems, [])
  console.log('offline: pages, rules and a watched game open; nothing of tables or people is kept; updates take over')
} finally {
  await browser.close()
  between.close()
  server.stop()
}
