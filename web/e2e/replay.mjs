// A game that is over, in a real browser: its whole story after a reload, its deals checked, and watched again by keyboard.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { check, person } from './people.mjs'
import { openBrowser, serve } from './server.mjs'

const server = await serve()
const browser = await openBrowser()
const problems = []

const open = (options) => person(browser, problems, 'Ilse', { viewport: { width: 1440, height: 900 }, ...options })

/** Sit down with three computer players, and add a number to the dice as everybody does. */
async function begin(page) {
  await page.goto(server.address)
  const id = await page.evaluate(async () => {
    const post = (path, body) => fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }).then((answer) => answer.json())
    await post('/api/session', { name: 'Ilse' })
    const bot = { kind: 'bot', level: 'random' }
    return (await post('/api/games', { title: 'azul', seats: [{ kind: 'me' }, bot, bot, bot] })).id
  })
  await page.goto(`${server.address}/table/${id}`)
  await page.waitForSelector('.own')
  return id
}

/** Play to the end without looking. */
function playOut(page, id) {
  return page.evaluate(async (id) => {
    for (;;) {
      const table = await (await fetch(`/api/games/${id}`)).json()
      if (table.status === 'over') return table
      const request = { type: 'play', key: crypto.randomUUID(), number: table.number, move: table.moves[Math.floor(table.moves.length / 2)] }
      if (table.moves.length) await fetch(`/api/games/${id}/act`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ request }) })
      else await new Promise((wake) => setTimeout(wake, 20))
    }
  }, id)
}

const at = (page) => page.locator('output').innerText()

try {
  const page = await open()
  const id = await begin(page)
  const table = await playOut(page, id)
  assert.ok(table.number > 66, 'long enough to be more than the server remembers')

  // Coming back to it, all of the story is there
  const asked = []
  page.on('request', (request) => request.url().includes('/entries') && asked.push(request.url()))
  await page.goto(`${server.address}/table/${id}`)
  await page.waitForSelector('.end')
  await page.locator('ol').last().filter({ hasText: /Round 1: / }).waitFor()
  await page.getByText('earlier', { exact: true }).waitFor({ state: 'detached' })
  assert.equal(asked.length, 1)

  // The deals, checked here, with our own number and the promise that we noted
  await page.getByRole('button', { name: 'Check the deals' }).click()
  await page.locator('.verdict').waitFor()
  const dealt = table.end && (await page.locator('.verdict').innerText())
  assert.match(dealt, /^All \d+ deals are as they were fixed before the game\.$/)
  for (const said of ['Your own number was part of the dice', 'Your browser noted that promise']) await page.getByText(said).waitFor()
  await check(page, 'end', problems)

  // Watched again, by keyboard
  await page.getByRole('link', { name: 'Watch it again' }).click()
  await page.waitForSelector('.controls')
  const last = (await at(page)).split('/')[1]
  for (const [key, where] of [['ArrowRight', '2'], ['ArrowRight', '3'], ['ArrowLeft', '2'], ['End', last], ['Home', '1']]) {
    await page.keyboard.press(key)
    assert.equal(await at(page), `${where}/${last}`)
  }
  await page.keyboard.press('PageDown')
  assert.match(await page.locator('.pill').first().innerText(), /Round 2/)
  assert.match(await page.locator('[aria-current=step]').innerText(), /Round 2: /)
  await page.getByLabel('Speed').selectOption('4')
  await page.locator('h1').click()
  const before = Number((await at(page)).split('/')[0])
  await page.keyboard.press(' ')
  await page.waitForTimeout(1500)
  await page.keyboard.press(' ')
  const after = Number((await at(page)).split('/')[0])
  assert.ok(after > before + 1, `it plays: ${before} to ${after}`)
  await page.waitForTimeout(700)
  assert.equal(Number((await at(page)).split('/')[0]), after, 'it pauses')
  assert.equal(await page.getByLabel('Seen by').inputValue(), '0')
  await page.getByLabel('Seen by').selectOption('2')
  await page.waitForFunction(() => document.querySelector('.own .name')?.textContent?.includes('2'))
  assert.equal(Number((await at(page)).split('/')[0]), after, 'another seat sees the same moment')
  await check(page, 'replay 1440', problems)

  // The file says the same; the whole game in a link opens on another device; a changed file is caught
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Download the record' }).click()])
  const record = readFileSync(await download.path(), 'utf8')
  assert.match(record, /^azul\/1 seats=4 /)
  await page.getByText('Whole game in a link').click()
  const link = await page.getByRole('textbox', { name: 'Link to this game' }).inputValue()
  assert.match(link, /\/replay#azul1\.[\w-]+$/)
  const phone = await open({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, colorScheme: 'dark' })
  await phone.goto(link)
  await phone.waitForSelector('.controls')
  assert.equal((await at(phone)).split('/')[1], last)
  await check(phone, 'replay 360 dark', problems)
  await phone.goto(`${server.address}/replay`)
  await phone.locator('input[type=file]').setInputFiles({ name: 'a.game', mimeType: 'text/plain', buffer: Buffer.from(record.replace(/^seal (.)/m, (_, digit) => `seal ${digit === '0' ? '1' : '0'}`)) })
  await phone.waitForSelector('.controls')
  await phone.getByRole('button', { name: 'Check the deals' }).click()
  await phone.getByText('Something does not add up.').waitFor()
  await phone.getByText('The moves are not those that were sealed at the end.').waitFor()
  await phone.goto(`${server.address}/replay#azul1.AAAA`)
  await phone.getByText('Perhaps the link is not complete').waitFor()

  // Found again among my games
  await page.goto(`${server.address}/games`)
  await page.getByRole('link', { name: 'Watch it again' }).click()
  await page.waitForSelector('.controls')
  assert.deepEqual(problems.filter((problem) => !/status of 422/.test(problem)), [])
  console.log(`${table.number} entries: the whole story after a reload, fair deals, and ${last} steps watched again`)
} finally {
  await browser.close()
  server.stop()
}
