// What a table does for people who are new to it: three marks at the first one, sentences where a move is not allowed,
// highlights, arrow keys, plates that are put back in one go, walls in words, and a round's end to watch.
// Arguments choose among the parts.
import assert from 'node:assert/strict'
import { check, person } from './people.mjs'
import { some, words } from './sample.mjs'
import { openBrowser, serve } from './server.mjs'

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }
const LAPTOP = { viewport: { width: 1440, height: 900 } }
const server = await serve()
const browser = await openBrowser()
const problems = []
const done = []
const picture = async (page, name) => process.env.E2E_PICTURES && page.screenshot({ path: `${process.env.E2E_PICTURES}/help-${name}.png` })
const call = (page, path, body) => page.evaluate(async ([path, body]) => (await fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })).json(), [path, body])
const see = (page) => page.evaluate(async () => (await fetch(`/api/games/${location.pathname.split('/').pop()}`)).json())
const act = (page, request) => call(page, `/api/games/${page.url().split('/').pop()}/act`, { request: { key: `key-${Math.random().toString(36).slice(2)}`, ...request } })
const box = (locator) => locator.evaluate((one) => JSON.stringify(one.getBoundingClientRect()))
const illegal = (page) => page.locator('.say .illegal')

/** Somebody at a table of their own, against the first level. */
async function sit(title, { options = {}, marks = false, ...more } = {}) {
  const page = await person(browser, problems, title, { ...LAPTOP, ...more })
  if (!marks) await page.addInitScript(() => localStorage.getItem('tessella.settings') ?? localStorage.setItem('tessella.settings', JSON.stringify({ seen: ['azul', 'duel', 'blockers'] })))
  await page.goto(server.address)
  await page.waitForSelector('[data-play]')
  await call(page, '/api/session', { name: 'Ann' })
  const { id } = await call(page, '/api/games', { title, options, seats: [{ kind: 'me' }, { kind: 'bot', level: '1' }] })
  await page.goto(`${server.address}/table/${id}`)
  await myTurn(page)
  return page
}

const myTurn = (page) => page.waitForFunction(() => document.title.startsWith('●'))

/** Make moves as `choose` picks them until `until` is true of the table. */
async function play(page, choose, until) {
  for (let tries = 0; tries < 400; tries += 1) {
    const table = await see(page)
    if (table.status === 'over' || until(table)) return table
    if (table.moves.length) await act(page, { type: 'play', number: table.number, move: choose(table.moves, table) })
    else await page.waitForTimeout(50)
  }
  throw new Error('it never comes')
}

/** The first table: level 1 and three marks, which cover nothing and go for good. */
async function firstVisit(title, how, more) {
  const page = await person(browser, problems, `${title} first`, more)
  await page.goto(server.address)
  await page.locator(`[data-play=${title}], [data-game=${title}] [data-play]`).first().click()
  await page.waitForSelector('.own')
  assert.deepEqual((await see(page)).seats.filter((seat) => seat.is_bot).map((seat) => seat.level), ['1'])
  await myTurn(page)
  const marks = page.locator('.marks li')
  assert.equal(await marks.count(), 3)
  await page.waitForTimeout(200)
  await picture(page, `marks-${title}-${more.viewport.width}`)
  const seen = await marks.evaluateAll((all) =>
    all.map((mark) => {
      const { left, top, right, bottom } = mark.getBoundingClientRect()
      const inside = left >= 0 && right <= innerWidth
      return { inside, shown: bottom > 0 && top < innerHeight, covers: mark.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2)) }
    }),
  )
  assert.ok(seen.every(({ inside, covers }) => inside && !covers), JSON.stringify(seen))
  await check(page, `marks ${title}`, problems)
  if (how === 'key') await page.keyboard.press('Escape')
  else await page.locator('.factory button[aria-label]').first().tap().then(() => page.locator('.own .line.may').first().tap()).then(() => page.locator('.confirm').tap())
  await marks.first().waitFor({ state: 'detached' })
  await page.reload()
  await page.waitForSelector('.own')
  assert.equal(await marks.count(), 0)
  await page.context().close()
  done.push(`marks ${title}`)
}

/** A sentence at once, and the text of its rule over the table; nothing moves. */
async function ruleOf(page, sentence, rule) {
  await illegal(page).filter({ hasText: sentence }).waitFor()
  const before = [await box(page.locator('.own')), await box(page.locator('.bar'))]
  const button = page.locator('.say .rule')
  assert.equal(await button.innerText(), rule)
  await button.click()
  await page.locator('.rule-text:popover-open b').filter({ hasText: rule }).waitFor()
  assert.deepEqual([await box(page.locator('.own')), await box(page.locator('.bar'))], before)
  await check(page, `rule ${rule}`, problems)
  await picture(page, `rule-${rule}`)
  await page.keyboard.press('Escape')
  await page.locator('.rule-text:popover-open').waitFor({ state: 'detached' })
  await illegal(page).waitFor()
  await page.keyboard.press('Escape')
  await illegal(page).waitFor({ state: 'detached' })
}

