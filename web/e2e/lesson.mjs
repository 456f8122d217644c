// The lessons in a real browser: by mouse, by touch at 360 px and by keyboard, each in another language; with `--all` in
// all of them. Every step is taken on the real board, also with a wrong move first; axe finds nothing.
import assert from 'node:assert/strict'
import { check } from './people.mjs'
import { sample } from './sample.mjs'
import { LANGUAGES as LOCALES } from './scenes.mjs'
import { openBrowser, serve } from './server.mjs'

const LANGUAGES = Object.keys(LOCALES)
const TITLES = sample(['azul', 'duel', 'blockers'])
const WAYS = {
  mouse: { viewport: { width: 1440, height: 900 } },
  touch: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
  keyboard: { viewport: { width: 1280, height: 800 } },
}
const all = process.argv.includes('--all')
const server = await serve()
const browser = await openBrowser()
const problems = []

/** Press a control as a person of this kind would. */
async function press(control, way) {
  if (way === 'touch') return control.tap()
  if (way === 'mouse') return control.click()
  await control.focus()
  return control.press('Enter')
}

/** The controls of a move of Azul, Blockers! or Duel, in the order in which they are pressed. */
function controls(page, title, move) {
  const at = (selector) => page.locator(selector).first()
  if (title === 'blockers') {
    const { face, row, column } = /^(?<face>.)@(?<row>.)(?<column>.)/.exec(move).groups
    return [at(`.own [data-at$="-${face}"]`), at(`.play [data-at="cell-${(row.charCodeAt(0) - 65) * 9 + Number(column) - 1}"]`)]
  }
  if (title === 'azul') {
    const [source, colour, line] = move
    const tile = source === 'c' ? at(`.centre button:has([data-c="${colour}"])`) : at(`.factory:nth-of-type(${source}) button[data-c="${colour}"]`)
    return [tile, line === '-' ? at('.own .floor') : page.locator('.own .line').nth(Number(line) - 1)]
  }
  return []
}

/** Make the move that the step asks for on the board; where that takes more than two controls, have it shown. */
async function make(page, title, step, way) {
  const buttons = controls(page, title, step.solution)
  if (!buttons.length) return press(page.locator('.keys .show'), way)
  for (const button of buttons) await press(button, way)
  return press(page.locator('.own .confirm'), way)
}

/** Take a whole lesson, from the list to its last round. */
async function take(title, way, language) {
  const context = await browser.newContext({ ...WAYS[way], reducedMotion: 'reduce' })
  await context.addInitScript((settings) => localStorage.setItem('tessella.settings', JSON.stringify(settings)), { language })
  const page = await context.newPage()
  page.on('pageerror', (error) => problems.push(`${title} ${way}: ${error}`))
  await page.goto(`${server.address}/learn`)
  await press(page.locator(`a[href="/learn/${title}"]`), way)
  await page.waitForSelector('.lesson')
  const lesson = await (await fetch(`${server.address}/api/lessons/${title}`)).json()
  for (const [number, step] of lesson.steps.entries()) {
    const where = `${title} ${way} ${language} ${step.id}`
    await page.getByText(step.said[language], { exact: false }).waitFor()
    if (step.moves.length) {
      await make(page, title, step, way)
      await page.locator('section.right').waitFor()
    }
    if (number % 4 === 0 || all) await check(page, where, problems)
    await press(page.locator('.keys .next'), way)
  }
  await page.getByText(lesson.last_round.said[language]).waitFor()
  await check(page, `${title} ${way} ${language} last round`, problems)
  await press(page.locator('.ways .button').first(), way)
  await page.waitForURL(/\/table\//)
  await page.locator('.own').first().waitFor()
  await page.goto(`${server.address}/learn`)
  await page.locator(`a[href="/learn/${title}"] .good`).waitFor()
  await context.close()
  return lesson.steps.length
}

/** A move that is legal but not asked for is answered, and the step goes on. */
async function mistake() {
  const context = await browser.newContext({ ...WAYS.mouse, reducedMotion: 'reduce' })
  const page = await context.newPage()
  await page.goto(`${server.address}/learn/azul`)
  await press(page.locator('.keys .next'), 'mouse')
  for (const button of controls(page, 'azul', '1b1')) await button.click()
  await page.locator('.own .confirm').click()
  await page.locator('section.wrong').waitFor()
  assert.match(await page.locator('.said').innerText(), /line 2/)
  for (const button of controls(page, 'azul', '1b2')) await button.click()
  await page.locator('.own .confirm').click()
  await page.locator('section.right').waitFor()
  assert.ok(await page.locator('.keys .next').evaluate((button) => button === document.activeElement))
  await context.close()
}

try {
  let steps = 0
  await mistake()
  for (const [number, title] of TITLES.entries())
    for (const [turn, way] of sample(Object.keys(WAYS)).entries())
      for (const language of all ? LANGUAGES : [LANGUAGES[(number + turn) % LANGUAGES.length]]) steps += await take(title, way, language)
  assert.deepEqual(problems, [])
  console.log(`lesson: ${steps} steps of ${TITLES.length} lessons taken by ${Object.keys(WAYS).join(', ')}; axe found nothing`)
} finally {
  await browser.close()
  server.stop()
}
