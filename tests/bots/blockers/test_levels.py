"""The levels of Blockers!: legal, steady, blind to hidden tiles, and each in its place."""

import time
from random import Random

import pytest

from tessella.bots import Budget, bot, ladder
from tessella.bots.blockers import levels
from tessella.bots.blockers.heuristic import fewest_groups
from tessella.bots.blockers.levels import LEVELS, NET_GAMES, NET_SECONDS, playing_out, search, with_net
from tessella.bots.blockers.weights import COUNTING, learned
from tessella.core.game import Chance, Choose, Over
from tessella.fast.blockers import Blockers, from_state
from tessella.fast.blockers.ismcts import InformationSetTree
from tessella.fast.phases import DEALING, OVER
from tessella.games import blockers
from tessella.games.blockers.events import Tally
from tests.games.blockers.positions import lay, positions

NEVER = 2**62
CONFIGS = [blockers.Config(seats) for seats in (2, 3, 4, 5)] + [blockers.Config(3, "uptown")]


def play(config, bots, budget, seed):
    """A game; gives its end."""
    dice, rngs = Random(seed), [Random(f"{seed} {seat}") for seat in range(config.seats)]
    state = blockers.setup(config)
    while not isinstance(turn := blockers.turn(state), Over):
        if isinstance(turn, Chance):
            act = blockers.deal(state, dice)
        else:
            (seat,) = turn.seats
            act = bots[seat](blockers.view(state, seat), budget, rngs[seat])
            assert act in blockers.legal_moves(state, seat)
        state, _ = blockers.apply(state, act)
    return turn


def test_levels_are_numbered_from_the_weakest_up():
    assert ladder(blockers) == tuple(LEVELS) == tuple("12345678")


@pytest.mark.heavy
@pytest.mark.parametrize("config", CONFIGS, ids=str)
@pytest.mark.parametrize("level", LEVELS)
def test_every_level_plays_legal_moves_to_the_end(level, config):
    bots = [bot(blockers, level)] + [bot(blockers, "1")] * (config.seats - 1)
    assert isinstance(play(config, bots, Budget(nodes=12), 1), Over)


def test_the_same_seed_and_number_of_games_give_the_same_move():
    for state, seat in list(positions(blockers.Config(4), 2))[::7]:
        view = blockers.view(state, seat)
        one, other = (search(blockers)(view, Budget(nodes=100), Random(5)) for _ in range(2))
        assert one == other


@pytest.mark.parametrize(
    ("config", "budget", "is_asked"),
    [
        (blockers.Config(4), Budget(nodes=30), True),
        (blockers.Config(4), Budget(seconds=60, nodes=30), True),
        (blockers.Config(4), Budget(nodes=NET_GAMES + 1), False),
        (blockers.Config(4), Budget(seconds=60, nodes=NET_GAMES + 1), False),
        (blockers.Config(4, "uptown"), Budget(nodes=30), False),
    ],
    ids=str,
)
def test_a_net_is_asked_if_the_budget_is_small(config, budget, is_asked):
    """It has learned the usual scoring only."""
    for maker in (with_net, playing_out):
        moves = [
            tuple(one(blockers)(blockers.view(state, seat), budget, Random(5)) for one in (search, maker))
            for state, seat in list(positions(config, 2))[::11]
        ]
        assert all(one == same for one, same in moves) == (
            is_asked == (maker is with_net) or config.scoring == "uptown"
        )


def test_a_net_is_asked_with_little_time(monkeypatch):
    asked: list[int] = []
    monkeypatch.setattr(levels, "net_for", asked.append)
    state, seat = next(iter(positions(blockers.Config(3), 2)))
    for seconds in (NET_SECONDS, NET_SECONDS + 0.01, None):
        LEVELS["8"](blockers.view(state, seat), Budget(seconds), Random(5))
    assert asked == [3]


def test_level_1_counts_groups_and_forgets_captures():
    forgotten = 0
    for state, seat in list(positions(blockers.Config(4), 4))[::5]:
        for move in blockers.legal_moves(state, seat):
            after: Tally = blockers.preview(state, move).after
            assert fewest_groups(state, move) == -len(after.groups)
            forgotten += after.score > len(after.groups)
    assert forgotten > 0, "captures would have counted"


def test_level_3_has_as_few_points_after_its_move_as_anybody_could():
    for state, seat in list(positions(blockers.Config(4), 4))[::5]:
        after: dict[object, Tally] = {
            move: blockers.preview(state, move).after for move in blockers.legal_moves(state, seat)
        }
        mine = after[bot(blockers, "3")(blockers.view(state, seat), Budget(), Random(1))]
        fewest = min(other.score for other in after.values())
        assert mine.score == fewest
        assert sum(mine.captured) == min(sum(other.captured) for other in after.values() if other.score == fewest)


def test_levels_4_and_5_weigh_moves_by_points_alone():
    """With one game to imagine they make a move that is best by points, whatever else it prepares."""
    for state, seat in list(positions(blockers.Config(4), 6))[::9]:
        table = from_state(state)
        ranked = InformationSetTree(table, COUNTING, 1, 1).ranked()
        best = {table.to_move(move) for move, value in ranked if value == ranked[0][1]}
        assert bot(blockers, "4")(blockers.view(state, seat), Budget(nodes=1), Random(1)) in best


