// The coach in a real browser: a game is reviewed from its end, stepped through mark by mark, opened offline; puzzles are solved.
import assert from 'node:assert/strict'
import { check, person } from './people.mjs'
import { come, reviewed, setTable, SOON } from './scenes.mjs'
import { openBrowser, serve } from './server.mjs'

const server = await serve()
const browser = await openBrowser()
const problems = []
/** A review that nobody asked for is not there yet: the browser says so on its own. */
const known = /status of 404/

async function open(guest, options = {}) {
  const page = await person(browser, problems, 'Ilse', { viewport: { width: 1440, height: 900 }, ...options })
  if (guest) await page.context().addCookies(guest.cookies())
  return page
}

const at = async (page) => Number((await page.locator('output').innerText()).split('/')[0])
const said = (page) => page.locator('.plot input').getAttribute('aria-valuetext')
const hundredths = (share) => Math.round(100 * share)

/** Which step of the replay shows each act: a step is a move with the deals that follow it. */
const stepsOf = ({ steps }) => steps.flatMap((step, at) => step.entry.acts.map(() => at + 1))

/** Put a move of Azul together by pointing, and lay it. */
async function lay(page, move, how = '') {
  const [source, colour, line] = move
  const tile = `[data-at="${source === 'c' ? 'c' : `f${source - 1}`}"][data-c="${colour}"]`
  await page.locator(source === 'c' ? `.heap:has(${tile})` : `button${tile}[aria-label]`).click()
  await page.locator(line === '-' ? '.own .floor' : `.own .lines > :nth-child(${line})`).click()
  if (how) await page.getByText('If the round ended now').waitFor()
  await page.locator('.confirm').click()
}

/** The bar says how many of the acts are reviewed. */
async function watchProgress(page, acts) {
  const bar = page.getByRole('progressbar')
  await bar.waitFor()
  const [, done, all] = /(\d+) of (\d+) moves/.exec(await page.getByText(/^\d+ of \d+ moves and deals reviewed/).innerText())
  const { max, value } = await bar.evaluate(({ max, value }) => ({ max, value }))
  assert.ok(max === acts && Number(all) === acts, `${max} of ${acts}`)
  assert.ok(value >= Number(done) && value > 0 && value < max, `${value}`)
}

const drawn = (page) => page.locator('.offer').evaluate((offer) => offer.textContent + [...offer.querySelectorAll('[data-c]')].map(({ dataset }) => dataset.at + dataset.c))

/** The coach's line is played on the board by keyboard, and the game is as it was afterwards. */
async function followLine(page, mark) {
  const [step, before] = [await at(page), await drawn(page)]
  await page.getByRole('button', { name: 'Show on the board' }).click()
  const line = page.getByRole('region', { name: 'The moves of this line' })
  await line.getByText(`Move 1 of ${mark.line.length}`).waitFor()
  assert.equal(await page.locator('.controls').count(), 0)
  const boards = [await drawn(page)]
  for (let move = 2; move <= mark.line.length; move += 1) {
    await page.keyboard.press('ArrowRight')
    await line.getByText(`Move ${move} of ${mark.line.length}`).waitFor()
    boards.push(await drawn(page))
  }
  assert.equal(new Set([before, ...boards]).size, mark.line.length + 1, 'every move changes the board')
  assert.ok(await line.getByRole('button', { name: 'One move forward' }).isDisabled())
  await page.keyboard.press('Home')
  await line.getByText('The position before these moves.').waitFor()
  await line.getByRole('button', { name: 'One move forward' }).click()
  await line.getByText('Move 1 of').waitFor()
  await check(page, 'review line', problems)
  await page.keyboard.press('Escape')
  await page.locator('.controls').waitFor()
  assert.deepEqual([await at(page), await drawn(page)], [step, before])
  assert.equal(await page.evaluate(() => document.activeElement.id), 'follow')
}

/** How high the board is between the plot and the controls, in a window that shows all three. */
async function seenBelowPlot(phone) {
  const [plot, board, controls] = await Promise.all(['.plot', '.board', '.controls'].map((part) => phone.locator(part).first().boundingBox()))
  assert.ok(plot.y > 0 && plot.y + plot.height < controls.y, JSON.stringify({ plot, controls }))
  return Math.min(board.y + board.height, controls.y) - Math.max(board.y, plot.y + plot.height)
}

