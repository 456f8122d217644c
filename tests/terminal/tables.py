"""A local game as tests like to drive it: any legal move, at any position."""

from msgspec.structs import replace

from tessella.core.record import BotSeat, replay, write_rules
from tessella.local.game import LocalGame, LocalPlayer, open_game, resume_game

NAMES = ("Ann", "Bob", "Cleo", "Dirk", "Eve")


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
