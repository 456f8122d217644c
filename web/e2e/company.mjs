// People at tables and around them: somebody is away and a bot plays on, phrases are said and muted, a series is counted and
// spectators come along; then they follow, invite, block and report each other, read a profile and look for a game to watch.
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { check } from './people.mjs'
import { sample } from './sample.mjs'
import { openBrowser, serve } from './server.mjs'

const PICTURES = process.env.E2E_PICTURES
if (PICTURES) mkdirSync(PICTURES, { recursive: true })
const server = await serve({ more: ['--bots', '1'] })
const browser = await openBrowser()
const problems = []

const words = (language) => Object.assign({}, ...['common', 'company', 'people'].map((part) => JSON.parse(readFileSync(new URL(`../src/locales/${language}/${part}.json`, import.meta.url), 'utf8'))))
const fill = (text, blanks) => text.replace(/\{(\w+)\}/g, (_, name) => blanks[name])

/** Somebody with a browser of their own, an account, and a way to ask the server directly. */
async function arrive(name, { language = 'en', width = 1440, colorScheme = 'light' } = {}) {
  const context = await browser.newContext({ locale: language, viewport: { width, height: width < 500 ? 740 : 900 }, reducedMotion: 'reduce', colorScheme })
  const page = await context.newPage()
  page.on('pageerror', (error) => problems.push(`${name}: ${error}`))
  await page.goto(`${server.address}/about`)
  const ask = (method, path, body) =>
    page.evaluate(async ([method, path, body]) => {
      const answer = await fetch(path, { method, headers: { 'content-type': 'application/json' }, body: body && JSON.stringify(body) })
      return answer.json()
    }, [method, path, body])
  await ask('POST', '/api/session', { name })
  await ask('POST', '/api/members', { login: name, password: 'four corners of a wall' })
  const { id } = await ask('GET', '/api/session')
  return { name, id, page, ask, t: words(language), to: (path) => page.goto(server.address + path), close: () => context.close() }
}

/** The page is well: at its own width or, where pictures are taken, at both. It is left as it was. */
async function look({ page, name }, what) {
  const before = page.viewportSize()
  for (const width of PICTURES ? [360, 1440] : [before.width]) {
    await page.setViewportSize({ width, height: width < 500 ? 740 : 900 })
    await check(page, `${name} ${what} at ${width}`, problems)
    if (PICTURES) await page.screenshot({ path: `${PICTURES}/company-${name}-${what}-${width}.png` })
  }
  await page.setViewportSize(before)
}

const act = (who, game, request) => who.ask('POST', `/api/games/${game}/act`, { request: { key: crypto.randomUUID(), ...request } })
const resign = (who, game) => act(who, game, { type: 'command', action: 'resign' })

/** A game of two that has begun; its id. */
async function begin(one, other, more = {}) {
  const made = await one.ask('POST', '/api/games', { title: 'azul', seats: [{ kind: 'me' }, { kind: 'open' }], ...more })
  await other.ask('POST', `/api/games/${made.id}/join`, { secret: made.invitations[0].secret })
  await act(one, made.id, { type: 'command', action: 'start' })
  return made.id
}

