"""The process in which computer players think: on each line a game, a player and a view; the answer is a move."""

import sys
from random import SystemRandom

from tessella.bots import Budget, bot
from tessella.core import wire
from tessella.games import GAMES
from tessella.terminal.screen.views import VIEWS


def answer(line: str) -> str:
    """The move that a computer player chooses from a view, in notation."""
    name, level, seen = line.split(" ", 2)
    game, view, rng = GAMES[name], wire.decode(seen, VIEWS[name]), SystemRandom()
    move = bot(game, level)(view, Budget(), rng)
    return game.write_move(game.imagine(view, rng), move)


def main() -> None:
    """Answer until nobody asks any more."""
    for line in sys.stdin:
        print(answer(line), flush=True)


if __name__ == "__main__":
    main()
