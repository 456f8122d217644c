// What a first visit costs: compressed JavaScript, fonts, the first paint on a slow machine, and how soon a move is seen.
import { openBrowser, serve } from './server.mjs'

const GATES = { home_kb: 60, table_kb: 110, fonts_kb: 40, paint_ms: 1000, pending_ms: 50, confirmed_ms: 150 }
/** Seconds are judged on a quiet machine only. */
const JUDGED = process.argv.includes('--sizes') ? ['home_kb', 'table_kb', 'fonts_kb'] : Object.keys(GATES)
const MOVES = 12
const server = await serve()
const browser = await openBrowser()

async function visit(path, cookies = []) {
  const context = await browser.newContext({ locale: 'en-GB' })
  await context.addCookies(cookies)
  const page = await context.newPage()
  const sizes = { script: [], font: [] }
  page.on('requestfinished', (request) => sizes[request.resourceType()]?.push(request.sizes()))
  await page.goto(server.address + path, { waitUntil: 'networkidle' })
  const kb = async (kind) => (await Promise.all(sizes[kind])).reduce((sum, { responseBodySize }) => sum + responseBodySize, 0) / 1000
  return { context, page, kb: await kb('script'), fonts: await kb('font') }
}

async function guest(title, level = 'greedy') {
  const { context, page } = await visit('/')
  const id = await page.evaluate(async ([wanted, bot]) => {
    const post = (path, body) => fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }).then((answer) => answer.json())
    await post('/api/session', { name: 'Ilse' })
    return (await post('/api/games', { title: wanted, seats: [{ kind: 'me' }, { kind: 'bot', level: bot }] })).id
  }, [title, level])
  return { context, path: `/table/${id}`, cookies: await context.cookies() }
}

async function paint() {
  const context = await browser.newContext()
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await page.goto(server.address)
  await page.waitForSelector('h1')
  const found = await page.evaluate(() => new Promise((tell) => new PerformanceObserver((list) => tell(list.getEntriesByName('first-contentful-paint')[0]?.startTime)).observe({ type: 'paint', buffered: true })))
  await context.close()
  return found
}

/** In the page: from the click that lays the tiles to the sign that it is sent, and to the board that has them. */
function watch() {
  window.laid = []
  let at = 0
  let pending = 0
  addEventListener('click', (event) => event.target.closest?.('.confirm') && (at = performance.now()), true)
  new MutationObserver(() => {
    const busy = document.querySelector('.bar.busy')
    if (at && busy && !pending) pending = performance.now() - at
    if (at && pending && !busy) {
      window.laid.push([pending, performance.now() - at])
      at = pending = 0
    }
  }).observe(document.body, { subtree: true, childList: true, attributes: true })
}

async function moves() {
  const { path, cookies } = await guest('azul')
  const { page } = await visit(path, cookies)
  await page.evaluate(watch)
  for (let i = 0; i < MOVES; i += 1) {
    await page.locator('.factory button.tile[aria-label][aria-disabled=false], .heap[aria-disabled=false]').first().click()
    await page.locator('.own .line.may, .own .floor.may').first().click()
    await page.locator('.confirm').click()
    await page.waitForFunction((n) => window.laid.length > n, i)
  }
  return page.evaluate(() => window.laid)
}

const median = (all) => all.toSorted((one, other) => one - other)[Math.floor(all.length / 2)]

try {
  const { kb: home_kb, fonts: fonts_kb } = await visit('/')
  const tables = {}
  for (const title of ['azul', 'duel', 'blockers']) {
    const { path, cookies } = await guest(title)
    tables[title] = (await visit(path, cookies)).kb
  }
  const paint_ms = median([await paint(), await paint(), await paint()])
  const laid = await moves()
  const figures = {
    home_kb,
    table_kb: Math.max(...Object.values(tables)),
    fonts_kb,
    paint_ms,
    pending_ms: median(laid.map(([pending]) => pending)),
    confirmed_ms: median(laid.map(([, confirmed]) => confirmed)),
  }
  for (const [name, figure] of Object.entries(figures)) figures[name] = Math.round(figure * 10) / 10
  const missed = JUDGED.filter((name) => !(figures[name] <= GATES[name]))
  console.log(`tables: ${Object.entries(tables).map(([title, kb]) => `${title} ${kb.toFixed(1)} kB`).join(', ')}`)
  for (const [name, gate] of Object.entries(GATES)) console.log(`${name.padEnd(13)} ${String(figures[name]).padStart(7)}   ${JUDGED.includes(name) ? `at most ${gate}` : 'not judged'}${missed.includes(name) ? '   MISSED' : ''}`)
  if (process.argv.includes('--json')) console.log(JSON.stringify(figures))
  process.exitCode = missed.length ? 1 : 0
} finally {
  await browser.close()
  server.stop()
}
