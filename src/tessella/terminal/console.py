"""Input and output of the plain-text commands: the console, and recorded games named on the command line."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec import Struct

from tessella.core import link, record
from tessella.core.game import AnyGame, BadNotation
from tessella.core.notation import decode_text
from tessella.core.record import Record
from tessella.games import GAMES


class Console(Struct, frozen=True):
    """A terminal, a pipe or a test; `watched` says whether a person is there who can be asked to confirm."""

    ask: Callable[[str], str]
    say: Callable[[str], None]
    watched: bool

    def clear(self) -> None:
        """Clear the screen, so that the next person does not see what the last one saw."""
        self.say("\x1b[2J\x1b[3J\x1b[H" if self.watched else "\n" * 3)


def console() -> Console:
    """Return the console of this process."""
    return Console(ask=input, say=print, watched=sys.stdin.isatty() and sys.stdout.isatty())


def read_game(name: str) -> tuple[AnyGame, Record]:
    """Read a game from a file, or from its one-line form."""
    if not Path(name).exists() and link.game_of(name) in GAMES and "." in name:
        game = GAMES[link.game_of(name)]
        return game, link.expand(game, name)
    found = record.read(decode_text(Path(name).read_bytes(), name))
    if found.game not in GAMES:
        raise BadNotation(f"{found.game!r} is not a known game; choose from {', '.join(GAMES)}")
    return GAMES[found.game], found


def game_files(names: list[str]) -> Iterator[Path]:
    """Yield the named files and, for each named folder, the recorded games in it, sorted."""
    for path in map(Path, names):
        yield from sorted(path.rglob("*.game")) if path.is_dir() else [path]
