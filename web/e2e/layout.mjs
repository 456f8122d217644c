// Every page and table in every language at the narrowest width, and in the longest language at every width, in every
// theme: nothing too wide, no text over another, nothing for axe. Tables fill the window from a small laptop to a large
// screen, their tiles can be hit, and their words can be read. `--once` looks at each page in one of these ways, and
// at pages that follow each other in different ones; `--some` does so at each kind of page.
import { findWithAxe } from './people.mjs'
import { some, words } from './sample.mjs'
import { arrive, HEIGHTS, LANGUAGES, look, scenes, THEMES } from './scenes.mjs'
import { openBrowser, serve } from './server.mjs'

const NARROW = 360
/** The language with the most text (13 % more than English, 7 % more than Dutch); the others are checked where it is narrow. */
const LONGEST = 'fr'
const once = some || words.includes('--once')
const parts = words.filter((word) => word !== '--once')
/** The tables of each game that are fullest. */
const FULLEST = /-(azul-4|duel-2|blockers-5)$/
/** The scenes that are looked at at these tables only. */
const KINDS = some ? /^(table|watch|text|end|replay|review)-/ : /^(watch|text)-/
const chosen = (name) => (parts.length === 0 || parts.some((part) => name.includes(part))) && (!once || !KINDS.test(name) || FULLEST.test(name))

/** In the page: texts that lie over each other, and texts that are cut off without a sign of it. */
function faults() {
  const found = []
  const over = document.documentElement.scrollWidth - document.documentElement.clientWidth
  if (over > 0) found.push(`${over} px too wide`)
  const floats = (element) => {
    for (let one = element; one; one = one.parentElement) if (['fixed', 'sticky'].includes(getComputedStyle(one).position)) return true
    return false
  }
  const boxes = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement
    if (!node.data.trim() || element.closest('.hidden, script, style, option, [aria-hidden=true], dialog:not([open])')) continue
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || floats(element)) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    for (const box of range.getClientRects()) if (box.width > 1 && box.height > 1) boxes.push({ box, element, text: node.data.trim() })
  }
  /** What is to be seen of a box in the frames around it. */
  const clip = ({ box, element, text }) => {
    let { left, right, top, bottom } = box
    for (let one = element; one && one !== document.body; one = one.parentElement) {
      if (getComputedStyle(one).overflow === 'visible') continue
      const frame = one.getBoundingClientRect()
      left = Math.max(left, frame.left)
      right = Math.min(right, frame.right)
      top = Math.max(top, frame.top)
      bottom = Math.min(bottom, frame.bottom)
    }
    return { box: { left, right, top, bottom, height: bottom - top, width: right - left }, element, text }
  }
  const seen = boxes.map(clip).filter(({ box }) => box.width > 1 && box.height > 1)
  for (const [i, one] of seen.entries())
    for (const other of seen.slice(i + 1)) {
      if (one.element === other.element) continue
      const wide = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left)
      const high = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top)
      if (wide > 2 && high > Math.min(one.box.height, other.box.height) * 0.35) found.push(`“${one.text.slice(0, 30)}” over “${other.text.slice(0, 30)}”`)
    }
  for (const button of document.querySelectorAll('button, a.button, th, select')) {
    const style = getComputedStyle(button)
    if (button.checkVisibility() && style.overflow !== 'visible' && button.scrollWidth > button.clientWidth + 1 && style.textOverflow !== 'ellipsis') found.push(`cut off: “${button.innerText.slice(0, 30)}”`)
  }
  return [...new Set(found)].slice(0, 6)
}

/** What a table must show: how much of the height every column uses, how large the tiles to take are, in pixels. */
const NEEDS = { used: 0.85, tile: 44, text: 11 }

