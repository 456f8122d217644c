"""Recorded games as they are named on a command line."""

from collections.abc import Iterator
from pathlib import Path

from tessella.core import record, short
from tessella.core.game import AnyGame, BadNotation
from tessella.core.record import Record
from tessella.games import GAMES


def read_game(name: str) -> tuple[AnyGame, Record]:
    """A record from a file, or from the short form of a game."""
    if not Path(name).exists() and short.game_of(name) in GAMES and "." in name:
        game = GAMES[short.game_of(name)]
        return game, short.expand(game, name)
    found = record.read(Path(name).read_text("utf-8"))
    if found.game not in GAMES:
        raise BadNotation(f"{found.game!r} is not a game that we know")
    return GAMES[found.game], found


def game_files(names: list[str]) -> Iterator[Path]:
    """The files of recorded games: those that are named, and those in folders that are named, in order."""
    for path in map(Path, names):
        yield from sorted(path.rglob("*.game")) if path.is_dir() else [path]
