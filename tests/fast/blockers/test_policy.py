"""The features of a cell are what the readable rules give, cell by cell."""

from random import Random

import pytest

from tessella.bots.blockers.weights import learned, read, write
from tessella.bots.netfile import BrokenNet
from tessella.fast.blockers import Blockers, from_state
from tessella.fast.blockers.ismcts import InformationSetTree
from tessella.fast.blockers.policy import FEATURES, RolloutPolicy
from tessella.games import blockers
from tessella.games.blockers.pieces import CELLS, EMPTY, EVERY_CELL, FACES, NEIGHBOURS, PLAYS, TILES_LEFT, WILD
from tessella.games.blockers.state import colours_of_game, group, owner_of, plays_left
from tests.games.blockers.positions import positions

CONFIGS = [blockers.Config(seats) for seats in (2, 3, 4, 5)] + [blockers.Config(3, "uptown")]
TAME = FACES.replace(WILD, "")
EXACT = 0.02
"""Values are integers, 1024 units per point: each of a dozen terms may be truncated by one."""


def near(board, cell, colour):
    """The groups of a colour beside a cell."""
    return {min(group(board, other)) for other in NEIGHBOURS[cell] if board[other] == colour}


def features(state, move):
    """The features of a cell by name."""
    board, cell, colour = state.board.colours, move.cell, move.colour
    stock = state.stocks[colours_of_game(state.config).index(colour)]
    to_come = (stock.rack + stock.supply).replace(WILD, "")
    beside = {other for other in EVERY_CELL if board[other] == EMPTY and near(board, other, colour)}
    choices = {face: min(4, len(beside.intersection(CELLS[face]))) for face in TAME}
    gain = {face: 0.5 ** (choices[face] + 1) if face in to_come else 0.0 for face in TAME}
    room = {other: sum(gain[face] for face in TAME if other in CELLS[face]) for other in EVERY_CELL}
    touched, free = near(board, cell, colour), [other for other in NEIGHBOURS[cell] if board[other] == EMPTY]
    opened = [other for other in free if other not in beside]
    there = board[cell]
    captured = state.captured[move.seat][::2]
    most = max(map(captured.count, colours_of_game(state.config)))
    joined = [
        other
        for index, other in enumerate(colours_of_game(state.config))
        if owner_of(state.config, other) != move.seat
        and len(state.stocks[index].rack + state.stocks[index].supply) > TILES_LEFT
        and there != other
        and len(near(board, cell, other)) > 1
    ]
    return {
        "touch": bool(touched),
        "join": len(touched) > 1,
        "near": not touched and any(other in beside for other in free),
        "bridge": len(touched) == 1 and any(near(board, other, colour) - touched for other in free),
        "catch": there != EMPTY,
        "costly": there != EMPTY and state.config.scoring == "blockers" and captured.count(there) == most,
        "lone": there != EMPTY and not near(board, cell, there),
        "block": bool(joined),
        "open": len(opened),
        "room": sum(room[other] for other in opened),
        "lost": -(room[cell] - gain.get(move.face, 0.0)) if touched and there == EMPTY else 0.0,
        "choices": choices.get(move.face, 0),
        "wild": move.face == WILD,
    }


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_the_value_of_a_move_is_the_weighted_sum_of_its_features(config):
    rng = Random(3)
    weighed = 0
    for state, _ in list(positions(config, 7))[::7]:
        weights = [rng.uniform(-2, 2) for _ in range(2 * len(FEATURES))]
        table = from_state(state)
        later = plays_left(state) / (PLAYS * len(state.stocks))
        for number, value in InformationSetTree(table, weights, 0, 1).ranked():
            found = features(state, table.to_move(number))
            now = [late + later * (early - late) for early, late in zip(weights[::2], weights[1::2], strict=True)]
            expected = sum(weight * found[name] for weight, name in zip(now, FEATURES, strict=True))
            assert value == pytest.approx(expected, abs=EXACT), (table.write_move(number), found)
            weighed += 1
    assert weighed > 100


def test_better_weights_win_more():
    """A player with negated weights, among three with learned ones."""
    policy = RolloutPolicy(Blockers(4), learned(4), 5)
    fair, _ = policy.play_games(400)
    policy.set_weights(0, [-weight for weight in learned(4)])
    unfair, rewards = policy.play_games(100)
    assert sum(fair) == pytest.approx(400)
    assert fair[0] > 60
    assert unfair[0] < 3
    assert rewards[0] < min(rewards[1:])


def test_there_are_two_weights_per_feature():
    with pytest.raises(ValueError, match="26 weights"):
        RolloutPolicy(Blockers(4), [0.0], 5)


def test_weights_are_written_as_they_are_read():
    taught = {seats: learned(seats) for seats in (2, 3, 4, 5)}
    assert read(write(taught)) == taught


@pytest.mark.parametrize("file", [b"{", b'{"4": {"touch": [1, 2]}}', b'{"four": {}}', b"[]"])
def test_a_malformed_weights_file_is_refused(file):
    with pytest.raises(BrokenNet):
        read(file)
