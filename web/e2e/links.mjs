// Links that show, and the daily deals, in a real browser: the preview and the card of a replay, the replay in a frame of
// another site while nothing else may be framed, and a daily deal played, compared and shared, in three languages.
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { check, person } from './people.mjs'
import { sample } from './sample.mjs'
import { come } from './scenes.mjs'
import { freePort, openBrowser, serve } from './server.mjs'

const pictures = process.env.E2E_PICTURES
if (pictures) mkdirSync(pictures, { recursive: true })
const server = await serve()
const browser = await openBrowser()
const problems = []
const picture = async (page, name) => pictures && page.screenshot({ path: `${pictures}/links-${name}.png`, fullPage: true })
const WIDE = { viewport: { width: 1440, height: 900 } }
const NARROW = { viewport: { width: 360, height: 740 }, colorScheme: 'dark' }

/** Play any moves until the game is over, or this many. */
async function play(guest, id, most = 1_000) {
  for (let made = 0; made < most; ) {
    const table = await guest.ask('GET', `/api/games/${id}`)
    if (table.status === 'over') return
    if (table.moves.length) {
      await guest.act(id, { type: 'play', number: table.number, move: table.moves[Math.floor(table.moves.length / 2)] })
      made += 1
    } else await new Promise((wake) => setTimeout(wake, 30))
  }
}

/** Another site, with one of our pages in a frame. */
async function site(address) {
  const port = await freePort()
  const other = createServer((request, answer) => {
    answer.setHeader('content-type', 'text/html')
    answer.end(`<!doctype html><html lang="en"><title>Another site</title><main><h1>Another site</h1><iframe title="Tessella" width="760" height="760" src="${address}${request.url}"></iframe></main>`)
  })
  await new Promise((ready) => other.listen(port, '127.0.0.1', ready))
  return { address: `http://127.0.0.1:${port}`, stop: () => other.close() }
}

/** What other sites read of a link. */
async function previews(guest) {
  const { id } = await guest.ask('POST', '/api/games', { title: 'azul', seats: [{ kind: 'me' }, { kind: 'bot', level: '3' }] })
  await guest.act(id, { type: 'command', action: 'start' })
  await play(guest, id, 12)
  await guest.act(id, { type: 'command', action: 'resign' })
  for (const path of [`/replay/${id}`, `/table/${id}`, '/daily', '/puzzles/azul']) {
    const text = await (await fetch(server.address + path, { headers: { 'accept-language': 'nl' } })).text()
    const meta = (name) => new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)"`).exec(text)?.[1]
    if (path === '/puzzles/azul') continue // the puzzle of the day has no address of its own
    assert.ok(meta('og:title'), path)
    const card = await fetch(meta('og:image').replaceAll('&amp;', '&'))
    assert.equal(card.headers.get('content-type'), 'image/png')
    if (pictures) writeFileSync(`${pictures}/links-card${path.replaceAll('/', '-')}.png`, Buffer.from(await card.arrayBuffer()))
  }
  return id
}

/** The replay works in a frame of another site; other pages are refused there. */
async function frames(id) {
  const other = await site(server.address)
  try {
    const page = await person(browser, problems, 'another site', WIDE)
    await page.goto(`${other.address}/embed/${id}?lang=fr`)
    const frame = page.frameLocator('iframe')
    await frame.locator('svg [data-says]').first().waitFor({ state: 'attached' })
    await frame.getByRole('button', { name: 'Au début' }).click()
    assert.equal(await frame.getByRole('slider').inputValue(), '0')
    await frame.getByRole('button', { name: 'Suivant' }).click()
    await frame.getByRole('button', { name: 'Suivant' }).click()
    assert.equal(await frame.getByRole('slider').inputValue(), '2')
    assert.ok((await frame.locator('p').innerText()).length > 5)
    await picture(page, 'frame')
    const cookies = await page.context().cookies(server.address)
    assert.deepEqual(cookies, [])
    await page.goto(`${server.address}/embed/${id}`)
    await page.locator('svg').waitFor()
    const alone = await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)
    assert.ok(alone, 'the replay for frames is too wide')

    const refused = []
    const stranger = await person(browser, refused, 'refused')
    for (const path of [`/replay/${id}`, `/table/${id}`, '/daily', '/', `/api/games/${id}`]) {
      await stranger.goto(`${other.address}${path}`)
      await stranger.waitForTimeout(50)
      assert.ok(stranger.frames().every((one) => one === stranger.mainFrame() || one.url().startsWith('chrome-error:')), `${path} was framed`)
    }
    assert.equal(refused.filter((text) => text.includes('frame-ancestors')).length, 5, refused.join('\n'))
  } finally {
    other.stop()
  }
}

/** A deal is begun on the page, played, compared and shared. */
async function daily(guest) {
  const page = await person(browser, problems, 'Ilse', WIDE)
  await page.context().addCookies(guest.cookies())
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(server.address)
  await page.getByRole('heading', { name: 'Daily deals' }).waitFor()
  await picture(page, 'home')
  await page.getByRole('link', { name: 'Daily deals' }).click()
  await page.getByRole('button', { name: 'Play Azul', exact: true }).waitFor()
  await picture(page, 'daily-before')
  await page.getByRole('button', { name: 'Play Azul', exact: true }).click()
  await page.waitForURL(/\/table\//)
  await page.locator('.own').first().waitFor()
  const id = page.url().split('/').pop()
  await play(guest, id)
  await page.locator('.end').waitFor({ timeout: 30_000 })
  await picture(page, 'daily-end')
  await page.getByRole('link', { name: 'How others fared' }).click()
  await page.getByRole('button', { name: 'Share the result' }).waitFor()
  assert.match(await page.locator('.outcome').innerText(), /^You (won|lost|drew) \d+ : \d+$/)
  assert.equal(await page.locator('tbody tr.mine').count(), 1)
  await page.getByRole('button', { name: 'Share the result' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  const shared = await page.evaluate(() => navigator.clipboard.readText())
  assert.match(shared, /^Daily deal: Azul[^\n]*\nYou (won|lost|drew) \d+ : \d+ against the [^\n]*\nhttp[^\n]*\/daily\/\d{4}-\d\d-\d\d\/azul$/)
  const table = page.url()
  await page.getByRole('link', { name: 'Watch it again' }).click()
  await page.waitForSelector('.controls')
  await check(page, 'the replay of a try', problems)
  await page.context().close()
  for (const [language, options] of sample([['nl', NARROW], ['fr', NARROW], ['fr', WIDE], ['nl', WIDE], ['en', NARROW]])) {
    const where = `${language} ${options.viewport.width}`
    const reader = await person(browser, problems, where, { ...options, locale: language })
    await reader.context().addCookies(guest.cookies())
    for (const [name, address] of [['deals', `${server.address}/daily`], ['deal', table]]) {
      await reader.goto(address)
      await reader.locator('section.panel').first().waitFor()
      if (name === 'deal') await reader.locator('summary').click()
      await picture(reader, `${name}-${where.replace(' ', '-')}`)
      await check(reader, `${name} ${where}`, problems)
    }
    await reader.context().close()
  }
}

try {
  const guest = await come(server.address, 'Ilse')
  await guest.ask('POST', '/api/members', { login: 'ilse', password: 'correct horse battery' })
  await frames(await previews(guest))
  await daily(guest)
  assert.deepEqual(problems, [])
  console.log('links: previews, a replay in a frame, and a daily deal')
} finally {
  await browser.close()
  server.stop()
}
