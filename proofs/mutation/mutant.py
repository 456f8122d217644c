"""A mutant: a source file with one small change."""

from hashlib import sha256
from pathlib import Path

from msgspec import Struct

ROOT = Path(__file__).parents[2]
"""The checkout."""


class Edit(Struct, frozen=True):
    """A replacement of some bytes of a source file, and the kind of change it makes."""

    start: int
    end: int
    text: str
    operator: str
    scope: str = ""
    """The function or class that is changed; empty at module level."""
    lines: tuple[int, int] = (0, 0)
    """The first and last line of the changed statement."""


class Mutant(Struct, frozen=True):
    """A change of one file that a test should notice."""

    file: str
    """Relative to the checkout."""
    line: int
    """The first changed line."""
    lines: tuple[int, int]
    """The first and last line of the changed statement: whoever runs one of them may notice."""
    scope: str
    operator: str
    before: str
    """The changed lines as they are, without indentation."""
    after: str
    """The changed lines of the mutant."""
    start: int
    end: int
    text: str
    """What replaces the bytes from `start` to `end`."""
    nth: int = 0
    """The number of earlier mutants that change an equal line in the same way."""
    planted: str = ""
    """The id of a change chosen by hand; empty for a generated one."""
    breaks: str = ""
    """What a planted change breaks."""

    @property
    def source(self) -> str:
        """The whole mutated file."""
        source = (ROOT / self.file).read_bytes()
        return (source[: self.start] + self.text.encode() + source[self.end :]).decode()

    @property
    def key(self) -> str:
        """A short name that stays the same when other lines of the file change."""
        parts = [self.file, self.scope, self.before, self.after, *[str(self.nth)] * (self.nth > 0)]
        return self.planted or sha256("\0".join(parts).encode()).hexdigest()[:12]

    def __str__(self) -> str:
        if self.planted:
            return f"{self.planted} {self.file}: {self.breaks}"
        return f"{self.file}:{self.line} {self.scope or 'module'} [{self.operator}] {self.before}  →  {self.after}"


def apply_edit(file: str, source: bytes, edit: Edit) -> Mutant:
    """Return the mutant that an edit makes of a file."""
    first = source.rfind(b"\n", 0, edit.start) + 1
    last = source.find(b"\n", edit.end)
    last = len(source) if last < 0 else last
    after = source[first : edit.start] + edit.text.encode() + source[edit.end : last]
    return Mutant(
        file=file,
        line=source.count(b"\n", 0, edit.start) + 1,
        lines=edit.lines,
        scope=edit.scope,
        operator=edit.operator,
        before=_one_line(source[first:last]),
        after=_one_line(after),
        start=edit.start,
        end=edit.end,
        text=edit.text,
    )


def _one_line(lines: bytes) -> str:
    return " ".join(lines.decode().split())
