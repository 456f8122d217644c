// Every page and every table, set up once on a real server; a scene is an address and whom it is seen by.
import { createHash, randomBytes, randomUUID } from 'node:crypto'

const TABLES = [
  ['azul', 2, {}],
  ['azul', 2, { wall: 'grey' }],
  ['azul', 3, {}],
  ['azul', 4, {}],
  ['duel', 2, {}],
  ['blockers', 2, {}],
  ['blockers', 3, {}],
  ['blockers', 4, {}],
  ['blockers', 5, {}],
]
const NAMES = ['Ilse', 'Tom', 'Marguerite van den Berg', 'Oğuz', 'Bartholomeus']
const PLAIN = ['', 'games', 'settings', 'about', 'rules', 'rules/azul', 'rules/duel', 'rules/blockers', 'leaderboard', 'account', 'puzzles', 'puzzles/azul', 'learn', 'learn/azul', 'learn/duel', 'learn/blockers', 'nothing-here']

/** A person with a session of their own, who talks to the server without a browser. */
class Guest {
  constructor(address) {
    this.address = address
    this.cookie = ''
  }
  async ask(method, path, body) {
    const headers = { 'content-type': 'application/json', origin: this.address, cookie: this.cookie }
    const answer = await fetch(this.address + path, { method, headers, body: body && JSON.stringify(body) })
    const cookie = answer.headers.getSetCookie()[0]
    if (cookie) this.cookie = cookie.split(';')[0]
    const said = await answer.json()
    if (!answer.ok) throw new Error(`${method} ${path}: ${JSON.stringify(said)}`)
    return said
  }
  act(id, request) {
    return this.ask('POST', `/api/games/${id}/act`, { request: { ...request, key: randomUUID() } })
  }
  /** For a browser that is to be this person. */
  cookies() {
    const [name, value] = this.cookie.split('=')
    return [{ name, value, url: this.address }]
  }
}

export async function come(address, name) {
  const guest = new Guest(address)
  await guest.ask('POST', '/api/session', { name })
  return guest
}

function digest(...parts) {
  const hash = createHash('sha256')
  for (const part of parts.map((one) => Buffer.from(one))) {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(part.length)
    hash.update(length).update(part)
  }
  return hash.digest('hex')
}

export async function throwDice(guests, id) {
  const numbers = guests.map(() => randomBytes(32))
  for (const [seat, guest] of guests.entries()) await guest.act(id, { type: 'pledge', pledge: digest('client', id, String(seat), numbers[seat]) })
  for (const [seat, guest] of guests.entries()) await guest.act(id, { type: 'reveal', number: numbers[seat].toString('hex') })
}

/** Play until the first guest is to move at a table that is as it is wanted, or to the end. */
async function playOn(guests, id, { wanted, favourite = () => false }) {
  for (let idle = 0; idle < 400; ) {
    let moved = false
    for (const guest of guests) {
      const table = await guest.ask('GET', `/api/games/${id}`)
      if (table.status === 'over' || table.moves.length && guest === guests[0] && wanted(table)) return
      if (!table.moves.length) continue
      const move = table.moves.find(favourite) ?? table.moves[(table.number * 7) % table.moves.length]
      await guest.act(id, { type: 'play', number: table.number, move }).catch(() => undefined)
      moved = true
    }
    idle = moved ? 0 : idle + 1
    if (!moved) await new Promise((wake) => setTimeout(wake, 20))
  }
  throw new Error(`nothing happens at table ${id}`)
}

export async function setTable(address, title, seats, options, until) {
  const guests = []
  for (const name of NAMES.slice(0, seats)) guests.push(await come(address, name))
  const [host, ...others] = guests
  const body = { title, options, seats: guests.map((_, seat) => ({ kind: seat ? 'open' : 'me' })) }
  const { id, invitations } = await host.ask('POST', '/api/games', body)
  for (const [i, guest] of others.entries()) await guest.ask('POST', `/api/games/${id}/join`, { secret: invitations[i].secret })
  await throwDice(guests, id)
  await playOn(guests, id, until)
  return { id, host, guests }
}

const after = (acts) => ({ wanted: (table) => table.number >= acts })
/** A game of Azul that is soon over: everybody fills the first line. */
export const SOON = { favourite: (move) => move.endsWith('1'), wanted: () => false }

/** The coach has looked at a game, or given up. */
export async function reviewed(guest, id) {
  let seen = await guest.ask('POST', `/api/games/${id}/review`)
  while (seen.status === 'waiting' || seen.status === 'working') {
    await new Promise((wake) => setTimeout(wake, 200))
    seen = await guest.ask('GET', `/api/games/${id}/review`)
  }
  return seen
}

/** Games with the coach: few and soon given up, for it looks at every act for a while. */
const REVIEWED = [
  ['azul', 2],
  ['azul', 4],
  ['duel', 2],
  ['blockers', 4],
]

