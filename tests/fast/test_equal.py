"""The fast games are the readable games: the same positions after every act of random games, the same perft."""

from pathlib import Path
from random import Random

import pytest

from tessella.core import perft
from tessella.games import GAMES

from .twins import CASES, TWINS, lines_of_play, play_alike

RECORDS = Path(__file__).parents[2] / "records"
SHARE = 5
ALL = 2_000


@pytest.mark.heavy
@pytest.mark.parametrize("games", [SHARE, pytest.param(ALL, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("game", "config"), CASES, ids=str)
def test_random_games_are_alike_after_every_act(game, config, games):
    for seed in range(games):
        play_alike(game, config, Random(f"{game.NAME} {config} {seed}"))


@pytest.mark.parametrize("file", [file for name in TWINS for file in RECORDS.glob(f"{name}/*.perft")], ids=str)
@pytest.mark.parametrize("which", [0, 1], ids=["compiled", "plain"])
def test_perft_files_agree(file, which):
    rules, cases = perft.read(file.read_text())
    name = rules.split("/")[0]
    deepest = 4 if which == 0 else 2
    for case in cases:
        state = GAMES[name].read_state(case.position)
        for depth, count in case.counts:
            if depth <= deepest:
                assert lines_of_play(TWINS[name][which].from_state(state), depth) == count, case.position