def hidden_pairs(pairs):
    """Positions, and the same with other tiles wherever the seat to move cannot see."""
    found = seed = 0
    while found < pairs:
        config = CONFIGS[seed % len(CONFIGS)]
        for state, seat in positions(config, seed):
            other = blockers.imagine(blockers.view(state, seat), Random(found))
            if other != state and found < pairs:
                found += 1
                yield state, other, seat
        seed += 1


def require_equal_moves(pairs, level):
    for state, other, seat in hidden_pairs(pairs):
        moves = [
            bot(blockers, level)(blockers.view(each, seat), Budget(nodes=30), Random(7)) for each in (state, other)
        ]
        assert moves[0] == moves[1]


@pytest.mark.heavy
@pytest.mark.parametrize("level", LEVELS)
def test_equal_views_give_equal_moves_whatever_is_hidden(level):
    require_equal_moves(20, level)


@pytest.mark.slow
@pytest.mark.parametrize("level", ["7", "8"])
def test_a_thousand_equal_views_give_equal_moves(level):
    require_equal_moves(1000, level)


def play_against_greedy(seats, mine, seed):
    """A game at a fast table, one search of 160 games a move against greedy ones; gives what it won."""
    table, rng = Blockers(seats, seed=seed), Random(seed)
    while table.phase != OVER:
        if table.phase == DEALING:
            table.deal()
        else:
            thinker = InformationSetTree(table, learned(seats), rng.getrandbits(64), 200)
            table.apply(thinker.choose(160, NEVER) if table.seat() == mine else thinker.ranked()[0][0])
    return (table.places()[mine] == 1) / table.places().count(1)


@pytest.mark.heavy
@pytest.mark.parametrize(
    "seats", [pytest.param(2, marks=pytest.mark.slow), 3, 4, pytest.param(5, marks=pytest.mark.slow)]
)
def test_a_short_search_wins_more_than_par_against_greedy_bots(seats):
    """Expected far above; of so few games we ask only for what an equal player would hardly reach."""
    games = 8 * seats
    won = sum(play_against_greedy(seats, game % seats, 100 + game // seats) for game in range(games))
    assert won > 1.5 * games / seats


def test_thinking_takes_the_time_it_is_given_and_not_twice_that():
    took = []
    for state, seat in list(positions(blockers.Config(4), 3))[:60:6]:
        began = time.thread_time()
        bot(blockers, "8")(blockers.view(state, seat), Budget(seconds=0.05), Random(1))
        took.append(time.thread_time() - began)
    assert min(took) > 0.04
    assert max(took) < 0.12


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_reading_the_last_lap_takes_less_than_twice_its_time(seats):
    """From one lap before the end, where there are more lines of play than can be read, to the last move."""
    for state, seat in list(positions(blockers.Config(seats), 5))[-6:]:
        began = time.thread_time()
        bot(blockers, "8")(blockers.view(state, seat), Budget(seconds=0.04), Random(1))
        assert time.thread_time() - began < 0.08


# The search


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_the_last_move_wins_if_any_does(config):
    """Nothing is hidden and nobody answers."""
    for seed in range(10):
        state, seat = list(positions(config, seed))[-1]
        best = max(share(state, move, seat) for move in blockers.legal_moves(state, seat))
        chosen = search(blockers)(blockers.view(state, seat), Budget(nodes=100), Random(1))
        assert share(state, chosen, seat) == best


@pytest.mark.heavy
@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_two_plays_before_the_end_the_search_finds_the_answer(config):
    """Nothing is hidden: the move chosen leaves what the best one leaves, if the other seat answers for itself."""
    for seed in range(2):
        state, seat = list(positions(config, seed))[-2]
        chosen = search(blockers)(blockers.view(state, seat), Budget(nodes=100_000), Random(1))
        hopes: dict[object, float] = {move: prospects(state, move)[seat] for move in blockers.legal_moves(state, seat)}
        assert hopes[chosen] == pytest.approx(max(hopes.values()))


def prospects(state, move):
    """What the search should think that each seat wins by a move, when at most one other is still to come."""
    after, _ = blockers.apply(state, move)
    turn = blockers.turn(after)
    if isinstance(turn, Over):
        return [hope(after, turn, seat) for seat in range(state.config.seats)]
    assert isinstance(turn, Choose)
    (other,) = turn.seats
    return max((prospects(after, answer) for answer in blockers.legal_moves(after, other)), key=lambda won: won[other])


def hope(state, over, seat):
    """One half for the win, the other for how far the best other is behind: six points ahead to six behind."""
    keys = [score + len(state.captured[each]) / 128 for each, score in enumerate(over.scores)]
    lead = min(key for each, key in enumerate(keys) if each != seat) - keys[seat]
    won = (over.places[seat] == 1) / over.places.count(1)
    return 0.5 * won + 0.5 * min(1.0, max(0.0, 0.5 + lead / 12))


def share(state, move, seat):
    """What a seat wins with the last move of the game."""
    after, _ = blockers.apply(state, move)
    over = blockers.turn(after)
    assert isinstance(over, Over)
    return (over.places[seat] == 1) / over.places.count(1)


def test_a_tile_that_joins_three_groups_is_tried_most():
    state = lay("b1@A1 b3@A3 b2@B2 y5@D5 r1@I1", {"b": "A8dht"}, played=20)
    table = from_state(state, 1)
    thinker = InformationSetTree(table, learned(state.config.seats), 3, 1000)
    assert table.write_move(thinker.choose(400, NEVER)).endswith("@A2")
    assert sum(visits for _, visits, _ in thinker.tried()) == 400
