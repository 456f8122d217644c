"""A local game as tests like to drive it: any legal move, at any position; styles and consoles to show it with."""

from functools import cache
from random import Random

from msgspec.structs import replace

from tessella.core.record import BotSeat, replay, write_rules
from tessella.local.game import LocalGame, LocalPlayer, open_game, resume_game
from tessella.terminal.console import Console
from tessella.text.i18n import Translations
from tessella.text.style import Style

NAMES = ("Ann", "Bob", "Cleo", "Dirk", "Eve")


def style_of(language="en", names=NAMES, *, colour=False, width=80):
    return Style(Translations(language), names, colour=colour, width=width)


class Script:
    """A console with scripted input that remembers its output."""

    def __init__(self, *lines, watched=False):
        self.lines = list(lines)
        self.said: list[str] = []
        self.console = Console(ask=self.ask, say=self.said.append, watched=watched)

    def ask(self, prompt):
        self.said.append(prompt)
        if not self.lines:
            raise EOFError
        return self.lines.pop(0)

    @property
    def text(self):
        return "\n".join(self.said)


class Seats:
    """A local game, with its moves as values; every seat is a person's until `with_bots`."""

    def __init__(self, game, config, *, seed, id="table", names=NAMES, bots=None):
        options = [word for word in write_rules(game, config).split(" ")[1:] if not word.startswith("seats=")]
        players = [LocalPlayer(name, (bots or {}).get(seat, "")) for seat, name in enumerate(names[: config.seats])]
        self.game = game
        self.local: LocalGame = open_game(game.NAME, players, options, id=id, seed=seed)

    @classmethod
    def of(cls, local: LocalGame):
        table = cls.__new__(cls)
        table.game, table.local = local.table.game, local
        return table

    @property
    def state(self):
        return self.local.table.state

    @property
    def turn(self):
        return self.local.table.turn

    @property
    def seats(self):
        return self.local.table.movers

    @property
    def moves(self):
        return [move for seat in self.seats for move in self.game.legal_moves(self.state, seat)]

    @property
    def steps(self):
        return list(replay(self.game, self.local.record()))

    def play(self, move):
        before, number = len(self.local.steps), self.local.table.number
        text = self.game.write_move(self.state, move)
        table = self.local.table
        self.local._append(table.play(move.seat, text, self.local._secret))
        assert self.local.table.number == number + 1
        return [event for step in self.local.steps[before:] for event in step.applied.events]

    def record(self):
        return self.local.record()


def with_bots(table, bots):
    """Let bots of these levels play some seats from here on; return the game."""
    kept = replace(table.local.saved(), bots=tuple(BotSeat(seat, level) for seat, level in sorted(bots.items())))
    table.local = resume_game(kept)
    return table.local


def positions_of(game, config, seed=0):
    """A game of random moves, position by position."""
    table, rng = Seats(game, config, seed=bytes([seed] * 32)), Random(seed)
    yield table
    while table.seats:
        table.play(rng.choice(table.moves))
        yield table


@cache
def whole_game(game, config, seed=0):
    """The table after a game of random moves; its steps hold every position."""
    *_, table = positions_of(game, config, seed)
    return table
