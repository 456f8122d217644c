// The whole house in one tab, from a folder that a bare static server gives out, with the network switched off after
// the first load: games against the computer and at one screen, a puzzle, a replay, a deal check and a review.
import assert from 'node:assert/strict'
import { check } from './people.mjs'
import { some } from './sample.mjs'
import { openBrowser } from './server.mjs'
import { serveFolder } from './static.mjs'

const LEVELS = process.argv.includes('--all') ? ['1', '2', '3', '4'] : ['3']
/** With `--some` the last, whose hands are hidden at one screen. */
const TITLES = ['azul', 'duel', 'blockers'].slice(some ? -1 : 0)
const site = await serveFolder()
const browser = await openBrowser()
const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce', bypassCSP: false })
await context.addInitScript(() => localStorage.setItem('tessella.settings', JSON.stringify({ renderer: 'text', motion: 'none', language: localStorage.getItem('e2e.language') ?? 'en' })))
const page = await context.newPage()
page.setDefaultTimeout(120_000)
const problems = []
page.on('pageerror', (error) => problems.push(String(error)))
page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))

const at = (path) => page.goto(`${site.address}${path === '/' ? '' : `?${path}`}`)
const over = () => page.locator('.end').count()
const checked = new Set()

/** Once for each kind of page: axe finds nothing, and nothing is too wide, on a phone in French and on a desk in Dutch. */
async function checkOnce(what) {
  if (checked.has(what)) return
  checked.add(what)
  const { language } = await page.evaluate(() => JSON.parse(localStorage.getItem('tessella.settings')))
  for (const [width, height, other] of [[360, 740, 'fr'], [1440, 900, 'nl']]) {
    await page.setViewportSize({ width, height })
    await speak(other)
    await check(page, `${what} ${width} ${other}`, problems)
  }
  await speak(language)
  await page.setViewportSize({ width: 1280, height: 720 })
}

/** As if another tab had chosen a language. */
async function speak(language) {
  await page.evaluate((chosen) => {
    const kept = JSON.parse(localStorage.getItem('tessella.settings'))
    localStorage.setItem('tessella.settings', JSON.stringify({ ...kept, language: chosen }))
    dispatchEvent(new StorageEvent('storage', { key: 'tessella.settings' }))
  }, language)
  await page.waitForFunction((to) => document.documentElement.lang === to, language)
}

/** Play by the text view until the game is over; curtains are opened as they close. */
async function playOn(choose) {
  for (let moves = 0; ; moves += 1) {
    assert(moves < 400, 'the game does not end')
    await page.waitForFunction(() => document.querySelector('.end') || document.querySelector('[data-curtain]') || document.querySelector('form input[type=text]:not([readonly])'))
    if (await over()) return moves
    const curtain = page.locator('[data-curtain]')
    if (await curtain.count()) {
      assert.equal(await page.locator('.moves b').count(), 0, 'moves are shown behind the curtain')
      await checkOnce('curtain')
      await page.waitForFunction(() => document.activeElement?.matches('[data-curtain]'))
      await page.keyboard.press('Enter')
      await page.waitForFunction(() => !document.querySelector('[data-curtain]'))
      continue
    }
    const legal = await page.locator('.moves b').allTextContents()
    if (!legal.length) continue
    await checkOnce('table')
    await page.locator('form input[type=text]').fill(choose(legal))
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.querySelector('form [role=status]')?.innerText.trim())
    const before = await page.locator('form h2').innerText()
    await page.keyboard.press('Enter')
    await page.waitForFunction((heading) => document.querySelector('.end') || document.querySelector('[data-curtain]') || !document.querySelector('form input[type=text]')?.value || document.querySelector('form h2')?.innerText !== heading, before)
  }
}

const anyOf = (legal) => legal[Math.floor(Math.random() * legal.length)]