async function azul() {
  const page = await sit('azul', { locale: 'nl-NL' })
  const { number, moves } = await see(page)
  await act(page, { type: 'play', number, move: moves.find((move) => move.endsWith('1')) })
  await play(page, (legal) => legal[0], (table) => table.number > number && table.moves.length)
  await page.waitForTimeout(600)
  await myTurn(page)
  await page.locator('.factory button[aria-label][aria-disabled=false], .heap').first().click()
  await page.locator('.own .line').first().click({ force: true })
  await ruleOf(page, 'Lijn 1 is vol.', 'AZ14')

  // By keyboard: arrows go from tile to tile, and the focus stays at the offer after a move
  await page.locator('.factory button[tabindex="0"]').first().focus()
  const from = await page.evaluate(() => document.activeElement.ariaLabel)
  await page.keyboard.press('ArrowDown')
  assert.notEqual(await page.evaluate(() => document.activeElement.ariaLabel), from)
  assert.ok(await page.evaluate(() => document.activeElement.matches('.offer button')))
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => document.activeElement?.matches('.line.may, .floor.may'))
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => document.activeElement?.matches('.confirm'))
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => document.activeElement?.closest('.offer'))
  await myTurn(page)
  await page.waitForFunction(() => document.activeElement?.matches('.offer button, .cell.may'))

  // In the text view a wall is read in words, and an illegal move is a sentence too
  await page.evaluate(() => {
    localStorage.setItem('tessella.settings', JSON.stringify({ ...JSON.parse(localStorage.getItem('tessella.settings')), renderer: 'text' }))
    dispatchEvent(new StorageEvent('storage', { key: 'tessella.settings' }))
  })
  await page.getByText('Muurrij 1: nog niets gelegd').or(page.getByText(/rij 1: nog niets gelegd/i)).first().waitFor()
  await page.locator('form input[type=text]').fill('9r1')
  await page.keyboard.press('Enter')
  await page.locator('form [role=status]').filter({ hasText: 'Er is geen fabriek 9.' }).waitFor()
  await page.context().close()
  done.push('azul')
}

async function duel() {
  const page = await sit('duel')
  await page.locator('.plates [data-at=open].may').first().waitFor()
  assert.equal(await page.locator('.plates [data-at=open].may').count(), 3)
  assert.match(await page.locator('.say').innerText(), /Take an open plate for your dome/)
  await picture(page, 'duel-opening')
  await page.locator('.offering .sun button.tile').first().click({ force: true })
  await ruleOf(page, 'First each player takes an open plate.', 'DU12')

  // Draw three plates, keep one, and put the others back in an order of one's own, in one go
  await play(page, (legal) => legal[0], (table) => table.view.phase === 'act' && table.moves.includes('d+'))
  const back = await play(page, (legal) => (legal.includes('d+') ? 'd+' : legal[0]), (table) => table.view.phase === 'return' && table.moves.length)
  const drawn = back.view.hand.map((plate) => plate.face)
  await page.locator('.confirm').filter({ hasText: 'Put back' }).waitFor()
  const plates = page.locator('[data-at=hand]')
  assert.deepEqual(await plates.evaluateAll((all) => all.map((plate) => plate.dataset.c)), drawn)
  await plates.first().click()
  await plates.last().click()
  const wanted = [drawn.at(-1), ...drawn.slice(1, -1), drawn[0]]
  assert.deepEqual(await plates.evaluateAll((all) => all.map((plate) => plate.dataset.c)), wanted)
  await picture(page, 'duel-return')
  await check(page, 'plates to put back', problems)
  await page.locator('.confirm').click()
  await page.waitForFunction(async () => (await (await fetch(`/api/games/${location.pathname.split('/').pop()}`)).json()).view.phase !== 'return')
  const { view } = await see(page)
  const faces = view.stack.map((plate) => plate.face).join(' ')
  assert.ok(faces.includes(wanted.join(' ')), faces)

  // A prompt names only what is there
  await play(page, (legal) => legal[0], (table) => table.view.phase === 'act' && table.moves.length)
  await myTurn(page)
  await page.waitForTimeout(600)
  const now = await see(page)
  const asked = await page.locator('.say').innerText()
  const named = { 'from a sun': /^[0-4][byrkt]/, 'from the moons': /^m/, 'a chip': /^c/, 'open plate': /^\d[byrkt*?]{4}/, 'from the stack': /^d/ }
  for (const [words, shape] of Object.entries(named)) assert.equal(asked.includes(words), now.moves.some((move) => shape.test(move) && (words !== 'from a sun' || move.length === 3)), `${words}: ${asked}`)

  // Resigning is not what the first button does; afterwards nothing is left to do
  assert.equal(await page.locator('.due-row').count(), 2)
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('button', { name: 'Resign' }).click()
  assert.equal(await page.locator('dialog[open] .button:not(.plain)').innerText(), 'Stay')
  await page.locator('dialog[open] [data-sure]').click()
  await page.locator('.end').waitFor()
  assert.equal(await page.locator('.due-row').count(), 0)
  await page.context().close()
  done.push(`duel: ${wanted.length} plates put back`)
}

