"""What a table keeps to itself: the dice of a match, and draws that only one seat may read."""

import msgspec
import pytest

from tessella.core import record, wire
from tessella.games import blockers
from tessella.table import views
from tessella.table.history import fold_log
from tessella.table.log import Opened, Sat, Started
from tessella.table.replay import replay_acts, replay_history
from tessella.table.table import Secret

SECRET = Secret(bytes(32))
SEED = SECRET.seed.hex()


def log_of(**terms):
    """The log of a table at which two have sat down."""
    opened = Opened("blockers/1 seats=2 scoring=blockers", "00" * 32, **terms)
    return [(opened, 0.0), *((Sat(seat, f"p{seat}", f"Player {seat}"), 1.0) for seat in range(2))]


def begun(**terms):
    table = fold_log("g", log_of(**terms)).table
    table.fold(table.start(SECRET), 2.0)
    return table


@pytest.mark.parametrize(("match", "seeds"), [("", (SEED,)), ("m", ("", SEED))])
def test_the_dice_of_a_match_are_secret_until_they_are_shown(match, seeds):
    table = begun(dice=match)
    assert table.may_watch(0)
    assert table.may_watch(None) is (not match)
    log = [*log_of(dice=match), (Started(tuple(table.acts)), 2.0), (table.resign(0, SECRET), 3.0)]
    history = fold_log("g", log)
    for seed in seeds:
        over = views.spectator_view(history.table, 4.0, frozenset(), 0).end
        assert over is not None
        assert over.seed == seed
        replayed = record.read(replay_history(history, 0).record)
        assert (replayed.seed.hex(), bool(replayed.seal)) == (seed, bool(seed))
        if not seed:
            history.table.fold(history.table.show(), 5.0)


@pytest.mark.parametrize("viewer", [0, 1])
def test_a_line_shows_a_seat_its_own_draws_only(viewer):
    table = begun()
    before, mover = table.state, table.movers[0]
    move = blockers.write_move(before, blockers.legal_moves(before, mover)[0])
    table.fold(table.play(mover, move, SECRET), 3.0)
    _, draw = table.acts[-2:]
    (step,) = replay_acts(blockers, before, (move, draw), viewer)
    assert (step.entry.number, step.entry.seat, step.movers) == (1, mover, table.movers)
    assert step.entry.acts == (move, draw if viewer == mover else None)
    assert msgspec.json.encode(step.view) == wire.encode(blockers.view(table.state, viewer))
