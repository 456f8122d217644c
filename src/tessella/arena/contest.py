"""Who plays whom, on which deals, in which seats.

On every deal the players sit in a circle that is turned until each of them has sat in every seat; the next deal takes
the next circle. Of two players that is a pair of games with the seats swapped; of one against a field of equals, a game
from every seat; of three and more different players, all their orders after a few deals.
"""

import re
from collections.abc import Iterator, Sequence
from importlib import import_module
from itertools import permutations
from random import Random
from typing import cast

from msgspec import Struct

from tessella.bots import Bot, Budget, bot, names
from tessella.core.dice import Dice
from tessella.core.game import AnyGame, BadNotation, Rng, Seat
from tessella.games import GAMES


class Player(Struct, frozen=True):
    """A computer player and how long it may think.

    Written as its name, or `package.module:maker` for one of your own (a function from a game to a bot), and after an
    @ its seconds, its nodes, or both: `greedy`, `search@0.1s`, `search@1000n`, `mine.bots:clever@1s,5000n`.
    """

    name: str
    budget: Budget = Budget()

    def __str__(self) -> str:
        seconds, nodes = self.budget.seconds, self.budget.nodes
        words = [] if seconds is None else [f"{seconds:.6f}".rstrip("0").rstrip(".") + "s"]
        words += [] if nodes is None else [f"{nodes}n"]
        return f"{self.name}@{','.join(words)}" if words else self.name


def read_player(text: str, usual: Budget = Budget()) -> Player:  # noqa: B008  a value that never changes
    """Read a player; who brings no budget gets the usual one.

    >>> read_player("search@0.5s,2000n").budget
    Budget(seconds=0.5, nodes=2000)
    """
    name, at, budget = text.partition("@")
    if not re.fullmatch(r"[\w.]+(:\w+)?", name):
        raise BadNotation(f"{text!r} is not a player; write NAME, NAME@0.1s or NAME@1000n")
    return Player(name, _read_budget(budget) if at else usual)


def _read_budget(text: str) -> Budget:
    found = re.fullmatch(r"(\d+|\d*\.\d+)s(?:,(\d+)n)?|(\d+)n", text)
    seconds, both, alone = found.groups() if found else ("0", None, None)
    nodes = both or alone
    budget = Budget(float(seconds) if seconds else None, int(nodes) if nodes else None)
    if 0 in (budget.seconds, budget.nodes):
        raise BadNotation(f"{text!r} is no time to think; write 0.1s, 1000n or 0.1s,1000n")
    return budget


def make(game: AnyGame, player: Player) -> Bot:
    """The bot itself; a new one for every game, so that nothing is carried over from the last."""
    module, colon, maker = player.name.partition(":")
    try:
        return cast("Bot", getattr(import_module(module), maker)(game)) if colon else bot(game, player.name)
    except KeyError:
        known = ", ".join(names(game))
        raise BadNotation(f"{player.name!r} is no computer player of {game.NAME}; there are {known}") from None
    except (ImportError, AttributeError) as wrong:
        raise BadNotation(f"{player.name!r} is nowhere to be found: {wrong}") from wrong


class Fixture(Struct, frozen=True):
    """One game to be played: a deal, and who sits where. It is the same game wherever and whenever it is played."""

    rules: str
    seed: int
    deal: int
    players: tuple[str, ...]

    @property
    def game(self) -> AnyGame:
        """The game by name."""
        return GAMES[self.rules.partition("/")[0]]

    def dice(self) -> Dice:
        """The deals: they depend neither on who plays nor on what is played."""
        return Dice(f"arena {self.seed}".encode(), f"deal-{self.deal}", self.rules)

    def rng(self, seat: Seat) -> Rng:
        """The random numbers of one bot in one game: nobody else's choices change them."""
        return Random(f"{self.seed} {self.deal} {' '.join(self.players)} {seat}")  # noqa: S311


class Contest(Struct, frozen=True):
    """Some players, as many as there are seats, over a number of deals. The first is the one whom we ask about."""

    rules: str
    seed: int
    players: tuple[str, ...]
    games: int

    def groups(self) -> Iterator[tuple[Fixture, ...]]:
        """The games of each deal, for at least as many games as were asked for."""
        circles = _circles(self.players)
        deal = planned = 0
        while planned < self.games:
            turned = _turned(circles[deal % len(circles)])
            yield tuple(Fixture(self.rules, self.seed, deal, players) for players in turned)
            planned += len(turned)
            deal += 1


def _circles(players: Sequence[str]) -> list[tuple[str, ...]]:
    """Every way to sit in a circle, the first player fixed.

    >>> ["".join(circle) for circle in _circles("abc")], ["".join(circle) for circle in _circles("abbb")]
    (['abc', 'acb'], ['abbb'])
    """
    return list(dict.fromkeys((players[0], *others) for others in permutations(players[1:])))


def _turned(circle: Sequence[str]) -> list[tuple[str, ...]]:
    """The circle with every player in every seat.

    >>> ["".join(players) for players in _turned("abb")]
    ['abb', 'bba', 'bab']
    """
    return list(dict.fromkeys((*circle[turn:], *circle[:turn]) for turn in range(len(circle))))
