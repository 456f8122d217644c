// The end of a round as a show, frame by frame: nothing of the table moves, the scores count up, and only then the next
// round is dealt. Then a hint by the coach, and a win that is celebrated.
import assert from 'node:assert/strict'
import { check, person } from './people.mjs'
import { openBrowser, serve } from './server.mjs'

const server = await serve()
const browser = await openBrowser()
const problems = []
const picture = async (page, name) => process.env.E2E_PICTURES && page.screenshot({ path: `${process.env.E2E_PICTURES}/${name}.png` })
const call = (page, path, body) => page.evaluate(async ([path, body]) => (await fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })).json(), [path, body])
const see = (page) => page.evaluate(async () => (await fetch(`/api/games/${location.pathname.split('/').pop()}`)).json())
const act = (page, request) => call(page, `/api/games/${page.url().split('/').pop()}/act`, { request: { key: `key-${Math.random().toString(36).slice(2)}`, ...request } })

/** Note in every frame what the table shows; runs in the page. */
function film() {
  const frames = (window.frames_ = [])
  const text = (selector) => document.querySelector(selector)?.lastChild?.data ?? ''
  const note = () => {
    const tiles = [...document.querySelectorAll('[data-at^="f"]')]
    const boxes = [...document.querySelectorAll('main [data-at^="l0-4"], main [data-at^="l1-4"], .factory, .bar')].map((one) => {
      const { left, top } = one.getBoundingClientRect()
      return `${Math.round(left)},${Math.round(top)}`
    })
    frames.push({
      at: performance.now(),
      scores: [text('[data-score="0"]'), text('[data-score="1"]')].join(' '),
      dealt: tiles.filter((tile) => Number(getComputedStyle(tile).opacity) > 0.05).length,
      tiles: tiles.length,
      recap: !!document.querySelector('.recap'),
      boxes: boxes.join(' '),
    })
    requestAnimationFrame(note)
  }
  requestAnimationFrame(note)
}

/** Play the first legal moves until the round is over. */
async function playRound(page) {
  const { view: { round } } = await see(page)
  for (;;) {
    const table = await see(page)
    if (table.view.round !== round) return
    if (table.moves.length) await act(page, { type: 'play', number: table.number, move: table.moves[Math.floor(table.moves.length / 3)] })
    await page.waitForTimeout(60)
  }
}

try {
  const ann = await person(browser, problems, 'Ann', { viewport: { width: 1440, height: 900 }, reducedMotion: 'no-preference' })
  await ann.goto(server.address)
  await ann.waitForSelector('[data-play]')
  await call(ann, '/api/session', { name: 'Ann' })
  const { id } = await call(ann, '/api/games', { title: 'azul', seats: [{ kind: 'me' }, { kind: 'bot', level: '4' }] })
  await ann.goto(`${server.address}/table/${id}`)
  await ann.getByText('Your turn').first().waitFor()
  await ann.evaluate(film)
  await playRound(ann)
  await ann.locator('.recap').waitFor({ timeout: 60_000 })
  await ann.waitForTimeout(600)
  await picture(ann, 'show')
  await ann.waitForTimeout(4_500)
  await picture(ann, 'show-over')
  const frames = await ann.evaluate(() => window.frames_)
  const first = frames.findIndex((frame) => frame.recap)
  const show = frames.slice(first - 2)
  const scores = [...new Set(show.map((frame) => frame.scores))]
  assert(scores.length >= 3, `the scores do not count up: ${scores}`)
  assert.deepEqual([...new Set(show.map((frame) => frame.boxes))], [show[0].boxes], 'the table moves when the recap comes')
  const counted = show.findLastIndex((frame, i) => i && frame.scores !== show[i - 1].scores)
  const dealt = show.findIndex((frame, i) => i > 2 && frame.tiles && frame.dealt)
  assert(dealt >= counted, `dealt in frame ${dealt}, counted until frame ${counted}`)
  assert.equal(show.at(-1).dealt, show.at(-1).tiles)
  assert.equal(Math.max(...show.map((frame) => frame.tiles)), 20)
  await check(ann, 'after a round', problems)

  // A show can be skipped, and nothing blocks: the next move is made at once
  await ann.getByText('Your turn').first().waitFor()
  await ann.locator('.recap').getByRole('button', { name: 'Close' }).click()
  await ann.getByRole('button', { name: 'Menu' }).click()
  await picture(ann, 'menu')
  await ann.locator('[data-ask-hint]').click()
  await ann.locator('[data-hint]').waitFor()
  await picture(ann, 'hint')
  await check(ann, 'hint', problems)
  const before = await see(ann)
  await ann.getByRole('button', { name: 'Play it' }).click()
  await ann.waitForFunction(async (number) => (await (await fetch(`/api/games/${location.pathname.split('/').pop()}`)).json()).number > number, before.number)
  await ann.locator('[data-hint]').waitFor({ state: 'detached' })

  // A win is celebrated
  const bob = await person(browser, problems, 'Bob', { viewport: { width: 360, height: 740 }, reducedMotion: 'no-preference', hasTouch: true, isMobile: true })
  await bob.goto(server.address)
  await bob.waitForSelector('[data-play]')
  await call(bob, '/api/session', { name: 'Bob' })
  const both = await call(ann, '/api/games', { title: 'azul', seats: [{ kind: 'me' }, { kind: 'open' }] })
  await call(bob, `/api/games/${both.id}/join`, { secret: both.invitations[0].secret })
  for (const page of [ann, bob]) await page.goto(`${server.address}/table/${both.id}`)
  for (const page of [ann, bob]) await page.getByText(/Your turn|Ann to move|Bob to move/).first().waitFor()
  await act(ann, { type: 'command', action: 'resign' })
  await bob.locator('.flying').first().waitFor()
  await bob.waitForTimeout(900)
  await picture(bob, 'win-360')
  await bob.getByRole('button', { name: 'Play again' }).waitFor()
  assert.equal(await ann.locator('.flying').count(), 0, 'nobody celebrates a defeat')
  await check(bob, 'win', problems)
  assert.deepEqual(problems, [])
  console.log(`show: ${scores.length} steps of the scores, dealt ${Math.round(show[dealt].at - show[counted].at)} ms after the last`)
} catch (exc) {
  if (process.env.E2E_PICTURES) for (const [i, context] of browser.contexts().entries()) await context.pages()[0]?.screenshot({ path: `${process.env.E2E_PICTURES}/show-${i}.png` })
  console.error(problems)
  throw exc
} finally {
  await browser.close()
  server.stop()
}