/** Somebody has drawn very many plates: the widest that the offer of Duel can be. */
const DRAWN = { favourite: (move) => move === 'd+', wanted: (table) => table.view.hand.length > 8 }

/** Somebody with a game that is over, one with computer players and one that waits for others. */
async function player(address) {
  const { host } = await setTable(address, 'azul', 2, {}, SOON)
  const bot = { kind: 'bot', level: '2' }
  await host.ask('POST', '/api/games', { title: 'blockers', seats: [{ kind: 'me' }, bot, bot, bot] })
  await host.ask('POST', '/api/games', { title: 'duel', seats: [{ kind: 'me' }, { kind: 'open' }] })
  return host
}

/** Three bots of one level, whose names differ in a number only. */
async function withBots(guest) {
  const bot = { kind: 'bot', level: '2' }
  const { id } = await guest.ask('POST', '/api/games', { title: 'azul', seats: [{ kind: 'me' }, bot, bot, bot] })
  await throwDice([guest], id)
  while (!(await guest.ask('GET', `/api/games/${id}`)).moves.length) await new Promise((wake) => setTimeout(wake, 50))
  return id
}

/** All scenes: [name, path, person]. The tables are in the middle of a game; some are at the end. */
export async function scenes(address, wanted = () => true) {
  const nobody = new Guest(address)
  const ilse = await come(address, 'Ilse')
  const people = { account: ilse, games: wanted('games') ? await player(address) : nobody }
  const found = PLAIN.map((path) => [path.replace('/', '-') || 'home', `/${path}`, people[path] ?? nobody])
  const waiting = await ilse.ask('POST', '/api/games', { title: 'azul', seats: [{ kind: 'me' }, { kind: 'open' }, { kind: 'open' }] })
  found.push(['waiting', `/table/${waiting.id}`, ilse])
  found.push(['join', `/join/${waiting.id}#${waiting.invitations[0].secret}`, nobody])
  for (const [title, seats, options] of TABLES) {
    const name = [title, seats, ...Object.values(options)].join('-')
    if (wanted(`table-${name}`)) {
      const { id, host } = await setTable(address, title, seats, options, after(title === 'azul' ? 25 + 8 * seats : title === 'duel' ? 50 : 16 * seats))
      found.push([`table-${name}`, `/table/${id}`, host], [`watch-${name}`, `/table/${id}`, nobody], [`text-${name}`, `/table/${id}`, host, { renderer: 'text' }])
    }
    if ((wanted(`end-${name}`) || wanted(`replay-${name}`)) && !Object.keys(options).length && seats !== 3) {
      const { id, host } = await setTable(address, title, seats, options, after(Infinity))
      found.push([`end-${name}`, `/table/${id}`, host], [`replay-${name}`, `/replay/${id}`, nobody])
    }
  }
  if (wanted('table-azul-bots')) found.push(['table-azul-bots', `/table/${await withBots(ilse)}`, ilse])
  for (const [title, seats] of REVIEWED.filter(([title, seats]) => wanted(`review-${title}-${seats}`))) {
    const { id, host, guests } = await setTable(address, title, seats, {}, after(24))
    for (const guest of guests) await guest.act(id, { type: 'command', action: 'abort' })
    await reviewed(host, id)
    found.push([`review-${title}-${seats}`, `/review/${id}`, host])
  }
  if (wanted('table-duel-drawn')) {
    const { id, host } = await setTable(address, 'duel', 2, {}, DRAWN)
    found.push(['table-duel-drawn', `/table/${id}`, host])
  }
  return found.filter(([name]) => wanted(name))
}

export const WIDTHS = { 360: 740, 768: 1024, 1440: 900 }
/** The heights of all windows that something is looked at in. */
export const HEIGHTS = { ...WIDTHS, 1024: 768, 1920: 1080, 2560: 1440 }
export const THEMES = ['light', 'dark']
export const LANGUAGES = { en: 'en-GB', nl: 'nl-NL', fr: 'fr-FR', de: 'de-DE', es: 'es-ES', it: 'it-IT' }

/** A browser of a person: everything still, nothing of it kept. */
export async function look(browser, person, { width, theme, language, more = {} }) {
  const phone = width < 700
  const context = await browser.newContext({
    viewport: { width, height: HEIGHTS[width] },
    colorScheme: theme,
    locale: LANGUAGES[language],
    reducedMotion: 'reduce',
    hasTouch: phone,
    isMobile: phone,
    serviceWorkers: 'block',
  })
  if (person.cookie) await context.addCookies(person.cookies())
  await context.addInitScript((kept) => localStorage.setItem('tessella.settings', JSON.stringify(kept)), { language, seen: ['azul', 'duel', 'blockers'], ...more })
  return context
}

/** Go there and wait until it is drawn. */
export async function arrive(page, address) {
  await page.goto(address)
  await page.waitForFunction(() => document.querySelector('main')?.innerText.length > 20 && !document.querySelector('[data-loading]'))
  await page.evaluate(() => document.fonts.ready)
}
