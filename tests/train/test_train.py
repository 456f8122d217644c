"""Teaching a net in miniature: its loss falls, its file is read and plays, and the same seed gives the same net."""

import json
from random import Random

import numpy as np
import pytest

from tessella.bots import Budget, bot
from tessella.bots.azul import net as nets
from tessella.bots.netfile import BrokenNet, find
from tessella.cli import main
from tessella.fast.azul import Azul, from_state
from tessella.fast.azul.alphabeta import AlphaBeta
from tessella.fast.phases import DEALING, OVER
from tessella.games import azul
from tessella.train.azul import Plan, Task, play, train
from tessella.train.learn import blank, gradient, loss, widened, win_probabilities
from tessella.train.quantise import quantised, unquantised
from tests.fast.azul.positions import nearly_over

TWO_PERCENT = 20_000
MINIATURE = ["train", "azul", "--games", "400", "--generations", "2", "--nodes", "20", "--epochs", "4", "--seed", "5"]


def silent(things, total, label):
    assert total > 0
    assert label
    return iter(things)


@pytest.fixture(scope="module")
def taught(tmp_path_factory):
    """A net taught by the command, and what it said about it."""
    folder = tmp_path_factory.mktemp("nets")
    return folder, main([*MINIATURE, "--jobs", "2", "--out", str(folder)])


def test_the_command_writes_a_net_and_its_card(taught):
    folder, code = taught
    assert code == 0
    head, _ = nets.read((folder / "azul-2-coloured.net").read_bytes())
    assert head.rules == "azul/1 seats=2 wall=coloured"
    card = (folder / "azul-2-coloured.md").read_text()
    assert "--games 400 --generations 2" in card
    assert head.sha256 not in card  # the card names the file, not its inside
    assert "## Calibration" in card


