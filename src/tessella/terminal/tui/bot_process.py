"""A process that runs bots: it reads a game, a bot and a view per line, and answers with a move."""

import sys
from random import SystemRandom

from tessella.bots import Budget, bot
from tessella.core import wire
from tessella.games import GAMES
from tessella.protocol.views import VIEWS


def answer(line: str) -> str:
    """Return the move a bot chooses from a view, in notation."""
    name, level, encoded = line.split(" ", 2)
    game, view, rng = GAMES[name], wire.decode(encoded, VIEWS[name]), SystemRandom()
    move = bot(game, level)(view, Budget(), rng)
    return game.write_move(game.imagine(view, rng), move)


def main() -> None:
    """Answer line by line until the input ends."""
    for line in sys.stdin:
        print(answer(line), flush=True)


if __name__ == "__main__":
    main()
