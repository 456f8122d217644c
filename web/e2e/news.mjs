// News of turns in the account: an address is confirmed by a real mail, a hook gets a test, preferences are kept, and one
// click in a mail ends it all; in three languages, narrow and wide, with a real SMTP server and a real receiver.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { check } from './people.mjs'
import { sample } from './sample.mjs'
import { freePort, openBrowser, serve } from './server.mjs'

const PICTURES = process.env.E2E_PICTURES
if (PICTURES) mkdirSync(PICTURES, { recursive: true })
const python = process.env.PYTHON ?? fileURLToPath(new URL('../../.venv/bin/python', import.meta.url))

// A mail server that prints what it gets, and a receiver that keeps it.
const [mailPort, port] = [await freePort(), await freePort()]
let printed = ''
const mail = spawn(python, ['-u', '-m', 'aiosmtpd', '-n', '-l', `127.0.0.1:${mailPort}`, '-c', 'aiosmtpd.handlers.Debugging', 'stdout'], { stdio: ['ignore', 'pipe', 'inherit'] })
mail.stdout.on('data', (data) => (printed += data))
const got = []
const receiver = createServer((request, answer) => {
  let body = ''
  request.on('data', (data) => (body += data)).on('end', () => {
    got.push({ headers: request.headers, body: JSON.parse(body) })
    answer.writeHead(204).end()
  })
})
await new Promise((ready) => receiver.listen(0, '127.0.0.1', ready))
const hook = `http://127.0.0.1:${receiver.address().port}`
const site = `http://127.0.0.1:${port}`
const more = ['--site', site, '--mail', `smtp+plain://127.0.0.1:${mailPort}`, '--mail-from', 'news@play.test', '--webhook-hosts', hook]
const server = await serve({ at: port, more })
const browser = await openBrowser()
const problems = []

const WORDS = Object.fromEntries(['en', 'nl', 'fr'].map((language) => [language, JSON.parse(readFileSync(new URL(`../src/locales/${language}/people.json`, import.meta.url), 'utf8'))]))

async function until(what, wanted) {
  for (let tries = 0; tries < 200; tries += 1) {
    const found = wanted()
    if (found) return found
    await new Promise((wake) => setTimeout(wake, 100))
  }
  throw new Error(`no ${what}`)
}

/** The last link to a page in the mails that came; lines of a mail may be folded. */
const link = (page) => printed.replaceAll('=\n', '').replaceAll('=3D', '=').match(new RegExp(`${site}/${page}/[\\w-]+`, 'g'))?.at(-1)

async function isAccessible(page, where) {
  await check(page, where, problems)
  if (PICTURES) await page.screenshot({ path: join(PICTURES, `news-${where}.png`), fullPage: true })
}

async function visit(language, width, colorScheme) {
  const words = WORDS[language]
  const where = `${language}-${width}`
  const context = await browser.newContext({ locale: language, viewport: { width, height: 900 }, colorScheme })
  const page = await context.newPage()
  page.on('pageerror', (error) => problems.push(String(error)))
  await page.goto(site)
  await page.evaluate(async (name) => {
    const post = (path, body) => fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
    await post('/api/session', { name })
    await post('/api/members', { login: name, password: 'four corners of a wall' })
  }, `ann-${where}`)
  await page.goto(`${site}/account`)
  const section = page.getByRole('region', { name: words['news.title'] })
  await section.getByText(words['news.none']).waitFor()

  // An address: nothing happens before the link in the mail is followed and its button pressed.
  printed = ''
  await section.getByText(words['news.add'], { exact: true }).click()
  await section.getByLabel(words['news.address']).fill(`ann-${where}@example.org`)
  await isAccessible(page, `${where}-add`)
  await section.getByRole('button', { name: words['news.add.go'], exact: true }).click()
  await section.getByText(words['news.unconfirmed']).waitFor()
  const confirm = await until('mail', () => link('confirm'))
  await page.goto(confirm)
  await isAccessible(page, `${where}-confirm`)
  await page.getByRole('button', { name: words['news.confirm.go'] }).click()
  await page.getByText(words['news.confirm.done']).waitFor()

  // A hook, with its secret and a test that arrives, signed.
  await page.goto(`${site}/account`)
  await section.getByText(words['news.add'], { exact: true }).click()
  await section.getByRole('combobox', { name: words['news.how'], exact: true }).selectOption('json')
  await section.getByLabel(words['news.url.json']).fill('http://10.0.0.1/inside')
  await section.getByRole('button', { name: words['news.add.go'], exact: true }).click()
  await section.getByText(words['news.no.body']).waitFor()
  await section.getByLabel(words['news.url.json']).fill(`${hook}/${where}`)
  await section.getByRole('button', { name: words['news.add.go'], exact: true }).click()
  await section.locator('code').getByText(/^whsec_/).waitFor()
  const mine = section.getByRole('article', { name: new RegExp(`^${words['news.kind.json'].replace(/[()]/g, '\\$&')}`) })
  const before = got.length
  await mine.getByRole('button', { name: words['news.test'] }).click()
  const request = await until('test', () => got[before])
  assert.equal(request.body.type, 'test')
  assert.match(request.headers['webhook-signature'], /^v1,/)

  // Preferences are kept.
  const box = section.getByRole('article', { name: /@example\.org$/ })
  await box.getByText(words['news.when']).click()
  await box.getByRole('combobox', { name: words['news.digest'] }).selectOption({ index: 2 })
  await box.getByRole('combobox', { name: words['news.reminder'] }).selectOption({ index: 3 })
  await box.getByLabel(new RegExp(`^${words['news.quiet'].split(' (')[0]}`)).check()
  await box.getByLabel(words['news.quiet.from'], { exact: true }).fill('23:15')
  await isAccessible(page, `${where}-channels`)
  await box.getByRole('button', { name: words['account.keep'] }).click()
  await section.getByText(words['news.kept']).waitFor()
  const stored = await page.evaluate(() => fetch('/api/me/channels').then((answer) => answer.json()))
  const kept = stored.channels.find((channel) => channel.kind === 'email')
  assert.deepEqual([kept.digest_minutes, kept.reminder_hours, kept.quiet.begins, kept.language], [240, 6, 23 * 60 + 15, language])

  // A test by mail, and one click there ends the mails.
  printed = ''
  await box.getByRole('button', { name: words['news.test'] }).click()
  await page.goto(await until('test mail', () => link('unsubscribe')))
  await isAccessible(page, `${where}-unsubscribe`)
  await page.getByRole('button', { name: words['news.unsubscribe.go'] }).click()
  await page.getByText(words['news.unsubscribe.done']).waitFor()
  await page.goto(`${site}/account`)
  await mine.getByText(words['news.last.sent'].split(':')[0]).waitFor()
  assert.equal(await section.getByRole('article').count(), 1)
  await mine.getByRole('button', { name: new RegExp(`^${words['account.remove']}`) }).click()
  await section.getByText(words['news.none']).waitFor()
  await context.close()
}

try {
  for (const [language, width, scheme] of sample([['en', 360, 'light'], ['en', 1440, 'dark'], ['nl', 360, 'dark'], ['nl', 1440, 'light'], ['fr', 360, 'light'], ['fr', 1440, 'dark']])) await visit(language, width, scheme)
} finally {
  await browser.close()
  server.stop()
  mail.kill()
  receiver.close()
}
assert.deepEqual(problems, [])
console.log('news of turns were set up, tried and ended')
