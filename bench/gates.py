"""The results of the gates of a run: reached, missed, or not judged because the run was inconclusive."""

import os
from collections.abc import Mapping

from msgspec import Struct

MAX_LOAD = 3.0
"""From this load average on, wall-clock times depend more on the machine than on us."""


class GateResults(Struct, frozen=True):
    """The gates that were missed, and those that were not judged, each with the reason."""

    missed: tuple[str, ...] = ()
    not_judged: Mapping[str, str] = {}

    @property
    def passed(self) -> bool | None:
        """False if a gate was missed, None if none was but some were not judged, True otherwise."""
        return False if self.missed else None if self.not_judged else True

    @property
    def exit_status(self) -> int:
        """1 if a gate was missed; a gate that was not judged is named, and does not fail the command."""
        return 1 if self.missed else 0

    def mark(self, name: str) -> str:
        """Return what follows the line of a figure."""
        return "  MISSED" if name in self.missed else "  NOT JUDGED" if name in self.not_judged else ""

    def explain(self) -> list[str]:
        """Return one line for each reason why gates were not judged.

        >>> GateResults(not_judged={"a": "busy", "b": "not installed", "c": "busy"}).explain()
        ['NOT JUDGED: busy: a, c', 'NOT JUDGED: not installed: b']
        """
        names: dict[str, list[str]] = {}
        for name, reason in self.not_judged.items():
            names.setdefault(reason, []).append(name)
        return [f"NOT JUDGED: {reason}: {', '.join(those)}" for reason, those in names.items()]

    def json_fields(self) -> dict[str, object]:
        """Return the fields that the JSON line of every measuring command has."""
        return {"passed": self.passed, "not_judged": [*self.not_judged]}


def load_average() -> float:
    """Return the load average of the last minute."""
    return os.getloadavg()[0]


def too_busy(load: float) -> str | None:
    """Return why times are not judged at this load, or None if they are.

    >>> too_busy(4.23), too_busy(2.99)
    ('the machine is busy, load 4.2 (times are judged below 3)', None)
    """
    return None if load < MAX_LOAD else f"the machine is busy, load {load:.1f} (times are judged below {MAX_LOAD:g})"