def test_the_same_seed_gives_the_same_net_in_one_process_and_in_two(taught, tmp_path, capsys):
    folder, _ = taught
    assert main([*MINIATURE, "--jobs", "1", "--out", str(tmp_path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (tmp_path / "azul-2-coloured.net").read_bytes() == (folder / "azul-2-coloured.net").read_bytes()
    assert told["passed"]
    for entropies in told["entropy"]:
        assert entropies[-1] < entropies[0]


def test_what_was_taught_plays_legal_moves_to_the_end(taught):
    folder, _ = taught
    _, net = nets.read((folder / "azul-2-coloured.net").read_bytes())
    search, fast = AlphaBeta(net), Azul(2, seed=1)
    while fast.phase != OVER:
        if fast.phase == DEALING:
            fast.deal()
        else:
            fast.apply(search.think(fast, fast.seat(), 30))
    assert fast.round >= 5


def test_a_net_of_ones_own_plays_as_a_level(taught, monkeypatch):
    folder, _ = taught
    monkeypatch.setenv("TESSELLA_NETS", str(folder))
    nets.net_named.cache_clear()
    try:
        state, _ = azul.apply(azul.setup(azul.Config(2)), azul.deal(azul.setup(azul.Config(2)), Random(1)))
        view = azul.view(state, state.current)
        _, net = nets.read((folder / "azul-2-coloured.net").read_bytes())
        fast = from_state(state)
        expected = fast.to_move(AlphaBeta(net).think(fast, state.current, 300))
        assert bot(azul, "7")(view, Budget(nodes=300), Random(1)) == expected
    finally:
        nets.net_named.cache_clear()


def test_too_few_games_are_rejected(capsys):
    assert main(["train", "azul", "--games", "10"]) == 2
    assert "at least" in capsys.readouterr().err


@pytest.mark.parametrize(("seats", "wall"), [(2, "grey"), (3, "coloured")])
def test_every_table_can_be_taught(seats, wall):
    plan = Plan(azul.Config(seats, wall), seed=1, games=60, generations=1, nodes=10, epochs=3)
    trained = train(plan, map, silent)
    assert trained.passed
    assert nets.read(trained.file)[0].rules == plan.rules


def test_training_starts_from_an_earlier_net_with_narrow_searches(taught, tmp_path):
    folder, _ = taught
    earlier = folder / "azul-2-coloured.net"
    start = ["--start", str(earlier), "--narrow", "--out", str(tmp_path)]
    assert main([*MINIATURE, "--generations", "1", "--jobs", "1", *start]) == 0
    assert "--start azul-2-coloured.net --narrow`" in (tmp_path / "azul-2-coloured.md").read_text()
    assert (tmp_path / "azul-2-coloured.net").read_bytes() != earlier.read_bytes()


@pytest.mark.parametrize("wall", ["coloured", "grey"])
def test_a_net_that_training_starts_from_says_the_same(wall):
    """It may have fewer hidden units; the new ones begin near zero."""
    file = find(f"azul-2-{wall}.net")
    assert file is not None
    head, net = nets.read(file)
    weights = widened(blank(np.random.default_rng(1)), *unquantised(file))
    again = nets.read(quantised(weights, head.rules, 2))[1]
    for seed in range(5):
        state = nearly_over(azul.Config(2, wall), seed)
        searches = [AlphaBeta(each) for each in (net, again)]
        for search in searches:
            search.think(from_state(state), state.current)
        assert searches[0].value == pytest.approx(searches[1].value, abs=TWO_PERCENT)


def positions(games=30):
    return play(Task(Plan(azul.Config(2), 1, games, nodes=10), 7, games, None))


def test_positions_say_how_their_games_ended():
    seen = positions()
    assert np.allclose(seen.wins.sum(axis=1), 1)
    clear = np.abs(seen.scores[:, 0] - seen.scores[:, 1]) > 0
    assert ((seen.wins[:, 0] == 1) == (seen.scores[:, 0] > seen.scores[:, 1]))[clear].all()


def test_the_slopes_are_those_of_the_loss():
    """Each weight moved a little changes the loss as its slope says."""
    seen, weights = positions(), blank(np.random.default_rng(1))
    weights = {name: value.astype(np.float64) for name, value in weights.items()}
    slopes = gradient(weights, seen)
    for name, place in [("alike", (3, 5)), ("alike", (3, 40)), ("shared", (12, 7)), ("bias", (4,)), ("last", (9, 0))]:
        moved = {key: value.copy() for key, value in weights.items()}
        moved[name][place] += 1e-5
        more = full_loss(moved, seen)
        moved[name][place] -= 2e-5
        assert (more - full_loss(moved, seen)) / 2e-5 == pytest.approx(slopes[name][place], abs=2e-4)


def full_loss(weights, seen):
    """What is made smaller: the cross-entropy, and a quarter of the squared error of each margin."""
    from tessella.train.learn import MARGIN_UNIT, forward  # noqa: PLC0415

    said = forward(weights, seen).outputs
    margins = said[:, :, 1] - said[:, :, 1].mean(axis=1, keepdims=True)
    true = (seen.scores - seen.scores.mean(axis=1, keepdims=True)) / MARGIN_UNIT
    entropy = -(seen.wins * np.log(win_probabilities(said))).sum(axis=1).mean()
    return entropy + 0.25 * ((margins - true) ** 2).sum(axis=1).mean()


def test_a_changed_file_is_rejected(taught):
    folder, _ = taught
    whole = (folder / "azul-2-coloured.net").read_bytes()
    for broken in (whole[:-1], b"", b"{}\n", whole.replace(b"tessella net 1", b"tessella net 2")):
        with pytest.raises(BrokenNet):
            nets.read(broken)


def test_losses_before_training_are_those_of_a_uniform_guess():
    seen = positions()
    weights = {name: np.zeros_like(value) for name, value in blank(np.random.default_rng(1)).items()}
    assert loss(weights, seen)[0] == pytest.approx(np.log(2), abs=1e-5)