async function visit(language, width, colorScheme) {
  const tag = `${language}${width}`
  const ann = await arrive(`Ann-${tag}`, { language, width, colorScheme })
  const bert = await arrive(`Bert-${tag}`)
  const cara = await arrive(`Cara-${tag}`, { language, width })
  const { page, t } = ann
  const away = await begin(bert, ann)
  const { moves, number } = await ann.ask('GET', `/api/games/${away}`)
  if (moves.length) await act(ann, away, { type: 'play', number, move: moves[0] })
  const since = Date.now()

  // Phrases: said by one, seen by the other beside the name and in the list; muted, they are not.
  const game = await begin(ann, bert, { rated: true })
  await Promise.all([ann.to(`/table/${game}`), bert.to(`/table/${game}`), cara.to(`/table/${game}`)])
  await page.getByRole('button', { name: t.phrases, exact: true }).click()
  await look(ann, 'phrases')
  await page.getByRole('button', { name: t['phrase.good-luck'] }).click()
  await bert.page.locator('[data-said]').getByText(bert.t['phrase.good-luck']).first().waitFor()
  await bert.page.getByRole('button', { name: bert.t.phrases, exact: true }).click()
  await bert.page.getByRole('button', { name: bert.t['phrase.thanks'] }).click()
  await page.locator('[data-said]').getByText(t['phrase.thanks']).first().waitFor()
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/company-${ann.name}-said.png` })
  await page.getByRole('button', { name: t.phrases, exact: true }).click()
  await page.getByRole('button', { name: fill(t['phrases.mute'], { who: bert.name }) }).click()
  await page.getByRole('button', { name: fill(t['phrases.listen'], { who: bert.name }) }).waitFor()
  assert.equal(await page.locator('#phrases li').count(), 1)
  await page.keyboard.press('Escape')

  // A series: Bert resigns, both play again, the spectator is asked along, and the score stands at the table.
  await resign(bert, game)
  await page.getByRole('region', { name: t['company.with'] }).getByRole('button', { name: fill(t['company.follow.who'], { who: bert.name }) }).click()
  await page.getByRole('button', { name: fill(t['company.unfollow.who'], { who: bert.name }) }).waitFor()
  await look(ann, 'end')
  await page.getByRole('button', { name: t.rematch, exact: true }).click()
  await bert.page.getByRole('button', { name: bert.t['rematch.agree'] }).click()
  await page.waitForURL((url) => !url.pathname.endsWith(game))
  await look(cara, 'along')
  await cara.page.locator('[data-along]').getByRole('link', { name: t['rematch.along.go'] }).click()
  await cara.page.waitForURL((url) => !url.pathname.endsWith(game))
  const second = new URL(page.url()).pathname.split('/').at(-1)
  const start = page.locator('main .board, [data-score]').first()
  await start.waitFor()
  await resign(bert, second)
  await page.locator('[data-series-end]').getByText(`${ann.name} 2`).waitFor()

  // Friends: Ann invites Bert with one click, he sees it at home and sits down.
  const { id: open } = await ann.ask('POST', '/api/games', { title: 'duel', seats: [{ kind: 'me' }, { kind: 'open' }] })
  await ann.to(`/table/${open}`)
  await page.getByRole('button', { name: fill(t['company.invite'], { who: bert.name }) }).click()
  await page.getByText(fill(t['company.invited.sent'], { who: bert.name })).waitFor()
  await look(ann, 'invite')
  await bert.to('/')
  const invited = bert.page.getByText(fill(bert.t['company.invited'], { who: ann.name, game: bert.t['game.duel'] }))
  await invited.waitFor()
  await bert.page.getByRole('region', { name: bert.t['join.title'] }).getByRole('link', { name: bert.t['join.sit'] }).click()
  await bert.page.getByRole('button', { name: bert.t['join.sit'] }).click()
  await bert.page.waitForURL((url) => url.pathname === `/table/${open}`)

  // A profile: form, the course of the rating, the score against you; then report and block.
  const listed = await begin(bert, cara, { listed: true })
  await cara.to(`/table/${listed}`)
  await ann.to('/')
  await page.getByRole('region', { name: t['company.title'] }).getByText(cara.name).waitFor()
  await look(ann, 'home')
  await page.getByRole('link', { name: bert.name, exact: true }).click()
  await page.getByText(fill(t['people.against.score'], { won: 2, lost: 0, tied: 0 })).waitFor()
  await page.getByRole('heading', { name: t['people.form'] }).waitFor()
  await look(ann, 'profile')
  await page.getByRole('button', { name: t['company.report'] }).click()
  await page.getByLabel(t['company.report.stalling']).check()
  await look(ann, 'report')
  await page.getByRole('button', { name: t['company.report.go'] }).click()
  await page.getByText(t['company.report.done']).waitFor()
  await page.getByRole('button', { name: t['company.block'], exact: true }).click()
  await page.getByRole('button', { name: t['company.unblock'] }).waitFor()
  assert.equal((await bert.ask('POST', `/api/people/${ann.id}/follow`)).rule, 'blocked')

  // Watch: the public game is there, the private ones are not; a spectator's page says so.
  await new Promise((wake) => setTimeout(wake, 5_200))
  await ann.to('/watch')
  const row = page.getByRole('link').filter({ hasText: cara.name })
  await row.waitFor()
  assert.equal(await page.locator(`a[href$="/table/${away}"]`).count(), 0)
  await look(ann, 'watch')
  await row.click()
  await page.waitForURL((url) => url.pathname === `/table/${listed}`)
  await resign(bert, listed)

  // A game without a clock: Bert has been away at his turn all the time, and after a minute a bot plays on.
  await new Promise((wake) => setTimeout(wake, since + 17_000 - Date.now()))
  await ann.to(`/table/${away}`)
  await page.locator('[data-away]').getByText(`${bert.name}`).waitFor()
  await look(ann, 'away')
  await page.locator('[data-away]').getByRole('button', { name: t['away.link'] }).click()
  if (language === 'en') {
    await page.locator('[data-away]').getByRole('button', { name: t['away.bot'] }).click({ timeout: 80_000 })
    await page.locator('[data-away]').waitFor({ state: 'detached' })
    await page.getByText(t['turn.yours']).first().waitFor()
    await look(ann, 'substituted')
  } else {
    await page.locator('[data-away]').getByRole('button', { name: t['away.wait'] }).click()
    await page.locator('[data-away]').waitFor({ state: 'detached' })
  }
  await Promise.all([ann, bert, cara].map((one) => one.close()))
}

try {
  for (const [language, width, scheme] of sample([['en', 360, 'dark'], ['nl', 1440, 'light'], ['fr', 360, 'light']])) await visit(language, width, scheme)
} finally {
  await browser.close()
  server.stop()
}
assert.deepEqual(problems, [])
console.log('people were away, spoke, followed, invited, blocked, reported and watched each other')
