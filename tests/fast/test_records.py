"""The compiled games answer for every game in records/: after each act they hold the same position."""

from pathlib import Path
from random import Random

import pytest

from tessella.core import record
from tessella.games import GAMES

from .twins import play_on

RECORDS = Path(__file__).parents[2] / "records"


@pytest.mark.heavy
@pytest.mark.parametrize("path", sorted(RECORDS.rglob("*.game")), ids=lambda path: str(path.relative_to(RECORDS)))
def test_a_recorded_game_is_replayed_alike(path):
    game, found = GAMES[path.parent.name], record.read(path.read_text())
    play_on(game, game.setup(record.read_rules(game, found.rules)), Random(0), found.acts)