async function blockers() {
  const page = await sit('blockers', { locale: 'fr-FR' })
  await page.locator('.rack .tile.may').first().click()
  await page.locator('.cell.else').first().click({ force: true })
  await ruleOf(page, 'Sa place :', 'BL10')
  await page.context().close()
  done.push('blockers')
}

/** The end of a round of Duel: points count up, then the next round is set up, and nothing of the table moves. */
async function show() {
  const page = await sit('duel', { reducedMotion: 'no-preference' })
  await play(page, (legal) => legal[0], (table) => table.view.phase === 'act')
  await page.evaluate(() => {
    const frames = (window.frames_ = [])
    const note = () => {
      const suns = [...document.querySelectorAll('[data-at^="s"][data-c]')]
      frames.push({
        scores: [0, 1].map((seat) => document.querySelector(`[data-score="${seat}"]`)?.lastChild?.data).join(' '),
        dealt: suns.filter((tile) => Number(getComputedStyle(tile).opacity) > 0.05).length,
        suns: suns.length,
        boxes: [...document.querySelectorAll('.own .dome, .offering, .bar')].map((one) => [one.getBoundingClientRect().left, one.getBoundingClientRect().top].map(Math.round).join()).join(' '),
        recap: !!document.querySelector('.recap'),
        round: document.querySelector('header .pill')?.innerText,
      })
      requestAnimationFrame(note)
    }
    requestAnimationFrame(note)
  })
  await play(page, (legal) => legal[Math.floor(legal.length / 2)], (table) => table.view.round === 2)
  await page.waitForFunction(() => document.querySelector('header .pill')?.innerText === 'Round 2')
  await page.waitForTimeout(1_000)
  await picture(page, 'duel-show')
  await page.waitForTimeout(4_000)
  const frames = await page.evaluate(() => window.frames_)
  const second = frames.findIndex((frame) => frame.round === 'Round 2')
  const dealt = frames.findIndex((frame, i) => i >= second && frame.suns >= 20 && frame.dealt)
  assert.ok(new Set(frames.map((frame) => frame.scores)).size >= 3, 'the scores do not count up')
  assert.ok(dealt > second, `the next round is there at once: frame ${dealt}, from frame ${second}`)
  assert.equal(frames.at(-1).dealt, frames.at(-1).suns)
  const with_ = frames.findIndex((frame) => frame.recap)
  if (with_ > 0) assert.equal(frames[with_].boxes, frames[with_ - 1].boxes, 'the recap moves the table')
  await page.context().close()
  done.push('the end of a round')
}

/** Formulas and codes are folded away, and open where one searches. */
async function rules() {
  const page = await person(browser, problems, 'rules', PHONE)
  await page.goto(`${server.address}/rules/azul`)
  await page.locator('#AZ21 details').waitFor()
  assert.equal(await page.locator('#AZ21 details').getAttribute('open'), null)
  const ids = await page.locator('li[id^=AZ]').evaluateAll((all) => all.map((one) => one.id))
  assert.ok(ids.indexOf('AZ30') > ids.indexOf('AZ52'), 'the option comes before the end')
  await page.getByRole('searchbox').fill('mod')
  assert.notEqual(await page.locator('#AZ21 details').getAttribute('open'), null)
  await check(page, 'rules', problems)
  await page.context().close()
  done.push('rules')
}

async function marks() {
  await firstVisit('azul', 'move', PHONE)
  if (some) return
  await firstVisit('duel', 'key', { ...LAPTOP, locale: 'nl-NL' })
  await firstVisit('blockers', 'key', { ...PHONE, locale: 'fr-FR' })
}

const PARTS = some ? { marks, azul, rules, show } : { marks, azul, duel, blockers, rules, show }
try {
  for (const [name, part] of Object.entries(PARTS)) if (!words.length || words.includes(name)) await part()
  assert.deepEqual(problems, [])
  console.log(`help: ${done.join(', ')}`)
} catch (exc) {
  if (process.env.E2E_PICTURES) for (const [i, context] of browser.contexts().entries()) await context.pages()[0]?.screenshot({ path: `${process.env.E2E_PICTURES}/help-failed-${i}.png` })
  console.error(done, problems)
  throw exc
} finally {
  await browser.close()
  server.stop()
}
