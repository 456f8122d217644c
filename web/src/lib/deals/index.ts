// Checks in the browser that the deals of a finished game were fixed before it began. It does not trust the server:
// everything is recomputed from the record, as docs/concepts/fair-dice.md describes.
import { digest, hex, pledge, unhex } from '../dice'
import type { Below, Checked, Facts, Follower, Pledged } from './types'

const FOLLOWERS: Record<string, (rules: string) => Promise<Follower>> = {
  azul: async (rules) => (await import('./azul')).follow(rules),
  duel: async () => (await import('./duel')).follow(),
  blockers: async (rules) => (await import('./blockers')).follow(rules),
}

export function readFacts(record: string): Facts {
  const [head = '', acts = '', foot = ''] = record.replace(/^\n+|\n+$/g, '').split('\n\n')
  const [rules = '', ...lines] = head.split('\n')
  const field = (word: string): string => [...lines, ...foot.split('\n')].find((line) => line.startsWith(`${word} `))?.slice(word.length + 1) ?? ''
  const pledges = lines
    .filter((line) => line.startsWith('pledge '))
    .map((line) => line.split(' '))
    .map(([, seat, pledge, number]): Pledged => ({ seat: Number(seat), pledge: pledge ?? '', number: number ?? '' }))
    .sort((one, other) => one.seat - other.seat)
  const [id, branch, commitment, seed, seal] = [field('id'), field('branch'), field('commitment'), field('seed'), field('seal')]
  return { rules, game: rules.split('/')[0]!, id, branch, commitment, pledges, acts: acts.split('\n').filter(Boolean), seed, seal }
}

/** Return whether a record can be checked: games from links have no seed, and a branch has deals of another game. */
export function canCheck(record: string): boolean {
  const facts = readFacts(record)
  return !!facts.seed && !!facts.commitment && !facts.branch && facts.game in FOLLOWERS
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
  const fair = promised && seal && !dealt.mismatch && pledges.every((one) => one.good)
  return { facts, commitment: promised, pledges, ...dealt, seal, fair }
}

async function checkDeals(facts: Facts, key: Uint8Array): Promise<Pick<Checked, 'deals' | 'good' | 'mismatch'>> {
  const follower = await FOLLOWERS[facts.game]!(facts.rules)
  const deals = facts.acts.filter((act) => act.startsWith('*')).length
  let good = 0
  for (const [act, written] of facts.acts.entries()) {
    if (!written.startsWith('*')) {
      if (!follows(() => follower.play(written))) return { deals, good, mismatch: { act, written, expected: '' } }
      continue
    }
    const expected = await follower.deal(await stream(key, good)).then((deal) => `*${deal}`, () => '')
    if (expected !== written) return { deals, good, mismatch: { act, written, expected } }
    good += 1
  }
  return { deals, good, mismatch: null }
}

/** Return whether a move can be followed; an altered record may contain an impossible one. */
function follows(play: () => void): boolean {
  try {
    play()
    return true
  } catch {
    return false
  }
}

/** Return the random numbers of one deal, by rejection sampling of eight-byte words. */
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
