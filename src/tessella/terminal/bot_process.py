"""A process that runs bots: it reads one turn of a bot per line, and answers with a move."""

import sys

from tessella.core import wire
from tessella.games import GAMES
from tessella.local.game import BotTurn, choose_move
from tessella.protocol.views import view_type


def answer(line: str) -> str:
    """Return the move a bot chooses, in notation."""
    title, seat, level, number, rng_seed, encoded = line.split(" ", 5)
    view = wire.decode(encoded, view_type(GAMES[title]))
    return choose_move(BotTurn(title, int(seat), level, view, int(number), int(rng_seed)))


def main() -> None:
    """Answer line by line until the input ends."""
    for line in sys.stdin:
        print(answer(line), flush=True)


if __name__ == "__main__":
    main()
