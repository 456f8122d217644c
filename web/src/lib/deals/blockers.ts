// Tracks the racks and supplies of Blockers!: what is left in a supply decides what can be drawn.
import type { Below, Follower } from './types'

const COLOURS = 'byrgv'
const FACES = 'ABCDEFGHI123456789shapdcmtow'
const RACK = 5

export function follow(rules: string): Follower {
  return new Blockers(Number(/seats=(\d)/.exec(rules)![1]))
}

class Blockers implements Follower {
  private start: number | null = null
  private plays = 0
  private readonly stocks: { colour: string; rack: string; supply: string }[]

  constructor(private readonly seats: number) {
    const colours = COLOURS.slice(0, seats === 2 ? 4 : seats)
    this.stocks = Array.from(colours, (colour) => ({ colour, rack: '', supply: FACES }))
  }

  async deal(below: Below): Promise<string> {
    if (this.start === null) return `start ${(this.start = await below(this.seats))}`
    const stock = this.stocks.find(({ rack, supply }) => rack.length < RACK && supply)!
    const drawn: string[] = []
    while (stock.rack.length + drawn.length < RACK) {
      const face = stock.supply[await below(stock.supply.length)]!
      stock.supply = stock.supply.replace(face, '')
      drawn.push(face)
    }
    stock.rack += drawn.join('')
    return `${stock.colour}:${drawn.sort((one, other) => FACES.indexOf(one) - FACES.indexOf(other)).join('')}`
  }

  /** Remove the played tile from its rack. With more than two players each has one colour, and they play in turn. */
  play(move: string): void {
    const tile = move.split('@')[0]!
    const seat = (this.start! + this.plays) % this.seats
    const colour = this.seats === 2 ? tile[0] : COLOURS[seat]
    const stock = this.stocks.find((one) => one.colour === colour)!
    stock.rack = stock.rack.replace(tile.at(-1)!, '')
    this.plays += 1
  }
}
