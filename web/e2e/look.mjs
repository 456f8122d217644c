// Pictures of pages and tables for people to look at: node e2e/look.mjs DIR [what …]
import { mkdirSync } from 'node:fs'
import { chromium } from 'playwright-core'
import { BROWSER, serve } from './server.mjs'

const [dir = '/tmp/look', ...wanted] = process.argv.slice(2)
mkdirSync(dir, { recursive: true })
const server = await serve(8791)
const browser = await chromium.launch(BROWSER)
const SIZES = { 360: 760, 768: 1024, 1440: 900 }
const problems = []

async function open({ width = 1440, theme = 'light', language = 'en', ...more } = {}) {
  const context = await browser.newContext({
    viewport: { width, height: SIZES[width] ?? 900 },
    colorScheme: theme,
    locale: { en: 'en-GB', nl: 'nl-NL', fr: 'fr-FR' }[language],
    hasTouch: width < 700,
    isMobile: width < 700,
  })
  const page = await context.newPage()
  const settings = { language, ...more }
  await page.addInitScript((kept) => localStorage.setItem('tessella.settings', JSON.stringify(kept)), settings)
  page.on('console', (message) => message.type() === 'error' && !message.text().includes('401') && problems.push(message.text()))
  page.on('pageerror', (error) => problems.push(String(error)))
  return page
}

async function shoot(page, name) {
  await page.waitForTimeout(350)
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  if (over > 0) problems.push(`${name}: ${over} px too wide`)
  await page.screenshot({ path: `${dir}/${name}.png`, fullPage: true })
}

async function table(page, { rivals = 1, wall = 'coloured' } = {}) {
  await page.goto(server.address)
  if (wall !== 'coloured') {
    const id = await page.evaluate(async () => {
      const post = (path, body) => fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }).then((answer) => answer.json())
      await post('/api/session', { name: 'Ilse' })
      const made = await post('/api/games', { title: 'azul', seats: [{ kind: 'me' }, { kind: 'bot', level: 'greedy' }], options: { wall: 'grey' } })
      return made.id
    })
    await page.goto(`${server.address}/table/${id}`)
  } else {
    await page.getByRole('textbox').first().fill('Ilse')
    if (rivals > 1) await page.locator(`input[name=rivals][value="${rivals}"]`).check({ force: true })
    await page.locator('[data-level=greedy]').click()
  }
  await page.waitForSelector('.table, form.panel h2')
}

export async function turn(page) {
  await page.waitForFunction(() => document.querySelector('.end') || document.querySelector('.offering [aria-disabled=false], .cell.may'), null, { timeout: 20000 })
  return !(await page.locator('.end').count())
}

async function move(page, { stop = '' } = {}) {
  if (!(await turn(page))) return false
  const column = page.locator('button.cell.may').first()
  if (await column.count()) await column.click()
  else {
    const sources = page.locator('.factory button.tile[aria-label][aria-disabled=false], .heap[aria-disabled=false]')
    await sources.nth(Math.floor(Math.random() * (await sources.count()))).click()
    if (stop === 'picked') return true
    const lines = page.locator('.own .line.may')
    const n = await lines.count()
    await (n ? lines.nth(n - 1) : page.locator('.own .floor.may')).click()
  }
  if (stop === 'chosen') return true
  await page.locator('.confirm').click()
  await page.waitForTimeout(100)
  return true
}

const SCENES = {
  async home() {
    for (const width of [360, 768, 1440]) for (const theme of ['light', 'dark']) {
      const page = await open({ width, theme, language: width === 768 ? 'nl' : width === 360 ? 'fr' : 'en' })
      await page.goto(server.address)
      await shoot(page, `home-${width}-${theme}`)
      await page.context().close()
    }
  },
  async start() {
    const only = process.env.ONLY
    for (const [width, rivals, theme, language] of [[1440, 1, 'light', 'en'], [1440, 3, 'dark', 'nl'], [360, 1, 'light', 'en'], [360, 3, 'dark', 'fr'], [768, 2, 'light', 'nl'], [1200, 3, 'light', 'fr']]) {
      if (only && !only.split(',').includes(`${width}-${rivals + 1}`)) continue
      const page = await open({ width, theme, language })
      await table(page, { rivals })
      for (let i = 0; i < 9; i += 1) await move(page)
      await turn(page)
      await page.waitForTimeout(900)
      await shoot(page, `table-${width}-${rivals + 1}p-${theme}-${language}`)
      await move(page, { stop: 'picked' })
      await shoot(page, `picked-${width}-${rivals + 1}p-${theme}-${language}`)
      await page.keyboard.press('Escape')
      await move(page, { stop: 'chosen' })
      await page.waitForTimeout(300)
      await shoot(page, `chosen-${width}-${rivals + 1}p-${theme}-${language}`)
      await page.context().close()
    }
  },
  async grey() {
    const page = await open({ width: 1440 })
    await table(page, { wall: 'grey' })
    for (let i = 0; i < 60; i += 1) {
      await turn(page)
      if (await page.locator('button.cell.may').count()) break
      await move(page)
    }
    await shoot(page, 'grey-1440')
    await page.context().close()
  },
  async end() {
    for (const width of [1440, 360]) {
      const page = await open({ width, motion: 'none' })
      await table(page)
      while (await move(page)) await page.waitForTimeout(30)
      await shoot(page, `end-${width}`)
      await page.context().close()
    }
  },
  async pages() {
    const page = await open({ width: 360, language: 'nl' })
    for (const name of ['about', 'settings', 'games', 'nothing-here']) {
      await page.goto(`${server.address}/${name}`)
      await shoot(page, `page-${name}`)
    }
    await page.goto(server.address)
    await page.locator('form .button').last().click()
    await page.waitForSelector('.invitation')
    await shoot(page, 'waiting-360')
    const link = await page.locator('.invitation input').inputValue()
    const other = await open({ width: 1440 })
    await other.goto(link)
    await other.waitForSelector('form')
    await shoot(other, 'join-1440')
    const text = await open({ width: 1440, renderer: 'text' })
    await table(text)
    await shoot(text, 'text-1440')
  },
}

try {
  for (const [name, scene] of Object.entries(SCENES)) if (!wanted.length || wanted.includes(name)) await scene()
} finally {
  await browser.close()
  server.stop()
}
console.log(problems.length ? [...new Set(problems)].join('\n') : 'no problems')
