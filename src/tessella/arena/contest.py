"""Contests: which players meet on which deals and in which seats.

On every deal the seating is rotated until each player has sat in every seat; the next deal uses the
next circular order. For two players that is a pair of games with the seats swapped; for one against a field of equals,
a game from every seat; for three or more different players, all their orders after a few deals.
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
from tessella.engine.process import EngineError, started
from tessella.games import GAMES

COMMAND = "cmd:"
"""Begins a player that is an engine in a process of its own."""
BUDGET = r"(\d+|\d*\.\d+)s(?:,(\d+)n)?|(\d+)n"


class Player(Struct, frozen=True):
    """A bot and its budget.

    Written as its name, `package.module:function` for your own (a function that takes a game and returns a bot), or
    `cmd:` and the command of an engine, and after an @ its seconds, its nodes, or both: `greedy`, `search@0.1s`,
    `search@1000n`, `mine.bots:best@1s,5000n`, `cmd:node engine.js@1s`.
    """

    name: str
    budget: Budget = Budget()

    @property
    def command(self) -> str:
        """The command that starts the engine; empty if the bot runs in this process."""
        return self.name.removeprefix(COMMAND) if self.name.startswith(COMMAND) else ""

    def __str__(self) -> str:
        seconds, nodes = self.budget.seconds, self.budget.nodes
        words = [] if seconds is None else [f"{seconds:.6f}".rstrip("0").rstrip(".") + "s"]
        words += [] if nodes is None else [f"{nodes}n"]
        return f"{self.name}@{','.join(words)}" if words else self.name


def read_player(text: str, usual: Budget = Budget()) -> Player:  # noqa: B008  a value that never changes
    """Parse a player; without a budget of its own it gets the usual one.

    >>> read_player("search@0.5s,2000n").budget
    Budget(seconds=0.5, nodes=2000)
    """
    name, at, budget = _parts(text)
    if not re.fullmatch(rf"[\w.]+(:\w+)?|{COMMAND}.*\S.*", name):
        raise BadNotation(f"{text!r} is not a player: write NAME, NAME@0.1s, NAME@1000n or 'cmd:COMMAND'")
    return Player(name, _read_budget(budget) if at else usual)


def _parts(text: str) -> tuple[str, str, str]:
    """Return the name, the @ and the budget; a command may have an @ of its own, which is not followed by a budget."""
    if not text.startswith(COMMAND):
        return text.partition("@")
    name, at, budget = text.rpartition("@")
    return (name, at, budget) if re.fullmatch(BUDGET, budget) and at else (text, "", "")


def _read_budget(text: str) -> Budget:
    found = re.fullmatch(BUDGET, text)
    seconds, both, alone = found.groups() if found else ("0", None, None)
    nodes = both or alone
    budget = Budget(float(seconds) if seconds else None, int(nodes) if nodes else None)
    if 0 in (budget.seconds, budget.nodes):
        raise BadNotation(f"{text!r} is no time to think; write 0.1s, 1000n or 0.1s,1000n")
    return budget


def make(game: AnyGame, player: Player) -> Bot:
    """Return the bot, which is not an engine; a new one for every game, so that nothing carries over."""
    module, colon, maker = player.name.partition(":")
    try:
        return cast("Bot", getattr(import_module(module), maker)(game)) if colon else bot(game, player.name)
    except KeyError:
        known = ", ".join(names(game))
        raise BadNotation(f"there is no bot {player.name!r} for {game.NAME}; choose from {known}") from None
    except (ImportError, AttributeError) as exc:
        raise BadNotation(f"cannot import {player.name!r}: {exc}") from exc


def require_player(game: AnyGame, player: Player) -> None:
    """Raise `BadNotation` unless the player exists and plays the game."""
    if not player.command:
        make(game, player)
        return
    try:
        with started(player.command) as engine:
            titles = engine.introduction.titles
    except EngineError as exc:
        raise BadNotation(f"{player.name!r} is not an engine: {exc}") from None
    if f"{game.NAME}/{game.EDITION}" not in titles:
        raise BadNotation(f"{player.name!r} does not play {game.NAME}/{game.EDITION}; it plays {', '.join(titles)}")


class Fixture(Struct, frozen=True):
    """One game to play: a deal, and who sits where. It is reproducible on any machine."""

    rules: str
    seed: int
    deal: int
    players: tuple[str, ...]

    @property
    def game(self) -> AnyGame:
        """The game that is played."""
        return GAMES[self.rules.partition("/")[0]]

    def dice(self) -> Dice:
        """Return the dice; they depend neither on the players nor on their moves."""
        return Dice(f"arena {self.seed}".encode(), f"deal-{self.deal}", self.rules)

    def rng(self, seat: Seat) -> Rng:
        """Return the random numbers of one bot in one game, independent of the other bots."""
        return Random(f"{self.seed} {self.deal} {' '.join(self.players)} {seat}")  # noqa: S311


class Contest(Struct, frozen=True):
    """One player per seat, over a number of games. The first player is the one being measured."""

    rules: str
    seed: int
    players: tuple[str, ...]
    games: int

    def groups(self) -> Iterator[tuple[Fixture, ...]]:
        """Yield the games of each deal, until there are at least `games` of them."""
        circles = _circles(self.players)
        deal = planned = 0
        while planned < self.games:
            rotations = _rotations(circles[deal % len(circles)])
            yield tuple(Fixture(self.rules, self.seed, deal, players) for players in rotations)
            planned += len(rotations)
            deal += 1


def _circles(players: Sequence[str]) -> list[tuple[str, ...]]:
    """Return every circular order of the players, the first player fixed.

    >>> ["".join(circle) for circle in _circles("abc")], ["".join(circle) for circle in _circles("abbb")]
    (['abc', 'acb'], ['abbb'])
    """
    return list(dict.fromkeys((players[0], *others) for others in permutations(players[1:])))


def _rotations(circle: Sequence[str]) -> list[tuple[str, ...]]:
    """Return all rotations of a circular order.

    >>> ["".join(players) for players in _rotations("abb")]
    ['abb', 'bba', 'bab']
    """
    return list(dict.fromkeys((*circle[turn:], *circle[:turn]) for turn in range(len(circle))))