async function review() {
  const { id, host } = await setTable(server.address, 'azul', 2, {}, SOON)
  const page = await open(host)

  // From the end of the game; the coach says how far it is, and then what it found
  await page.goto(`${server.address}/table/${id}`)
  await page.getByRole('link', { name: 'Review', exact: true }).click()
  const played = await host.ask('GET', `/api/games/${id}/replay`)
  await watchProgress(page, played.steps.reduce((sum, step) => sum + step.entry.acts.length, 0))
  await page.locator('.plot').waitFor({ timeout: 240_000 })
  const { report } = await reviewed(host, id)
  const replay = await host.ask('GET', `/api/games/${id}/replay?seat=0`)
  const steps = stepsOf(replay)
  const marks = report.decisions.filter(({ label }) => label)
  assert.equal(report.values.length, steps.length)
  assert.equal(await page.locator('.plot .mark').count(), marks.length)
  assert.ok(marks.length > 2, 'who plays without looking is told so')

  // From mark to mark by keyboard: the board shows the position before the move, and the better one on it.
  // A first move that is marked is shown from the beginning.
  for (const mark of marks.slice(0, 3)) {
    if ((await at(page)) !== steps[mark.number] - 1) await page.keyboard.press('Shift+ArrowRight')
    assert.equal(await at(page), steps[mark.number] - 1)
    assert.match(await page.locator('[aria-current=step]').innerText(), new RegExp(`−${hundredths(mark.loss)}$`))
    await page.getByText(`It cost ${hundredths(mark.loss)} %`).first().waitFor()
    const [source, colour, line] = mark.best
    assert.equal(await page.locator(`.offer [data-at="${source === 'c' ? 'c' : `f${source - 1}`}"][data-c="${colour}"]`).count() > 0, true)
    assert.equal(await page.locator('.line.chosen, .floor.chosen').count(), 1)
    const chosen = await page.locator('.line.chosen, .floor.chosen').getAttribute('aria-label')
    assert.match(chosen, line === '-' ? /Floor line/i : new RegExp(`line ${line}`, 'i'))
  }
  await followLine(page, marks[2])
  await page.getByRole('button', { name: /^Played/ }).click()
  await page.keyboard.press('Shift+ArrowLeft')
  assert.equal(await at(page), steps[marks[1].number] - 1)

  // What is not marked has no better move beside it
  const good = report.decisions.find(({ label, choices, best, played }) => !label && choices > 1 && best !== played)
  if (good) {
    await page.getByRole('slider', { name: 'Position in the game' }).fill(String(steps[good.number] - 2))
    await page.locator('#moment').filter({ hasText: 'a good move' }).waitFor()
    await page.getByText('About as good:').waitFor()
    assert.equal(await page.locator('.moment').getByText(/Better|It cost|Show on/).count(), 0)
  }

  // The plot is in step with the board, by keyboard and by mouse
  await page.keyboard.press('End')
  assert.equal(await at(page), replay.steps.length)
  for (const [seat, share] of report.values.at(-1).entries()) assert.ok((await said(page)).includes(`${['Ilse', 'Tom'][seat]} ${hundredths(share)} %`), await said(page))
  const plot = await page.locator('.plot').boundingBox()
  await page.mouse.click(plot.x + plot.width * 0.3, plot.y + plot.height / 2)
  const middle = await at(page)
  assert.ok(middle > 1 && middle < replay.steps.length)
  await page.locator('.plot input').focus()
  await page.keyboard.press('ArrowRight')
  assert.equal(await at(page), middle + 1)

  // The result adds up, and all of it can be read
  const mine = report.splits[0]
  assert.ok(Math.abs(mine.start + mine.luck - mine.own_losses + mine.others_losses + mine.rest - mine.result) < 0.01)
  await page.getByText('All of it as a table').click()
  await page.locator('details tbody tr').nth(steps.length - 1).waitFor()
  assert.equal(await page.locator('details tbody tr').count(), steps.length)
  await check(page, 'review 1440', problems)
  await page.emulateMedia({ colorScheme: 'dark' })
  await check(page, 'review 1440 dark', problems)

  // Without a network it still opens
  await page.evaluate(() => navigator.serviceWorker.ready)
  await page.reload()
  await page.locator('.plot').waitFor()
  await page.context().setOffline(true)
  await page.reload()
  await page.locator('.plot').waitFor()
  await page.context().setOffline(false)

  // The same game in a link, on a phone of somebody else; and from among my games
  const phone = await open(null, { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, colorScheme: 'dark' })
  await phone.goto(`${server.address}/replay#${replay.short}`)
  await phone.getByRole('link', { name: 'Review' }).click()
  await phone.locator('.plot').waitFor({ timeout: 240_000 })
  assert.equal(await phone.locator('.plot .mark').count(), marks.length)
  await check(phone, 'review 360 dark', problems)

  // On the phone plot and board are seen together, also further down; a tap on the plot moves the board; a line plays by itself
  assert.ok((await seenBelowPlot(phone)) > 300, String(await seenBelowPlot(phone)))
  await phone.evaluate(() => scrollTo(0, 200))
  assert.ok((await seenBelowPlot(phone)) > 300, String(await seenBelowPlot(phone)))
  const before = await at(phone)
  const small = await phone.locator('.plot').boundingBox()
  await phone.touchscreen.tap(small.x + small.width * 0.6, small.y + small.height - 4)
  assert.ok((await at(phone)) > before)
  await phone.emulateMedia({ reducedMotion: 'no-preference' })
  await phone.getByRole('button', { name: 'Next marked move' }).click()
  await phone.getByRole('button', { name: 'Show on the board' }).click()
  await phone.getByText(/^Move 2 of/).waitFor()
  const pause = phone.getByRole('button', { name: 'Pause' })
  if (await pause.isVisible()) await pause.click() // a line of two moves has ended by now
  await phone.locator('.line-controls').getByRole('button', { name: 'Back to the game' }).click()
  await phone.locator('.controls').waitFor()
  await page.goto(`${server.address}/games`)
  await page.getByRole('link', { name: 'Review' }).click()
  await page.locator('.plot').waitFor()
  return marks.length
}

