"""The compiled games answer for every game in records/: after each act they hold the same position."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tessella.core import record, wire
from tessella.core.game import AnyGame
from tessella.games import GAMES

from .twins import TWINS, apply_alike, require_alike, require_same_end

RECORDS = Path(__file__).parents[2] / "records"
GAME_FILES = sorted(RECORDS.rglob("*.game"))
PLAYTHROUGHS = sorted(RECORDS.rglob("*.playthrough"))


def name(path: Path) -> str:
    return str(path.relative_to(RECORDS))


def positions(game: AnyGame, rules: str, acts: list[str]) -> Iterator[tuple[Any, list[Any]]]:
    """Play acts at three tables; yield the position after each, and the twins that hold it."""
    state = game.setup(record.read_rules(game, rules))
    twins = [module.from_state(state) for module in TWINS[game.NAME]]
    require_alike(game, state, twins)
    for text in acts:
        state = apply_alike(game, state, twins, record.read_act(game, state, text))
        yield state, twins
    require_same_end(game, state, twins)


@pytest.mark.heavy
@pytest.mark.parametrize("path", GAME_FILES, ids=name)
def test_a_recorded_game_is_replayed_alike(path):
    found = record.read(path.read_text())
    *_, (_, twins) = positions(GAMES[path.parent.name], found.rules, [*found.acts])
    for twin in twins:
        assert (twin.scores(), twin.places()) == (found.scores, found.places)


@pytest.mark.heavy
@pytest.mark.parametrize("path", PLAYTHROUGHS, ids=name)
def test_a_playthrough_shows_the_table_of_the_compiled_game(path):
    """From the text of the playthrough alone: its acts, and what a spectator sees at intervals."""
    rules, *parts = path.read_text().split("\n\n")
    acts = [re.sub(r"^\d+ | by seat \d$", "", part.splitlines()[0]) for part in parts]
    game = GAMES[path.parent.name]
    compared = 0
    for part, (_, twins) in zip(parts, positions(game, rules.strip(), acts), strict=True):
        for shown in re.findall(r"^  (?:all|spectator): sees (.*)$", part, re.MULTILINE):
            for twin in twins:
                view = replace(game.view(twin.to_state(), None), seat=None)
                assert wire.encode(view).decode() == shown
                compared += 1
    assert compared >= 4
