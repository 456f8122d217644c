"""Batches for learners: what is seen is what the readable game shows, and what is gained is what was won."""

from random import Random

import numpy
import pytest

from tessella.core.game import AnyGame
from tessella.fast.phases import OVER
from tessella.games import GAMES, azul, blockers, duel
from tessella.research import ENCODINGS, BatchEnv, fields
from tessella.research.batch import rewards
from tessella.research.indexed import IndexedTable

CONFIGS = [
    *(pytest.param("azul", azul.Config(seats), id=f"azul-{seats}") for seats in (2, 3, 4)),
    *(pytest.param("azul", azul.Config(seats, "grey"), id=f"azul-{seats}-grey") for seats in (2, 4)),
    *(pytest.param("blockers", blockers.Config(seats), id=f"blockers-{seats}") for seats in (2, 3, 5)),
    pytest.param("duel", duel.Config(), id="duel"),
]


@pytest.mark.parametrize(("name", "config"), CONFIGS)
def test_the_seat_to_move_sees_what_the_readable_game_shows_it(name, config):
    env = BatchEnv(name, 4, config, seed=5)
    game: AnyGame = GAMES[name]
    for _ in range(160):
        for place in range(4):
            table = env.at(place)
            seat = int(env.seats[place])
            assert (env.observations[place] == env.encoding.observe(game.view(table.to_state(), seat))).all()
            own = [move for move in table.moves() if table.to_move(move).seat == seat]
            assert env.masks[place].nonzero()[0].tolist() == sorted(own)
        env.step(env.random)


@pytest.mark.parametrize(("name", "config"), CONFIGS)
def test_nothing_hidden_can_be_seen(name, config):
    game: AnyGame = GAMES[name]
    env = BatchEnv(name, 1, config, seed=6)
    rng = Random(1)
    for _ in range(60):
        seat = int(env.seats[0])
        view = game.view(env.at(0).to_state(), seat)
        again = game.view(game.imagine(view, rng), seat)
        assert (env.observations[0] == env.encoding.observe(again)).all()
        env.step(env.random)


@pytest.mark.parametrize(("name", "config"), CONFIGS)
def test_fields_say_how_long_and_how_great_an_observation_is(name, config):
    env = BatchEnv(name, 16, config, seed=7)
    most = numpy.array(fields.most(env.fields))
    assert env.observations.shape[1] == fields.size(env.fields) == len(most)
    assert [place.start for _, place in fields.places(env.fields)][1:] == [
        place.stop for _, place in fields.places(env.fields)
    ][:-1]
    assert len({field.name for field in env.fields}) == len(env.fields)
    greatest = numpy.zeros(len(most))
    for _ in range(300):
        env.step(env.random)
        greatest = numpy.maximum(greatest, env.observations.max(axis=0))
    assert (greatest <= most).all()
    assert (greatest > 0).mean() > 0.8


@pytest.mark.parametrize(("name", "config"), CONFIGS)
def test_rewards_come_at_the_end_and_follow_the_places(name, config):
    env = BatchEnv(name, 8, config, seed=8)
    ended = 0
    for _ in range(400):
        before = [env.at(place) for place in range(8)]
        moves = env.random.copy()
        env.step(moves)
        assert not env.rewards[env.over == 0].any()
        for place in env.over.nonzero()[0]:
            table = before[place]
            table.apply(int(moves[place]))
            assert table.phase == OVER
            assert tuple(env.places[place]) == table.places()
            assert tuple(env.scores[place]) == table.scores()
            assert env.rewards[place] == pytest.approx(rewards(env.places[[place]])[0])
            assert env.rewards[place].sum() == pytest.approx(0, abs=1e-6)
            assert (env.rewards[place] == env.rewards[place].max()).tolist() == [it == 1 for it in env.places[place]]
            ended += 1
    assert ended > 8


def test_the_same_seed_plays_the_same_games():
    one, two = (BatchEnv("azul", 3, seed=9) for _ in range(2))
    for _ in range(50):
        assert (one.observations == two.observations).all()
        one.step(one.random)
        two.step(two.random)


