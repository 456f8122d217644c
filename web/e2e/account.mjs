// A guest becomes a member by a passkey, logs out, comes back, and is forgotten; in a real browser with a virtual authenticator.
// A server that has only guests says so.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { check } from './people.mjs'
import { openBrowser, serve } from './server.mjs'

const server = await serve()
const guests = await serve({ without: ['argon2', 'webauthn', 'cryptography'] })
const address = server.address.replace('127.0.0.1', 'localhost') // keys are for names, not for numbers
const browser = await openBrowser()
const problems = []

async function open() {
  const context = await browser.newContext({ locale: 'en-GB' })
  const page = await context.newPage()
  page.on('pageerror', (error) => problems.push(String(error)))
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
  })
  return { page, keys: async () => (await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials }
}

const isAccessible = (page, where) => check(page, where, problems)

const session = (page) => page.evaluate(() => fetch('/api/session').then((answer) => (answer.ok ? answer.json() : null)))

try {
  const { page, keys } = await open()

  // A guest becomes a member by a passkey and stays the same person.
  await page.goto(address)
  await page.evaluate(() => fetch('/api/session', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"name":"Ilse"}' }))
  const guest = await session(page)
  await page.goto(`${address}/account`)
  await page.getByText('You play as a guest: Ilse.').waitFor()
  await isAccessible(page, 'guest')
  await page.getByRole('button', { name: 'Become a member with a passkey' }).click()
  await page.getByText('You are a member: Ilse.').waitFor()
  assert.equal((await session(page)).id, guest.id)
  assert.equal((await keys()).length, 1)
  await page.getByText('Passkey', { exact: true }).waitFor()
  await isAccessible(page, 'member')

  // The only way in cannot be removed.
  await page.getByRole('button', { name: /^Remove: Passkey/ }).click()
  await page.getByText('your only way to log in').waitFor()

  // A password beside it; too short a one is refused by the form, an easy one by the server.
  await page.getByText('Set a user name and a password too').click()
  await page.getByLabel(/^User name/).fill('ilse@example.org')
  await page.getByLabel('New password').fill('aaaaaaaaaaaa')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('not easy to guess').waitFor()
  await page.getByLabel('New password').fill('four corners of a wall')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Password saved.').waitFor()

  // A token and a bot, each shown once.
  await page.getByRole('heading', { name: 'For programs' }).click()
  await page.getByLabel('What it is for').fill('my laptop')
  await page.getByRole('button', { name: 'Make a token' }).click()
  const token = await page.locator('.token code').innerText()
  const played = await fetch(`${server.address}/api/session`, { headers: { authorization: `Bearer ${token}` } })
  assert.equal((await played.json()).id, guest.id)
  await page.getByRole('button', { name: /^Revoke: my laptop/ }).click()
  await page.getByText('None yet.').first().waitFor()
  assert.equal((await fetch(`${server.address}/api/session`, { headers: { authorization: `Bearer ${token}` } })).status, 401)
  await page.getByLabel('Name of the bot').fill('Ilse’s robot')
  await page.getByRole('button', { name: 'Make a bot' }).click()
  await page.getByRole('link', { name: /robot/ }).waitFor()

  // Told of turns: the service of the browser's maker is the only thing that is not real here.
  await page.context().grantPermissions(['notifications'], { origin: address })
  await page.addInitScript(() => {
    let found = null
    const subscribe = async ({ applicationServerKey }) => {
      const { publicKey } = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits'])
      const keys = { p256dh: await crypto.subtle.exportKey('raw', publicKey), auth: new Uint8Array(16).buffer }
      if (applicationServerKey.length !== 65) throw new Error('not a key')
      found = { endpoint: 'https://push.example.org/ilse', getKey: (name) => keys[name], unsubscribe: async () => (found = null) }
      return found
    }
    navigator.serviceWorker.getRegistration = async () => ({ pushManager: { subscribe, getSubscription: async () => found } })
  })
  const endpoints = () => page.evaluate(() => fetch('/api/me/data').then((answer) => answer.json()).then((data) => data.channels.map((one) => one.address)))
  await page.goto(`${address}/settings`)
  const turns = page.getByRole('group', { name: 'Notify me when it is my turn' })
  const answered = () => page.waitForResponse((answer) => answer.url().endsWith('/api/me/push') && answer.ok())
  await Promise.all([answered(), turns.getByRole('radio', { name: 'on' }).check({ force: true })])
  assert.deepEqual(await endpoints(), ['https://push.example.org/ilse'])
  await isAccessible(page, 'settings')
  await Promise.all([answered(), turns.getByRole('radio', { name: 'off' }).check({ force: true })])
  assert.deepEqual(await endpoints(), [])
  await page.goto(`${address}/account`)

  // Out, and in again by the passkey.
  await page.getByRole('button', { name: 'Log out', exact: true }).click()
  await page.waitForURL(address + '/')
  assert.equal(await session(page), null)
  await page.goto(`${address}/account`)
  await page.getByRole('radio', { name: 'Log in' }).check({ force: true })
  await page.getByRole('button', { name: 'Log in with a passkey' }).click()
  await page.getByText('You are a member: Ilse.').waitFor()

  // Somewhere else by the password; a wrong one is refused. Here one sees it and ends it.
  const other = await open()
  await other.page.goto(`${address}/account`)
  await other.page.getByRole('radio', { name: 'Log in' }).check({ force: true })
  await other.page.getByLabel(/^User name/).fill('Ilse@Example.org')
  await other.page.getByLabel('Password').fill('five corners of a wall')
  await other.page.getByRole('button', { name: 'Log in', exact: true }).click()
  await other.page.getByText('The user name or the password is wrong.').waitFor()
  await other.page.getByLabel('Password').fill('four corners of a wall')
  await other.page.getByRole('button', { name: 'Log in', exact: true }).click()
  await other.page.getByText('You are a member: Ilse.').waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Log out everywhere else' }).click()
  await page.getByRole('button', { name: 'Log out everywhere else' }).waitFor({ state: 'detached' })
  assert.equal(await session(other.page), null)

  // Everything that is kept, as a file.
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Download my data' }).click()])
  const data = JSON.parse(readFileSync(await file.path(), 'utf8'))
  assert.equal(data.login, 'ilse@example.org')
  assert.equal(data.bots.length, 1)

  // Forgotten, but not by accident.
  await page.getByText('Delete my account').click()
  const button = page.getByRole('button', { name: 'Delete for good' })
  await page.getByLabel(/to confirm/).fill('delete')
  assert.equal(await button.isEnabled(), false)
  await page.getByLabel(/to confirm/).fill('delete me')
  await button.click()
  await page.waitForURL(address + '/')
  assert.equal(await session(page), null)
  assert.equal((await fetch(`${server.address}/api/people/${guest.id}`)).status, 404)

  // Where there are only guests, nothing is asked for that could not be given.
  await page.goto(`${guests.address}/account`)
  await page.getByRole('heading', { name: 'Guests only' }).waitFor()
  assert.equal(await page.locator('input').count(), 0)
  await isAccessible(page, 'guests only')
  await page.evaluate(() => fetch('/api/session', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"name":"Tom"}' }))
  await page.reload()
  await page.getByText('You play as a guest: Tom.').waitFor()
  await page.getByText('Log out', { exact: true }).click()
  await page.getByText('A guest cannot come back').waitFor()
  assert.equal(await page.getByText('Become a member').count(), 0)
  await page.goto(`${guests.address}/leaderboard`)
  await page.getByText('games between guests are not rated').waitFor()
} finally {
  await browser.close()
  server.stop()
  guests.stop()
}
assert.deepEqual(problems, [])
console.log('an account was made, used and forgotten')
