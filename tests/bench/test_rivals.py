"""The rivals of the strongest bots: legal, within their time, and their nets are others than the present ones."""

import json
import time
from pathlib import Path
from random import Random

import pytest

from bench import rivals
from bench.__main__ import main
from bench.rivals import duel as duel_rivals
from bench.rivals.azul import dragging, flat, old_net, wide_master
from tessella.bots import Budget, netfile
from tessella.bots.azul import net as nets
from tessella.bots.duel.levels import search
from tessella.games import azul, duel
from tests.bots.azul.test_levels import positions
from tests.bots.duel.test_levels import positions as duel_positions

SECONDS = 0.01


@pytest.mark.parametrize("maker", [flat, dragging, old_net, wide_master])
@pytest.mark.parametrize("config", [azul.Config(2), azul.Config(2, "grey")], ids=str)
def test_a_rival_moves_legally_and_in_time(maker, config):
    choose = maker(azul)
    for view, moves in positions(config, 3, 12):
        begun = time.thread_time()
        assert choose(view, Budget(seconds=SECONDS), Random(1)) in moves
        assert time.thread_time() - begun < 3 * SECONDS + 0.02


@pytest.mark.parametrize(("game", "number"), [("azul", 8), ("duel", 5)])
def test_the_gauntlet_plays_all_of_them(game, number, capsys):
    command = ["gauntlet", "3", "--game", game, "--games", "2", "--seconds", "0.002", "--json", "--at-least", "0"]
    assert main(command) == 0
    found = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert list(found["meetings"]) == list(rivals.RIVALS[game])
    assert len(found["meetings"]) == number


def test_the_old_net_is_another_one():
    old = Path(rivals.__file__).with_name("azul-2-coloured-old.net").read_bytes()
    assert nets.read(old)[1] is not None
    assert old != netfile.find("azul-2-coloured.net") is not None
    assert nets.net_named("nobody.net") is None


def test_the_earlier_bot_of_duel_moves_legally_in_time_and_otherwise():
    choose, present = duel_rivals.earlier(duel), search(duel)
    differs = 0
    for state, seat in list(duel_positions(3))[::9]:
        view, begun = duel.view(state, seat), time.thread_time()
        assert choose(view, Budget(seconds=SECONDS), Random(1)) in duel.legal_moves(state, seat)
        assert time.thread_time() - begun < 3 * SECONDS + 0.02
        moves = [player(view, Budget(nodes=60), Random(1)) for player in (choose, present)]
        differs += moves[0] != moves[1]
    assert differs