def test_every_encoding_has_a_version_and_lists_its_actions():
    for name, encoding in ENCODINGS.items():
        assert encoding.VERSION >= 1
        assert encoding.actions(GAMES[name].Config())


@pytest.mark.parametrize(("name", "config"), CONFIGS)
def test_one_table_shows_each_seat_what_the_readable_game_shows_it(name, config):
    table = IndexedTable(name, config, seed=3)
    rng = Random(2)
    for _ in range(120):
        if table.over:
            table.reset(rng.getrandbits(32))
        for seat in range(config.seats):
            view = table.game.view(table.table.to_state(), seat)
            assert (table.observe(seat) == table.encoding.observe(view)).all()
            own = {move for move in table.table.moves() if table.table.to_move(move).seat == seat}
            assert set(table.mask(seat).nonzero()[0].tolist()) == (own if seat == table.seat else set())
        table.act(rng.choice(table.mask(table.seat).nonzero()[0].tolist()))


@pytest.mark.parametrize(("name", "config"), CONFIGS)
def test_saved_tables_can_be_picked_and_loaded_into_another_batch(name, config):
    env = BatchEnv(name, 5, config, seed=4)
    for _ in range(70):
        env.step(env.random)
    search = BatchEnv(name, 40, config)
    search.load(env.save()[[3] * 40])
    assert (search.observations == env.observations[3]).all()
    assert (search.masks == env.masks[3]).all()
    assert (search.seats == env.seats[3]).all()
    assert search.at(39).to_state() == env.at(3).to_state()
    for _ in range(60):
        search.step(search.random)
    assert len({row.tobytes() for row in search.observations}) > 20, "chance differs from table to table"
    with pytest.raises(ValueError, match="expected 40 saved rows"):
        search.load(env.save())


@pytest.mark.parametrize(("name", "config"), CONFIGS)
def test_states_of_the_readable_game_can_be_loaded(name, config):
    env = BatchEnv(name, 3, config, seed=4)
    for _ in range(25):
        env.step(env.random)
    states = [env.at(place).to_state() for place in range(3)]
    other = BatchEnv(name, 3, config)
    other.load_states(states)
    assert (other.observations == env.observations).all()
    assert (other.masks == env.masks).all()
    game: AnyGame = GAMES[name]
    other.load_states([game.setup(config)] * 3)
    assert other.masks.any(axis=1).all(), "the first deal was due, and was made"
    with pytest.raises(ValueError, match="a state for each of 3 tables"):
        other.load_states(states[:2])


def test_a_state_of_other_rules_or_a_finished_game_cannot_be_loaded():
    env = BatchEnv("azul", 1)
    with pytest.raises(ValueError, match="other rules"):
        env.load_states([azul.setup(azul.Config(3))])
    table = IndexedTable("azul")
    while not table.over:
        table.act(int(table.mask(table.seat).argmax()))
    with pytest.raises(ValueError, match="is over"):
        env.load_states([table.table.to_state()])


@pytest.mark.parametrize("kind", [numpy.int64, numpy.int32, numpy.uint64, numpy.uint16])
def test_actions_may_be_integers_of_any_type(kind):
    env, twin = (BatchEnv("azul", 3, seed=2) for _ in range(2))
    twin.step(twin.random.copy())
    env.step(env.random.astype(kind))
    assert (env.observations == twin.observations).all()


def test_actions_out_of_range_are_illegal_and_fractions_are_no_actions():
    env = BatchEnv("azul", 1, seed=2)
    legal = int(env.random[0])
    for action in (-1, legal + 2**16, legal - 2**16, 2**40):
        with pytest.raises(ValueError, match="not legal"):
            env.step(numpy.array([action]))
    with pytest.raises(TypeError, match="must be integers"):
        env.step(numpy.array([float(legal)]))
    strided = numpy.array([legal, 0], numpy.uint16)[::2]
    env.step(strided)


def test_batches_without_a_seed_differ_and_with_one_agree():
    one, two = (BatchEnv("azul", 2) for _ in range(2))
    assert (one.observations != two.observations).any()
    one.reset(7)
    two.reset(7)
    assert (one.observations == two.observations).all()
    one.reset()
    two.reset()
    assert (one.observations == two.observations).all(), "after a seed, resets can be repeated"
