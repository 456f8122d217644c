"""A sealed log is small, and every entry is rebuilt from it."""

import random

import pytest
from msgspec.structs import replace

from tessella.core import dice
from tessella.server.store import Logged
from tessella.server.store.sealed import Sealed, Stored, Unsealable, equal, pack, seed_in, unpack
from tessella.table.log import Days, Live, Opened, Sat, Shown, read_entry, write_entry
from tessella.table.table import Secret, Table

GAMES = ("azul/1 seats=2 wall=coloured", "azul/1 seats=4 wall=grey", "duel/1 seats=2", "blockers/1 seats=3")
SEED = bytes(range(32))


class Played:
    """A game at a table of its own, with every kind of entry that a test wants."""

    def __init__(self, rules="azul/1 seats=2 wall=coloured", seed=1, step=lambda rng: rng.expovariate(0.1), **terms):
        self.rng = random.Random(seed)
        self.step = step
        self.secret = Secret(SEED)
        of_dice = terms.get("dice") or "g"
        self.at = 1_763_000_000.123456
        opened = Opened(rules, dice.commitment(of_dice, SEED).hex(), **terms)
        self.table = Table("g", opened, self.at)
        self.log = [Logged(0, "opened", write_entry(opened), self.at)]

    def add(self, entry, key=""):
        self.at += self.step(self.rng)
        self.table.fold(entry, self.at)
        number = len(self.log)
        self.log.append(Logged(number, key or f"key-{number}-{self.rng.random()}", write_entry(entry), self.at))

    def sit(self, *levels):
        for seat, occupant in enumerate(self.table.seats):
            level = levels[seat] if seat < len(levels) else ""
            if not occupant.player:
                player, name = (f"bot:{level}:{seat}", level) if level else (f"p{seat}xY_-9", f"Zoë {seat} \"'\\\n\t|")
                self.add(self.table.sit(seat, player, name, level))
        return self

    def throw(self):
        numbers = {seat: self.rng.randbytes(32) for seat in self.table.people}
        for seat, number in numbers.items():
            self.add(self.table.pledge(seat, dice.pledge(self.table.dice_id, seat, number).hex()))
        for seat, number in numbers.items():
            self.add(self.table.reveal(seat, number.hex()))
        return self

    def play(self, moves=10_000):
        if not self.table.started:
            self.add(self.table.start(self.secret))
        while self.table.status == "playing" and moves:
            moves -= 1
            seat = self.rng.choice(self.table.movers)
            move = self.rng.choice(self.table.game.legal_moves(self.table.state, seat))
            self.add(self.table.play(seat, self.table.game.write_move(self.table.state, move), self.secret))
        return self


def rebuilt(game):
    """The log of a game, sealed and read again, which must be the same."""
    log = unpack(pack("g", game.log))
    assert [(row.number, row.body, row.at) for row in log] == [(row.number, row.body, row.at) for row in game.log]
    assert equal(log, game.log)
    return log


@pytest.mark.parametrize("rules", GAMES)
def test_every_entry_of_a_game_is_rebuilt(rules):
    for seed in range(5):
        game = Played(rules, seed, pace=Live(600.0, 10.0), rated=True).sit().throw().play()
        assert seed_in(rebuilt(game)) == SEED


def test_a_game_of_azul_takes_less_than_800_bytes():
    sizes = [len(pack("g", Played(seed=seed, rated=True).sit().throw().play().log).body) for seed in range(10)]
    assert sum(sizes) / len(sizes) < 800


def test_everything_that_can_happen_at_a_table_is_rebuilt():
    game = Played(before="older", pace=Days(2.0)).sit()
    game.throw()
    game.add(game.table.leave(1))
    game.sit().throw().play(5)
    for entry in (
        lambda table: table.ask(0, "pause"),
        lambda table: table.decline(1),
        lambda table: table.leave(0),
        lambda table: table.come_back(0),
    ):
        game.add(entry(game.table))
    game.play(3)
    game.add(game.table.resign(1, game.secret))
    game.add(game.table.ask(0, "rematch"))
    game.add(game.table.follow("newer"), "rematch")
    log = rebuilt(game)
    assert (log[0].key, log[-1].key, log[5].key) == ("opened", "rematch", "")


def test_games_with_bots_of_a_match_taken_back_and_aborted_are_rebuilt():
    of_match = Played(dice="match").sit("4", "greedy").play()
    of_match.add(Shown())
    taken_back = Played().sit().play(4)
    taken_back.add(taken_back.table.take_back())
    aborted = Played().sit()
    aborted.add(aborted.table.abort(aborted.secret))
    for game in (of_match, taken_back, aborted):
        assert rebuilt(game)
    assert seed_in(taken_back.log) == b""


@pytest.mark.parametrize(
    "step",
    [
        lambda rng: round(rng.expovariate(0.1), 6),
        lambda rng: rng.uniform(-5, 5),
        lambda _rng: 0.0,
        lambda rng: rng.uniform(0, 30) * 86_400,
    ],
)
def test_times_are_exact(step):
    assert rebuilt(Played(step=step).sit().play(20))


def test_a_time_that_would_change_is_noticed():
    game = Played().sit()
    log = [Logged(row.number, row.key, row.body, at) for row, at in zip(game.log, (0.0, 0.1, 0.1 + 0.2), strict=True)]
    assert not equal(unpack(pack("g", log)), log)


def test_what_does_not_follow_from_the_seed_is_kept():
    game = Played().sit().throw().play()
    log = [row.body for row in game.log]
    log[0] = log[0].replace(game.table.terms.commitment, "ab" * 32)
    log[-1] = log[-1].replace(game.table.end.seal, "cd" * 32)
    other = [Logged(row.number, row.key, body, row.at) for row, body in zip(game.log, log, strict=True)]
    assert [row.body for row in unpack(pack("g", other))] == log


def test_a_log_that_cannot_be_read_is_refused_and_a_gap_is_noticed():
    game = Played().sit().play()
    broken = [*game.log[:3], replace(game.log[3], body='{"type":"new"}'), *game.log[4:]]
    for log in (broken, game.log[:0], game.log[1:]):
        with pytest.raises(Unsealable):
            pack("g", log)
    gap = [*game.log[:5], *game.log[6:]]
    assert not equal(unpack(pack("g", gap)), gap)


def test_a_name_is_kept_apart_and_can_be_replaced():
    game = Played().sit().play()
    sealed = pack("g", game.log)
    assert "Zo" not in sealed.body.decode("latin-1")
    struck = Sealed("g", sealed.last, sealed.names.replace("Zoë 1", "deleted"), sealed.body)
    sat = [read_entry(row.body) for row in unpack(struck)[1:3]]
    assert [isinstance(each, Sat) and each.name[:7] for each in sat] == ['Zoë 0 "', "deleted"]


def test_another_form_is_refused():
    sealed = pack("g", Played().sit().play().log)
    with pytest.raises(Unsealable):
        unpack(Sealed("g", sealed.last, sealed.names, b"\x02" + sealed.body[1:]))


def test_the_digest_changes_with_every_entry_time_and_name():
    game = Played().sit().play()
    sealed = pack("g", game.log)
    whole = Stored(None, game.log)
    later = [*game.log[:-1], replace(game.log[-1], at=game.log[-1].at + 1e-6)]
    renamed = Sealed("g", sealed.last, "{}", sealed.body)
    others = [Stored(None, game.log[:-1]), Stored(None, later), Stored(sealed, []), Stored(renamed, [])]
    assert len({each.digest for each in (whole, *others)}) == 5
