"""Computer players see a view and choose a legal move."""

from random import Random

import pytest

from tessella.bots import METHODS, Budget, bot
from tessella.bots.blockers import heuristic
from tessella.core.game import Chance, Over
from tessella.games import GAMES, azul, blockers
from tests.games.blockers.positions import lay

BLOCKERS = [blockers.Config(2), blockers.Config(5), blockers.Config(3, "uptown")]


def play(game, names, config, rng):
    bots = [bot(game, name) for name in names]
    state = game.setup(config)
    while not isinstance(turn := game.turn(state), Over):
        if isinstance(turn, Chance):
            state, _ = game.apply(state, game.deal(state, rng))
        else:
            seat = turn.seats[-1]
            state, _ = game.apply(state, bots[seat](game.view(state, seat), Budget(), rng))
    return turn


@pytest.mark.heavy
@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize(
    ("game", "config"),
    [("azul", azul.Config(3)), ("azul", azul.Config(3, "grey")), *(("blockers", config) for config in BLOCKERS)],
    ids=str,
)
def test_a_bot_plays_a_whole_game(name, game, config):
    assert isinstance(play(GAMES[game], [name] * config.seats, config, Random(1)), Over)


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("game", "config", "games"),
    [
        ("azul", azul.Config(2), 20),
        ("blockers", blockers.Config(2), 5),
        ("blockers", blockers.Config(3), 10),
        ("blockers", blockers.Config(4), 10),
    ],
    ids=str,
)
def test_greedy_beats_random_nearly_always(game, config, games):
    names = ["greedy"] + ["random"] * (config.seats - 1)
    won = [play(GAMES[game], names, config, Random(seed)).places[0] == 1 for seed in range(games)]
    assert sum(won) >= games - 1


# Blockers!

SCATTERED = "bA@A1 y5@D5 r1@I1"


def values(state, *moves):
    """Return the heuristic values of moves of blue."""
    return [heuristic.move_value(state, blockers.read_move(state, 0, text)) for text in moves]


def test_greedy_blockers_rather_grows_than_starts_a_group_and_rather_starts_one_than_captures():
    grow, start, capture = values(lay(SCATTERED, {"b": "BC5sw"}), "B@B1", "5@F5", "5@D5x")
    assert grow > start > capture


def test_greedy_blockers_joins_groups():
    together, apart = values(lay("b1@A1 b3@A3 b9@A9", {"b": "2BCDE"}), "2@A2", "2@B2")
    assert together > apart


def test_greedy_blockers_minds_only_captures_that_count():
    """After two red tiles a second yellow one adds nothing; after two yellow ones a third adds a point."""
    tiles, racks = "bA@A1 b1@B1 b2@B2 y5@D5", {"b": "5BCDE"}
    free, costly = lay(tiles, racks, "rArByA"), lay(tiles, racks, "yAyBrA")
    assert values(free, "5@D5x")[0] - values(costly, "5@D5x")[0] == pytest.approx(1)
    uptown = [lay(tiles, racks, heap, table="3u") for heap in ("rArByA", "yAyBrA")]
    assert values(uptown[0], "5@D5x") == values(uptown[1], "5@D5x")


def test_greedy_blockers_keeps_the_wild_for_later():
    state = lay(SCATTERED, {"b": "BC5sw"})
    number, wild = values(state, "5@A5", "w@A5")
    assert number > wild


def test_greedy_blockers_puts_aside_anything_but_the_wild():
    state = lay(SCATTERED, {"b": "BC5sw"})
    number, wild = values(state, "5@-", "w@-")
    assert number > wild


@pytest.mark.parametrize("config", BLOCKERS, ids=str)
def test_greedy_blockers_does_not_use_the_racks_of_others(config):
    rng = Random(3)
    state = blockers.setup(config)
    while not isinstance(turn := blockers.turn(state), Over):
        if isinstance(turn, Chance):
            state, _ = blockers.apply(state, blockers.deal(state, rng))
        else:
            (seat,) = turn.seats
            moves = blockers.legal_moves(state, seat)
            worlds = [blockers.imagine(blockers.view(state, seat), rng) for _ in range(2)]
            one, other = ([heuristic.move_value(world, move) for move in moves[::9]] for world in worlds)
            assert one == other
            state, _ = blockers.apply(state, rng.choice(moves))
