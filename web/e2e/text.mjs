// A whole game of each title, and one on the grey wall, in the text view, with the keyboard alone: a move is written, heard, and written again.
import assert from 'node:assert/strict'
import { sample } from './sample.mjs'
import { openBrowser, serve } from './server.mjs'

const GAMES = sample([
  ['azul', {}],
  ['azul', { wall: 'grey' }],
  ['duel', {}],
  ['blockers', {}],
])
const server = await serve()
const browser = await openBrowser()

/** Tab until the focus is there; nothing is clicked. */
async function reach(page, selector) {
  for (let i = 0; i < 60; i += 1) {
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`${selector} cannot be reached with Tab`)
}

async function sitDown(page, title, options) {
  await page.goto(server.address)
  const id = await page.evaluate(async (wanted) => {
    const post = (path, body) => fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }).then((answer) => answer.json())
    await post('/api/session', { name: 'Ilse' })
    return (await post('/api/games', { ...wanted, seats: [{ kind: 'me' }, { kind: 'bot', level: 'greedy' }] })).id
  }, { title, options })
  await page.goto(`${server.address}/table/${id}`)
}

async function play(title, options) {
  const context = await browser.newContext({ locale: 'nl-NL', reducedMotion: 'reduce' })
  await context.addInitScript(() => localStorage.setItem('tessella.settings', JSON.stringify({ renderer: 'text', motion: 'none' })))
  const page = await context.newPage()
  await sitDown(page, title, options)
  const over = () => page.locator('.end').count()
  const input = page.locator('form input[type=text]')
  let moves = 0
  for (; !(await over()); moves += 1) {
    assert(moves < 300, 'the game does not end')
    await page.waitForFunction(() => document.querySelector('.end') || document.querySelector('form input[type=text]:not([readonly])'))
    if (await over()) break
    const legal = await page.locator('.moves b').allTextContents()
    assert(legal.length, 'nothing to choose from')
    await reach(page, 'form input[type=text]')
    await page.keyboard.type(legal[Math.floor(Math.random() * legal.length)])
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.querySelector('form [role=status]').innerText.trim())
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.querySelector('.end') || !document.querySelector('form input[type=text]').value)
    assert(await over() || (await input.inputValue()) === '')
  }
  const heard = await page.locator('[aria-live=polite]').first().innerText()
  assert(heard.trim(), 'nothing is announced')
  assert((await page.locator('.end tbody tr').count()) === 2)
  await context.close()
  return moves
}

try {
  for (const [title, options] of GAMES) console.log(`${[title, ...Object.values(options)].join(' ')}: ${await play(title, options)} moves by keyboard in the text view`)
} finally {
  await browser.close()
  server.stop()
}
