// Checks in the browser that the deals of a finished game were fixed before it began. Nothing of the server is used:
// everything is computed again from the record, as docs/concepts/fair-dice.md says.
import { digest, hex, pledge, unhex } from './dice'

/** A number from 0 to n − 1: the next of the stream of a deal. */
export type Below = (n: number) => Promise<number>

/** Follows the pieces of one game, for what lies where decides what can be drawn. */
export interface Follower {
  /** What the dice give now, as it is written in a record, without the star. */
  deal(below: Below): Promise<string>
  play(move: string): void
}

export interface Pledged {
  seat: number
  pledge: string
  number: string
}

export interface Facts {
  rules: string
  game: string
  id: string
  commitment: string
  pledges: Pledged[]
  acts: string[]
  seed: string
  seal: string
}

export interface Checked {
  facts: Facts
  /** Whether the seed is the one that was promised. */
  commitment: boolean
  /** Whether each player's number is the one that was promised. */
  pledges: { seat: number; good: boolean }[]
  deals: number
  /** How many deals are as the dice give them, from the first on. */
  good: number
  /** The first deal that is not, if there is one. */
  wrong: { act: number; written: string; thrown: string } | null
  /** Whether the acts are those that were sealed. */
  seal: boolean
  fair: boolean
}

const FOLLOWERS: Record<string, (rules: string) => Promise<Follower>> = {
  azul: async (rules) => (await import('./deals/azul')).follow(rules),
  duel: async () => (await import('./deals/duel')).follow(),
  blockers: async (rules) => (await import('./deals/blockers')).follow(rules),
}

export function readFacts(record: string): Facts {
  const [head = '', acts = '', foot = ''] = record.replace(/^\n+|\n+$/g, '').split('\n\n')
  const [rules = '', ...lines] = head.split('\n')
  const said = (word: string): string => [...lines, ...foot.split('\n')].find((line) => line.startsWith(`${word} `))?.slice(word.length + 1) ?? ''
  const pledges = lines
    .filter((line) => line.startsWith('pledge '))
    .map((line) => line.split(' '))
    .map(([, seat, pledge, number]): Pledged => ({ seat: Number(seat), pledge: pledge ?? '', number: number ?? '' }))
    .sort((one, other) => one.seat - other.seat)
  const [id, commitment, seed, seal] = [said('id'), said('commitment'), said('seed'), said('seal')]
  return { rules, game: rules.split('/')[0]!, id, commitment, pledges, acts: acts.split('\n').filter(Boolean), seed, seal }
}

/** Whether a record shows what is needed: games from links have no seed. */
export function canCheck(record: string): boolean {
  const facts = readFacts(record)
  return !!facts.seed && !!facts.commitment && facts.game in FOLLOWERS
}

export async function check(record: string): Promise<Checked> {
  const facts = readFacts(record)
  const seed = unhex(facts.seed)
  const commitment = hex(await digest('server', facts.id, seed))
  const pledges = await Promise.all(
    facts.pledges.map(async ({ seat, pledge: promised, number }) => ({ seat, good: (await pledge(facts.id, seat, number)) === promised })),
  )
  const added = facts.pledges.flatMap(({ seat, pledge, number }) => [String(seat), unhex(pledge), unhex(number)])
  const transcript = await digest('transcript', facts.rules, facts.id, unhex(commitment), ...added)
  const key = await mac(seed, transcript)
  const seal = hex(await mac(key, await digest('acts', ...facts.acts))) === facts.seal
  const dealt = await checkDeals(facts, key)
  const promised = commitment === facts.commitment
  const fair = promised && seal && !dealt.wrong && pledges.every((one) => one.good)
  return { facts, commitment: promised, pledges, ...dealt, seal, fair }
}

async function checkDeals(facts: Facts, key: Uint8Array): Promise<Pick<Checked, 'deals' | 'good' | 'wrong'>> {
  const follower = await FOLLOWERS[facts.game]!(facts.rules)
  const deals = facts.acts.filter((act) => act.startsWith('*')).length
  let good = 0
  for (const [act, written] of facts.acts.entries()) {
    if (!written.startsWith('*')) {
      if (!follows(() => follower.play(written))) return { deals, good, wrong: { act, written, thrown: '' } }
      continue
    }
    const thrown = await follower.deal(await stream(key, good)).then((deal) => `*${deal}`, () => '')
    if (thrown !== written) return { deals, good, wrong: { act, written, thrown } }
    good += 1
  }
  return { deals, good, wrong: null }
}

/** A record that somebody changed may say what cannot be done. */
function follows(play: () => void): boolean {
  try {
    play()
    return true
  } catch {
    return false
  }
}

/** The numbers of one deal: words of eight bytes; those that would favour some numbers are thrown away. */
export async function stream(key: Uint8Array, deal: number): Promise<Below> {
  const own = await mac(key, new TextEncoder().encode(String(deal)))
  let block = 0n
  let words: bigint[] = []
  const next = async (): Promise<bigint> => {
    if (!words.length) {
      const number = new DataView(new ArrayBuffer(8))
      number.setBigUint64(0, block++)
      const bits = new DataView((await mac(own, new Uint8Array(number.buffer))).buffer)
      words = [0, 8, 16, 24].map((at) => bits.getBigUint64(at))
    }
    return words.shift()!
  }
  return async (n) => {
    const stop = BigInt(n)
    const fair = 2n ** 64n - (2n ** 64n % stop)
    for (;;) {
      const word = await next()
      if (word < fair) return Number(word % stop)
    }
  }
}

async function mac(key: Uint8Array, message: Uint8Array): Promise<Uint8Array> {
  const made = await crypto.subtle.importKey('raw', key.slice(), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', made, message.slice()))
}

/** Take one thing out of a bag that is known by its counts alone; say which kind it was. */
export async function draw(counts: number[], below: Below): Promise<number> {
  let place = await below(counts.reduce((sum, n) => sum + n, 0))
  let kind = 0
  while (place >= counts[kind]!) place -= counts[kind++]!
  counts[kind]! -= 1
  return kind
}

/** Tiles as letters, from their counts. */
export function heap(counts: number[], colours: string): string {
  return counts.map((n, kind) => colours[kind]!.repeat(n)).join('')
}

/** How many tiles of each colour there are among letters. */
export function count(tiles: string, colours: string): number[] {
  return Array.from(colours, (colour) => tiles.split(colour).length - 1)
}
