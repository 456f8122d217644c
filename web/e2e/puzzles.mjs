// Puzzles of all three games in a real browser: a wrong move is answered on the board, the position comes back, the best
// move is found, and the solution is played out; by mouse with everything moving, and by keyboard on a narrow screen.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { check, person } from './people.mjs'
import { sample } from './sample.mjs'
import { come } from './scenes.mjs'
import { openBrowser, serve } from './server.mjs'

const TITLES = sample(['azul', 'duel', 'blockers'])
const WAYS = {
  mouse: { viewport: { width: 1440, height: 900 }, reducedMotion: 'no-preference' },
  keyboard: { viewport: { width: 360, height: 740 }, colorScheme: 'dark' },
}
const pictures = process.env.E2E_PICTURES
if (pictures) mkdirSync(pictures, { recursive: true })
const server = await serve()
const browser = await openBrowser()
const problems = []

/** Return the controls of a move in the order in which they are pressed; none if it takes more than a piece and a place. */
function controls(page, title, move) {
  const at = (selector) => page.locator(selector).first()
  const tiles = /^(?<source>[0-9cm])(?<colour>[a-z])(?<line>[1-6-])$/.exec(move)?.groups
  if (title === 'azul' && tiles) {
    const { source, colour, line } = tiles
    const tile = source === 'c' ? at(`.centre button:has([data-c="${colour}"])`) : at(`.factory:nth-of-type(${source}) button[data-c="${colour}"]`)
    return [tile, line === '-' ? at('.own .floor') : page.locator('.own .line').nth(Number(line) - 1)]
  }
  if (title === 'duel' && tiles) {
    const { source, colour, line } = tiles
    const tile = at(`.offering button[data-at^="${source === 'm' ? 'n' : `s${source}`}"][data-c="${colour}"][tabindex="0"]`)
    return [tile, line === '-' ? at('.own .broken') : page.locator('.own .line').nth(Number(line) - 1)]
  }
  if (title === 'duel' && /^c\d$/.test(move)) return [at(`.offering [data-at="${move}"]`)]
  const placed = /^(?<colour>.)(?<face>.)@(?<row>.)(?<column>\d)/.exec(move)?.groups
  if (title !== 'blockers' || !placed) return []
  const cell = (placed.row.charCodeAt(0) - 65) * 9 + Number(placed.column) - 1
  return [at(`.own [data-at="rack-${placed.colour}-${placed.face}"]`), at(`.play [data-at="cell-${cell}"]`)]
}

async function press(control, way) {
  if (way === 'mouse') return control.click()
  await control.focus()
  return control.press('Enter')
}

async function make(page, title, move, way) {
  for (const control of controls(page, title, move)) await press(control, way)
  await press(page.locator('.own .confirm'), way)
}

/** Return a puzzle of a game whose best move, and a wrong one, are a piece and a place. */
async function choose(guest, title) {
  const { puzzles } = await guest.ask('GET', '/api/puzzles')
  for (const { id } of puzzles.filter((puzzle) => puzzle.title === title)) {
    const { moves } = await guest.ask('GET', `/api/puzzles/${id}`)
    const { solution, steps } = await guest.ask('POST', `/api/puzzles/${id}/answer`, { move: '' })
    const page = { locator: () => ({ first: () => 1, nth: () => 1 }) }
    const plain = moves.filter((move) => controls(page, title, move).length)
    const wrong = plain.find((move) => move === solution.tempting) ?? plain.find((move) => move !== solution.best)
    if (plain.includes(solution.best) && wrong && wrong !== solution.best) return { id, best: solution.best, wrong, steps: steps.length }
  }
  throw new Error(`no puzzle of ${title} can be solved with a piece and a place`)
}

const boardOf = (page) => page.locator('main').evaluate((main) => main.querySelector('.table, .play, .own')?.closest('main')?.innerHTML.replaceAll(/ (class|style|tabindex|aria-[a-z]+)="[^"]*"/g, '') ?? '')
const picture = async (page, name) => pictures && page.screenshot({ path: `${pictures}/puzzles-${name}.png`, fullPage: true })

/** Play a wrong move and see it answered, then the right one and see the solution. */
async function solve(page, title, way, { id, best, wrong, steps }) {
  const where = `${title} by ${way}`
  await page.goto(`${server.address}/puzzles/${id}`)
  await page.locator('.own').first().waitFor()
  await check(page, where, problems)

  // Wrong: the move is on the board, then the answer to it; then the position is back
  await make(page, title, wrong, way)
  await page.getByText(/That costs/).waitFor()
  const line = page.locator('.top ol button')
  const answered = await line.count()
  assert.ok(answered >= 1, `${where}: nothing follows the wrong move`)
  await line.nth(answered - 1).and(page.locator('[aria-current=step]')).waitFor({ timeout: 20_000 })
  await picture(page, `${title}-${way}-wrong`)
  await check(page, `${where}, wrong`, problems)
  assert.equal(await page.locator('.own .confirm').count(), 0)
  assert.ok(await page.locator('.again').evaluate((button) => button === document.activeElement), `${where}: the focus is lost`)
  await press(page.locator('.again'), way)
  await page.getByText('one of').waitFor()
  assert.equal(await line.count(), 0)

  // Right: the solution is played to its end, and the reason is in words
  await make(page, title, best, way)
  await page.getByText('✓ That is it!').waitFor()
  assert.equal(await line.count(), steps)
  await line.nth(0).and(page.locator('[aria-current=step]')).waitFor()
  await press(line.nth(steps - 1), way)
  await line.nth(steps - 1).and(page.locator('[aria-current=step]')).waitFor()
  const after = await boardOf(page)
  await picture(page, `${title}-${way}-right`)
  await page.waitForTimeout(2500) // points rise over the board for a moment; they are not to be read by contrast
  await check(page, `${where}, right`, problems)
  assert.match(await page.locator('.said').innerText(), /\d/)
  await press(page.locator('.replay'), way)
  await line.nth(0).and(page.locator('[aria-current=step]')).waitFor({ timeout: 10_000 })
  assert.notEqual(await boardOf(page), after, `${where}: the board does not move`)
}

try {
  const guest = await come(server.address, 'Ilse')
  for (const [way, options] of Object.entries(WAYS)) {
    const page = await person(browser, problems, way, options)
    for (const title of TITLES) await solve(page, title, way, await choose(guest, title))
    await page.goto(`${server.address}/puzzles`)
    await page.locator('.days a').nth(2).waitFor()
    assert.equal(await page.locator('.days a').count(), 3)
    for (const title of TITLES) {
      await page.locator(`input[name=title][value=${title}]`).check()
      assert.ok((await page.locator('.shelf').count()) > 1, `${title} has one theme`)
      assert.equal(await page.locator('.shelf a.found').count(), 1, `${title}: what is solved is marked`)
      await picture(page, `list-${title}-${way}`)
    }
    await check(page, `list by ${way}`, problems)
  }
  assert.deepEqual(problems, [])
  console.log('puzzles: a wrong and a right move of each game, by mouse and by keyboard')
} finally {
  await browser.close()
  server.stop()
}
