"""Input of a move: by pointing at its parts one after the other, or by typing it.

A move is a list of parts, each a place on the table: the red tiles of factory 3, then line 4. The move_input knows
which parts can come next, which of them the cursor is on, and thereby which whole move is being looked at.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, TypeAlias

from tessella.terminal.tui.canvas import Spot

Parts: TypeAlias = tuple[str, ...]
Direction: TypeAlias = Literal["left", "right", "up", "down"]

_WAYS: Mapping[str, tuple[int, int]] = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
SIDEWAYS_COST = 3
"""The cost of a step sideways, in steps ahead."""


class MoveInput:
    """The legal moves, and the parts chosen so far."""

    def __init__(self, moves: Mapping[str, Parts]) -> None:
        self.moves = moves
        self.chosen: Parts = ()
        self.cursor: str | None = None
        self.typed = ""

    @property
    def open(self) -> list[str]:
        """Return the parts that can be chosen next, in the order of the moves."""
        depth = len(self.chosen)
        following = (parts[depth] for parts in self.moves.values() if parts[:depth] == self.chosen)
        return list(dict.fromkeys(following))

    @property
    def move(self) -> str:
        """Return the complete move that is typed or under the cursor, or nothing."""
        if self.typed:
            return self.typed if self.typed in self.moves else ""
        if self.cursor is None:
            return ""
        looked_at = (*self.chosen, self.cursor)
        return next((text for text, parts in self.moves.items() if parts == looked_at), "")

    def point(self, part: str | None) -> None:
        """Put the cursor on a part, if it can be chosen next."""
        self.typed = ""
        if part is None or part in self.open:
            self.cursor = part

    def pick(self, part: str) -> str:
        """Choose a part; return the move if this was its last part and its preview was already shown."""
        self.typed = ""
        if part not in self.open:
            self._pick_anew(part)
            return ""
        seen, self.cursor = self.cursor == part, part
        if self.move:
            return self.move if seen else ""
        self.chosen, self.cursor = (*self.chosen, part), None
        return ""

    def _pick_anew(self, part: str) -> None:
        """Start again with another first part."""
        if any(parts[0] == part for parts in self.moves.values()):
            self.chosen, self.cursor = (), None
            self.pick(part)

    def back(self) -> bool:
        """Take back what was typed, or the last part; return False if there was nothing."""
        if self.typed:
            self.typed = ""
        elif self.chosen:
            *rest, last = self.chosen
            self.chosen, self.cursor = tuple(rest), last
        elif self.cursor is not None:
            self.cursor = None
        else:
            return False
        return True

    def type(self, letters: str) -> None:
        """Add typed letters."""
        self.typed += letters
        self.chosen, self.cursor = (), None

    def erase(self) -> None:
        """Delete the last typed letter."""
        self.typed = self.typed[:-1]

    def step(self, direction: Direction, spots: Sequence[Spot]) -> None:
        """Move the cursor to the nearest open part in a direction."""
        self.typed = ""
        self.cursor = step(self.cursor, direction, [spot for spot in spots if spot.name in self.open])

    def cycle(self, by: int, order: Sequence[str] = ()) -> None:
        """Move the cursor to the next open part, or back."""
        self.typed = ""
        parts = [part for part in dict.fromkeys(order) if part in self.open] or self.open
        if parts:
            start = parts.index(self.cursor) + by if self.cursor in parts else 0 if by > 0 else -1
            self.cursor = parts[start % len(parts)]


def step(cursor: str | None, direction: Direction, spots: Sequence[Spot]) -> str | None:
    """Return the nearest place in a direction; without a cursor, the first place."""
    here = [spot for spot in spots if spot.name == cursor]
    if not here:
        return spots[0].name if spots else cursor
    ahead, beyond = _WAYS[direction]
    best = min(_distances(here, spots, ahead, beyond), default=None)
    return best[1] if best else cursor


def _distances(here: Iterable[Spot], spots: Iterable[Spot], ahead: int, beyond: int) -> Iterable[tuple[float, str]]:
    here = list(here)
    for spot in spots:
        if spot.name == here[0].name:
            continue
        for origin in here:
            across, down = spot.middle[0] - origin.middle[0], spot.middle[1] - origin.middle[1]
            forward = across * ahead + down * beyond
            sideways = _apart(origin, spot, vertical=bool(ahead))
            if forward > 0.5 and _beyond(origin, spot, ahead, beyond):
                yield forward + SIDEWAYS_COST * sideways, spot.name


def _beyond(origin: Spot, spot: Spot, ahead: int, beyond: int) -> bool:
    """Return whether the whole place lies ahead, not only its middle."""
    if ahead:
        return spot.x >= origin.x + origin.width if ahead > 0 else spot.x + spot.width <= origin.x
    return spot.y >= origin.y + origin.height if beyond > 0 else spot.y + spot.height <= origin.y


def _apart(one: Spot, other: Spot, *, vertical: bool) -> float:
    """Return how far apart two places are sideways; 0 if they overlap."""
    if vertical:
        return 2 * max(0, one.y - other.y - other.height + 1, other.y - one.y - one.height + 1)
    return max(0, one.x - other.x - other.width + 1, other.x - one.x - one.width + 1)