async function puzzles() {
  const ilse = await come(server.address, 'Ilse')
  const page = await open(ilse, { viewport: { width: 1440, height: 900 } })
  const { puzzles } = await ilse.ask('GET', '/api/puzzles')
  const daily = await ilse.ask('GET', '/api/puzzles/daily?title=azul')
  const { solution, steps } = await ilse.ask('POST', `/api/puzzles/${daily.id}/answer`, { move: '' })
  const { best } = solution
  const others = daily.moves.filter((move) => move !== best && !move.startsWith('t'))
  const wrong = others.find((move) => move === solution.tempting) ?? others.find((move) => move[0] !== best[0])

  // The one of the day: a try, what it costs, the solution with its line
  await page.goto(`${server.address}/puzzles`)
  await check(page, 'puzzles', problems)
  await page.locator('a[href="/puzzles/azul"]').click()
  await page.getByRole('heading', { name: 'Puzzle of the day' }).waitFor()
  await check(page, 'puzzle', problems)
  await lay(page, wrong, 'with a look')
  await page.getByText(/That costs/).waitFor()
  await page.getByRole('button', { name: 'Try again' }).click()
  await lay(page, best)
  await page.getByText('✓ That is it!').waitFor()
  assert.equal(await page.locator('.top ol li').count(), steps.length)
  assert.equal(await page.locator('.own .bar').count(), 0)

  // It is remembered, with its day; another one is at hand
  await page.getByRole('link', { name: 'Next puzzle' }).click()
  await page.getByRole('heading', { name: 'Puzzle', exact: true }).waitFor()
  const next = new URL(page.url()).pathname.split('/').at(-1)
  assert.ok(next !== daily.id && puzzles.some(({ id }) => id === next))
  await page.getByRole('button', { name: 'Show the solution' }).click()
  await page.getByText('The solution:').first().waitFor()
  await page.getByRole('link', { name: 'All puzzles' }).click()
  await page.getByText('1 day in a row').waitFor()
  await page.locator('.days').getByText('✓ solved').waitFor()
  await page.locator('.shown').waitFor()

  // In words, on a phone
  const phone = await open(null, { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })
  await phone.addInitScript(() => localStorage.setItem('tessella.settings', JSON.stringify({ renderer: 'text' })))
  await phone.goto(`${server.address}/puzzles/${daily.id}`)
  await phone.getByLabel('Your move').fill(best)
  await phone.keyboard.press('Enter')
  await phone.getByText('Send again to play it.').waitFor()
  await phone.keyboard.press('Enter')
  await phone.getByText('✓ That is it!').waitFor()
  await check(phone, 'puzzle in words', problems)
  return puzzles.length
}

try {
  const marks = await review()
  const count = await puzzles()
  assert.deepEqual(problems.filter((problem) => !known.test(problem)), [])
  console.log(`review: ${marks} marked moves, on the plot, in the list and on the board, offline too; one of ${count} puzzles solved`)
} finally {
  await browser.close()
  server.stop()
}
