// Facts of a listed game that its rules line holds.
import type { GameListed } from '../protocol.gen'

export const seatsOf = (game: GameListed): number => Number(/seats=(\d)/.exec(game.rules)?.[1])

/** Return the number of bots; before the game, empty seats are not bots. */
export const botsOf = (game: GameListed): number => (game.status === 'open' ? 0 : Math.max(0, seatsOf(game) - 1 - game.people.length))
