"""The file of `--save`: it is written after every move, so that a game is kept however one leaves."""

import os
from itertools import count
from pathlib import Path

from tessella.core import record
from tessella.core.game import BadNotation
from tessella.core.record import Record
from tessella.text.i18n import Translations


class SaveFile:
    """A file that keeps a game; without a name nothing is kept."""

    def __init__(self, name: str, texts: Translations) -> None:
        self._path = Path(name) if name else None
        self._texts = texts
        self._finished = ""
        """The id of the game that was kept last, if it is over."""
        self.message = ""
        """Says where the game is, once it has been kept."""
        if self._path is not None:
            self._require_writable(self._path)

    def _require_writable(self, path: Path) -> None:
        """Raise `BadNotation` now rather than lose the game later."""
        is_new = not path.exists()
        try:
            with path.open("ab"):
                pass
        except OSError as exc:
            raise BadNotation(self._texts("cannot_save", file=path, why=exc.strerror)) from None
        if is_new:
            path.unlink()

    def keep(self, played: Record) -> None:
        """Write the game; the file always holds a whole one, whatever happens. A rematch gets a file of its own."""
        if self._path is None:
            return
        if self._finished and self._finished != played.id:
            self._path = _next_name(self._path)
        self._finished = played.id if played.seal else ""
        text, path = record.write(played), self._path
        if path.exists() and not path.is_file():  # a device or a pipe
            path.write_text(text, "utf-8")
        else:
            fresh = path.with_name(f".{path.name}.{os.getpid()}")
            fresh.write_text(text, "utf-8")
            fresh.replace(path)
        self.message = self._texts("saved" if played.seal else "saved_unfinished", file=path)


def _next_name(path: Path) -> Path:
    """Return the first free name after this one; a device or a pipe takes one game after the other.

    >>> _next_name(Path("evening.game")), _next_name(Path("evening-2.game"))
    (PosixPath('evening-2.game'), PosixPath('evening-3.game'))
    """
    if path.exists() and not path.is_file():
        return path
    name, _, number = path.stem.rpartition("-")
    base, last = (name, int(number)) if name and number.isdecimal() else (path.stem, 1)
    names = (path.with_name(f"{base}-{each}{path.suffix}") for each in count(last + 1))
    return next(each for each in names if not each.exists())
