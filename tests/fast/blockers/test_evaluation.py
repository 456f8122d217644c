"""What the net is told about a seat is what the readable rules give; its chances are the same compiled and plain."""

from array import array
from random import Random
from statistics import fmean

import pytest

from tessella.bots.blockers.net import net_for
from tessella.core.game import Choose
from tessella.fast.blockers import evaluation as compiled
from tessella.fast.blockers import from_state
from tessella.fast.blockers.evaluation import INPUT_NUMBERS, WEIGHTS, Evaluator
from tessella.games import blockers
from tessella.games.blockers.pieces import CELLS, EMPTY, EVERY_CELL, FACES, NEIGHBOURS, PLAYS, TILES_LEFT, WILD
from tessella.games.blockers.scoring import group_sizes
from tessella.games.blockers.state import colours_of, colours_of_game, group, plays_left, splits, unplayed
from tests.fast.twins import PLAIN
from tests.games.blockers.positions import positions

CONFIGS = [blockers.Config(seats) for seats in (2, 3, 4, 5)] + [blockers.Config(3, "uptown")]
TAME = FACES.replace(WILD, "")


def colour_inputs(state, colour):
    """What the net is told about the tiles of one colour, by name."""
    board = state.board.colours
    stock = state.stocks[colours_of_game(state.config).index(colour)]
    mine = [cell for cell in EVERY_CELL if board[cell] == colour]
    groups = [set(each) for each in {tuple(sorted(group(board, cell))) for cell in mine}]
    beside = {cell: [each for each in groups if each.intersection(NEIGHBOURS[cell])] for cell in EVERY_CELL}
    free = {cell for cell in EVERY_CELL if board[cell] == EMPTY}
    loose = {cell for cell in EVERY_CELL if board[cell] != EMPTY and not splits(board, cell)}
    homes = {cell for cell in free if beside[cell]}
    joins = {cell for cell in free if len(beside[cell]) > 1}
    bridges = {
        cell
        for cell in homes - joins
        for other in free.intersection(NEIGHBOURS[cell])
        if any(each not in beside[cell] for each in beside[other])
    }
    taken = {cell for cell in loose if board[cell] != colour and beside[cell]}
    choices = {face: min(4, len(homes.intersection(CELLS[face]))) for face in TAME}

    def told(faces, unit, homes_of):
        faces = [face for face in faces if face != WILD]
        return {
            "homes": [unit * sum(choices[face] in of for face in faces) for of in homes_of],
            "taken_homes": unit * sum(not choices[face] and not taken.isdisjoint(CELLS[face]) for face in faces),
            "joining": unit * sum(not joins.isdisjoint(CELLS[face]) for face in faces),
            "taken_joins": unit
            * sum(any(len(beside[cell]) > 1 for cell in taken.intersection(CELLS[face])) for face in faces),
            "bridging": unit * sum(not bridges.isdisjoint(CELLS[face]) for face in faces),
        }

    room = [len({cell for cell in free if each.intersection(NEIGHBOURS[cell])}) for each in groups]
    every = told(stock.rack + stock.supply, 1 / 8, [{0}, {1}, {2}, {3}, {4}])
    held = told(stock.rack, 1 / 4, [{0}, {1}, {2, 3, 4}])
    return {
        0: len(groups) / 4,
        4: (unplayed(stock) - TILES_LEFT) / 24,
        **dict(enumerate(every["homes"], 7)),
        12: every["taken_homes"],
        13: len(joins) / 8,
        14: every["joining"],
        15: every["taken_joins"],
        16: every["bridging"],
        17: (WILD in stock.rack + stock.supply) / 8,
        **dict(enumerate(held["homes"], 18)),
        21: held["joining"],
        22: held["taken_joins"],
        23: held["bridging"],
        24: (WILD in stock.rack) / 4,
        25: len(mine) / 16,
        26: len(loose.intersection(mine)) / 8,
        27: group_sizes(board, colour).count(1) / 4,
        28: len(homes) / 16,
        31: held["taken_homes"],
        32: sum(cells == 0 for cells in room) / 4,
        33: sum(0 < cells < 3 for cells in room) / 4,
        34: max(map(len, groups), default=0) / 16,
    }


def standing(state, seat):
    """Points, then captured tiles as a fraction."""
    captured = state.captured[seat][::2]
    groups = sum(len(group_sizes(state.board.colours, colour)) for colour in colours_of(state.config, seat))
    most = max(map(captured.count, colours_of_game(state.config)))
    return groups + (most if state.config.scoring == "blockers" else 0) + len(captured) / 64


def mover_of(state):
    turn = blockers.turn(state)
    assert isinstance(turn, Choose)
    return turn.seats[0]


def seat_inputs(state, seat):
    """What the net is told about a seat."""
    told = [0.0] * INPUT_NUMBERS
    for colour in colours_of(state.config, seat):
        for place, value in colour_inputs(state, colour).items():
            told[place] += value
    captured = state.captured[seat][::2]
    counts = [captured.count(colour) for colour in colours_of_game(state.config)]
    seats = state.config.seats
    told[1] = max(counts) / 4
    told[2] = counts.count(max(counts)) / 4 if captured else 0.0
    told[3] = len(captured) / 8
    told[5] = plays_left(state) / (PLAYS * len(state.stocks))
    told[6] = state.board.colours.count(EMPTY) / 81
    told[29] = (seat - mover_of(state)) % seats / seats
    told[30] = (min(standing(state, other) for other in range(seats) if other != seat) - standing(state, seat)) / 4
    return told


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_the_net_is_told_what_the_readable_rules_give(config):
    for state, _ in list(positions(config, 5))[::6]:
        for seat in range(config.seats):
            assert Evaluator().inputs_of(from_state(state), seat) == pytest.approx(seat_inputs(state, seat))


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_chances_are_the_same_compiled_and_plain(config):
    rng = Random(config.seats)
    net = array("d", (rng.uniform(-1, 1) for _ in range(WEIGHTS)))
    for state, _ in list(positions(config, 8))[::9]:
        found = []
        for module, rules in (
            (compiled, from_state),
            (PLAIN["blockers.evaluation"], PLAIN["blockers.rules"].from_state),
        ):
            evaluator = module.Evaluator()
            evaluator.load_net(net)
            found.append(evaluator.chances_of(rules(state)))
        assert found[0] == found[1]
        assert sum(found[0]) == pytest.approx(1)


def test_a_net_of_another_size_is_refused():
    with pytest.raises(ValueError, match="weights"):
        Evaluator().load_net(array("d", [0.0]))


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_the_shipped_nets_favour_who_will_win(seats):
    """A few laps before the end; who has the fewest points after random moves is rather sure to win."""
    evaluator = Evaluator()
    net = net_for(seats)
    assert net is not None
    evaluator.load_net(net)
    given = []
    for seed in range(20):
        near_end = [state for state, _ in positions(blockers.Config(seats), seed) if plays_left(state) == 3 * seats]
        table = from_state(near_end[0])
        points = table.playouts(40)[3]
        given.append(evaluator.chances_of(table)[points.index(min(points))])
    assert fmean(given) > 1.4 / seats