async function startAlone(title, level) {
  await at('/')
  await page.click(`[data-more=${title}]`)
  await page.locator(`input[name=level][value="${level}"]`).check({ force: true })
  await page.click('[data-alone]')
  await page.waitForURL(/\?\/table\//)
}

async function startTogether(title) {
  await at('/')
  await page.click(`[data-more=${title}]`)
  await page.click('[data-together]')
  await page.waitForURL(/\?\/table\//)
}

try {
  // The first load, with a network
  await at('/')
  const began = Date.now()
  await page.waitForFunction(() => localStorage.getItem('tessella.here.ready'))
  console.log(`tab: Python answers ${((Date.now() - began) / 1000).toFixed(1)} s after the page`)
  await checkOnce('home')
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  await page.waitForFunction(async () => (await caches.keys()).some((name) => name.startsWith('shell-')) && (await (await caches.open((await caches.keys()).find((name) => name.startsWith('shell-')))).keys()).length > 30)

  // From here on without one: not one request may leave
  await context.setOffline(true)
  site.cut()
  const leaving = []
  page.on('request', (request) => !request.url().startsWith(site.address) && !/^(blob|data):/.test(request.url()) && leaving.push(request.url()))
  const click = Date.now()
  await startAlone('azul', '1')
  await page.waitForSelector('form input[type=text]:not([readonly])')
  console.log(`tab: ${((Date.now() - click) / 1000).toFixed(1)} s from opening the page offline to the first move`)

  for (const title of TITLES) {
    for (const level of some || process.argv.includes('--short') ? [] : LEVELS) {
      await startAlone(title, level)
      const moves = await playOn(anyOf)
      console.log(`tab: ${title} against level ${level}: ${moves} moves`)
    }
    await startTogether(title)
    console.log(`tab: ${title} at one screen: ${await playOn(anyOf)} moves`)
  }

  // The last game: its deals, its replay, its review
  await page.locator('.end .keys button').last().click()
  await page.getByText('as they were fixed before the game').waitFor()
  const table = page.url()
  await page.goto(table.replace('/table/', '/replay/'))
  await page.waitForSelector('.controls')
  await page.keyboard.press('ArrowRight')

  // A game is kept over a reload, listed, and goes on
  await startAlone('azul', '3')
  await page.waitForSelector('form input[type=text]:not([readonly])')
  const going = page.url()
  await page.reload()
  await page.waitForSelector('form input[type=text]:not([readonly])')
  await at('/')
  await page.locator(`a.go[href*="${going.split('/').at(-1)}"]`).waitFor()

  // A puzzle
  await at('/puzzles')
  await page.locator('main li a').first().click()
  await page.waitForURL(/\?\/puzzles\//)
  await page.locator('details summary').first().click()
  await page.locator('.moves button').first().click()
  await page.waitForFunction(() => document.querySelector('form [role=status]')?.innerText.trim())
  await page.locator('form button.button').first().click()
  await page.locator('[role=alert], [role=status]').filter({ hasText: /best|%|found|solution|solved/i }).first().waitFor()

  // A review by the coach, who computes for long
  if (!some) {
    const reviewing = Date.now()
    await page.goto(table.replace('/table/', '/review/'))
    await page.waitForSelector('.plot', { timeout: 240_000 })
    console.log(`tab: a review of Blockers! in ${((Date.now() - reviewing) / 1000).toFixed(0)} s`)
  }

  await at('/rules/azul')
  await page.getByRole('heading').first().waitFor()
  assert.deepEqual([...checked].sort(), ['curtain', 'home', 'table'])
  assert.deepEqual(leaving, [])
  // the browser itself looks for a newer service worker at every visit; it gets no answer
  assert.deepEqual(site.asked.filter((path) => !path.endsWith('/worker.js')), [], 'requests left for the server')
  assert.deepEqual(problems.filter((text) => !/ERR_INTERNET_DISCONNECTED/.test(text)), [])
  console.log('tab: everything works offline, and nothing leaves')
} catch (exc) {
  if (process.env.E2E_PICTURES) await page.screenshot({ path: `${process.env.E2E_PICTURES}/tab-failure.png` })
  console.error(page.url(), problems)
  throw exc
} finally {
  await browser.close()
  site.stop()
}