/** In the page, at a table: words too small to read, names that cannot be told apart, and room that is not used. */
function wasted({ needs, wide }) {
  const found = []
  const table = document.querySelector('.at-table')
  const walker = document.createTreeWalker(table, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement
    if (!node.data.trim() || element.closest('.hidden, dialog:not([open])') || !element.checkVisibility()) continue
    const size = parseFloat(getComputedStyle(element).fontSize) * (element.getScreenCTM?.()?.a ?? 1)
    // what is drawn on a tile is part of its picture
    if (size < needs.text - 0.05 && !element.closest('.ceramic')) found.push(`“${node.data.trim().slice(0, 20)}” is ${size.toFixed(1)} px high`)
  }
  for (const number of table.querySelectorAll('.nth')) {
    const [inner, outer] = [number, number.closest('.player-header')].map((element) => element.getBoundingClientRect())
    if (inner.width < 5 || inner.right > outer.right + 1) found.push(`the number of “${number.parentElement.innerText}” is cut off`)
  }
  if (!wide || table.matches('.over')) return [...new Set(found)].slice(0, 6)
  const top = table.getBoundingClientRect().top + scrollY
  const height = innerHeight - document.querySelector('header').getBoundingClientRect().height
  if (top + table.offsetHeight > innerHeight + 1) found.push(`the table ends ${Math.round(top + table.offsetHeight - innerHeight)} px below the window`)
  const panels = [...table.querySelectorAll('.panel')].map((panel) => panel.getBoundingClientRect())
  for (let x = 40; wide.used && x < innerWidth - 40; x += 40) {
    const here = panels.filter((panel) => panel.left - 8 <= x && panel.right + 8 >= x)
    const used = here.reduce((sum, panel) => sum + panel.height, 0) / height
    if (here.length && used < needs.used) found.push(`only ${Math.round(100 * used)} % of the height is used at ${x}`)
  }
  const sizes = [...table.querySelectorAll('.offering button.tile')].map((tile) => tile.getBoundingClientRect().width)
  if (wide.tiles && Math.min(...sizes) < needs.tile - 0.05) found.push(`tiles of ${Math.min(...sizes).toFixed(1)} px on the factories`)
  return [...new Set(found)].slice(0, 6)
}

/** In the page: as if another tab had set it. */
function speak(settings) {
  localStorage.setItem('tessella.settings', JSON.stringify(settings))
  dispatchEvent(new StorageEvent('storage', { key: 'tessella.settings' }))
}

/** What lies wrong on the page, language by language. */
async function inLanguages(page, languages, more) {
  const found = []
  for (const language of languages) {
    await page.evaluate(speak, { language, seen: ['azul', 'duel', 'blockers'], ...more })
    await page.waitForFunction((to) => document.documentElement.lang === to, language)
    await page.evaluate(() => new Promise((wake) => requestAnimationFrame(() => requestAnimationFrame(wake))))
    found.push(...(await page.evaluate(faults)).map((fault) => `${language}: ${fault}`))
    looks += 1
  }
  return found
}

/** What axe finds: everything in the first theme, in the others what depends on colours. */
async function inThemes(page, themes) {
  const found = []
  for (const [number, theme] of themes.entries()) {
    await page.emulateMedia({ colorScheme: theme })
    for (const one of await findWithAxe(page, number ? { runOnly: ['color-contrast'] } : {})) found.push(`${theme}: ${one}`)
  }
  return found
}

const server = await serve()
const browser = await openBrowser()
const problems = new Set()
let looks = 0
try {
  const all = await scenes(server.address, chosen)
  const pages = [[NARROW], [768, 1440]]
  const tables = [[NARROW], [768, 1440], [1024, 1920, 2560]]
  for (const [number, [name, path, person, more]] of all.entries()) {
    const ways = name.startsWith('table-') ? tables : pages
    for (const widths of once ? [ways[number % ways.length]] : ways) {
      const context = await look(browser, person, { width: widths[0], theme: 'light', language: 'en', more })
      const page = await context.newPage()
      page.on('pageerror', (error) => problems.add(`${name}: ${error}`))
      await arrive(page, server.address + path)
      for (const width of widths) {
        await page.setViewportSize({ width, height: HEIGHTS[width] })
        // notices lie over the table by intent
        await page.evaluate(() => document.querySelector('.notices')?.style.setProperty('display', 'none'))
        const languages = width === NARROW ? Object.keys(LANGUAGES) : [LONGEST]
        for (const fault of await inLanguages(page, languages, more)) problems.add(`${name} ${width} ${fault}`)
        if (name.startsWith('table-')) {
          const wide = width >= 1000 && { used: width === 1440 || width === 1920, tiles: width === 1440 }
          for (const fault of await page.evaluate(wasted, { needs: NEEDS, wide })) problems.add(`${name} ${width} ${fault}`)
        }
        const themes = once ? [THEMES[(number >> 1) % THEMES.length]] : THEMES
        if (width === NARROW || width === 1440) for (const fault of await inThemes(page, themes)) problems.add(`${name} ${width} ${fault}`)
      }
      await context.close()
    }
  }
  console.log([...problems].join('\n'))
  console.log(`${looks} looks at ${all.length} scenes: ${problems.size || 'no'} problems`)
  process.exitCode = problems.size || !looks ? 1 : 0
} finally {
  await browser.close()
  server.stop()
}
