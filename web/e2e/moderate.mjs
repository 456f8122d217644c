// Moderators read reports, rename, close and ban; for others the page does not exist. People come by invitation, and get a new password by a link.
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { check } from './people.mjs'
import { sample } from './sample.mjs'
import { openBrowser, serve } from './server.mjs'

const PICTURES = process.env.E2E_PICTURES
if (PICTURES) mkdirSync(PICTURES, { recursive: true })
const PASSWORD = 'four corners of a wall'
const server = await serve()
const club = await serve({ more: ['--registration', 'invitation', '--no-guests'] })
const browser = await openBrowser()
const problems = []

const words = (language) => Object.assign({}, ...['common', 'company', 'people', 'moderate'].map((part) => JSON.parse(readFileSync(new URL(`../src/locales/${language}/${part}.json`, import.meta.url), 'utf8'))))

/** Somebody with a browser of their own. */
async function visitor(name, address, { language = 'en', width = 1440, colorScheme = 'light' } = {}) {
  const context = await browser.newContext({ locale: language, viewport: { width, height: width < 500 ? 740 : 900 }, reducedMotion: 'reduce', colorScheme })
  const page = await context.newPage()
  page.on('pageerror', (error) => problems.push(`${name}: ${error}`))
  await page.goto(`${address}/about`)
  const ask = (method, path, body) =>
    page.evaluate(async ([method, path, body]) => {
      const answer = await fetch(path, { method, headers: { 'content-type': 'application/json' }, body: body && JSON.stringify(body) })
      return answer.json()
    }, [method, path, body])
  return { name, page, ask, t: words(language), to: (path) => page.goto(address + path), close: () => context.close() }
}

async function member(name, options) {
  const one = await visitor(name, server.address, options)
  await one.ask('POST', '/api/session', { name })
  const { id } = await one.ask('POST', '/api/members', { login: name, password: PASSWORD })
  return { ...one, id }
}

async function look({ page, name }, what) {
  await check(page, `${name} ${what}`, problems)
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/moderate-${name}-${what}.png`, fullPage: true })
}

async function moderate(language, width, colorScheme) {
  const options = { language, width, colorScheme }
  const [mona, ann, bert] = [await member(`Mona-${language}`, options), await member(`Ann-${language}`, options), await member(`Bert-${language}`, options)]
  server.admin('people', 'moderator', mona.id)
  const made = await bert.ask('POST', '/api/games', { title: 'azul', seats: [{ kind: 'me' }, { kind: 'open' }] })
  const other = await bert.ask('POST', '/api/games', { title: 'azul', seats: [{ kind: 'me' }, { kind: 'open' }] })
  await ann.ask('POST', `/api/people/${bert.id}/report`, { reason: 'rude', game: made.id })
  await bert.to(`/table/${made.id}`)

  // For everyone else the page does not exist.
  assert.equal((await ann.to('/moderate')).status(), 404)
  await ann.page.getByRole('heading', { name: ann.t['missing.title'] }).waitFor()
  await ann.to(`/people/${bert.id}`)
  await ann.page.getByRole('heading', { name: bert.name }).waitFor()
  assert.equal(await ann.page.getByRole('link', { name: ann.t['people.moderate'] }).count(), 0)

  // From a report to the person.
  const { page, t } = mona
  await mona.to('/account')
  await page.getByRole('link', { name: t['account.moderate'], exact: true }).click()
  await page.getByRole('heading', { name: t['moderate.title'] }).waitFor()
  await page.getByText(t['company.report.rude']).first().waitFor()
  await look(mona, 'reports')
  await page.getByRole('region', { name: t['moderate.reports'] }).getByRole('link', { name: bert.name }).click()
  await page.getByRole('heading', { name: bert.name }).waitFor()
  await look(mona, 'person')
  await page.getByRole('button', { name: t['moderate.close.which'].replace('{table}', other.id) }).click()
  await page.getByText(t['moderate.done.close']).waitFor()
  await page.getByLabel(t['moderate.name'], { exact: true }).fill(`Berta-${language}`)
  await page.getByRole('button', { name: t['moderate.rename'], exact: true }).click()
  await page.getByRole('heading', { name: `Berta-${language}` }).waitFor()

  // A ban: the open table of the banned shows it at once, and so does every other page.
  await page.getByLabel(t['moderate.reason']).fill('rude')
  await page.getByRole('button', { name: t['moderate.ban'], exact: true }).click()
  await page.getByText(t['moderate.done.ban']).waitFor()
  await look(mona, 'banned')
  await bert.page.getByText(bert.t['refused.banned']).waitFor()
  await bert.to('/')
  await bert.page.getByText(bert.t['refused.banned']).waitFor()
  await look(bert, 'ban')
  await page.getByRole('button', { name: t['moderate.unban'] }).click()
  await page.getByText(t['moderate.done.unban']).waitFor()
  await bert.to('/account')
  await bert.page.getByText(`Berta-${language}`).first().waitFor()
  await bert.page.waitForLoadState('networkidle') // nothing that it asks for is refused below
  await page.getByRole('button', { name: t['moderate.sessions'] }).click()
  await page.getByText(t['moderate.done.end-sessions']).waitFor()
  await mona.to('/moderate')
  await page.getByText(t['moderate.act.unban']).first().waitFor()
  await look(mona, 'acts')

  // A new password by a link of the host, which works once.
  const { link } = server.admin('people', 'reset', bert.id)
  await bert.page.goto(link)
  await bert.page.getByLabel(bert.t['account.password.new']).fill('five corners of a wall')
  await look(bert, 'password')
  await bert.page.getByRole('button', { name: bert.t['account.keep'] }).click()
  await bert.page.getByText(bert.t['account.password.kept']).waitFor()
  await bert.page.goto(link)
  await bert.page.getByLabel(bert.t['account.password.new']).fill('six corners of a wall')
  await bert.page.getByRole('button', { name: bert.t['account.keep'] }).click()
  await bert.page.getByText(bert.t['account.no.link']).waitFor()
  await Promise.all([mona, ann, bert].map((one) => one.close()))
}

/** A server by invitation: the account page says so, and a link opens it, once. */
async function invite(language, width) {
  const cara = await visitor(`Cara-${language}`, club.address, { language, width })
  const { page, t } = cara
  await cara.to('/account')
  await page.getByText(t['account.registration.invitation']).waitFor()
  assert.equal(await page.getByLabel(t['account.join'], { exact: true }).count(), 0)
  await look(cara, 'closed')
  const [link] = club.admin('people', 'invite').links
  await page.goto(link)
  await page.getByLabel(t['account.name']).fill(cara.name)
  await page.getByLabel(t['account.loginname']).fill(cara.name)
  await page.getByLabel(t['account.password'], { exact: true }).fill(PASSWORD)
  await look(cara, 'invited')
  await page.getByRole('button', { name: t['account.join.go'] }).click()
  await page.getByText(t['account.member'].replace('{name}', cara.name)).waitFor()
  await cara.close()
}

try {
  for (const [language, width, scheme] of sample([['en', 360, 'dark'], ['nl', 1440, 'light'], ['fr', 360, 'light']])) {
    await moderate(language, width, scheme)
    await invite(language, width)
  }
} finally {
  await browser.close()
  server.stop()
  club.stop()
}
assert.deepEqual(problems, [])
console.log('moderators acted, others saw nothing of it, and people came by invitation')
