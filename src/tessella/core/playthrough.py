"""A game as each seat saw it: every act with what was witnessed, and now and then the whole view.

What all saw alike is written once. Read one of these to see what a game tells to whom.
"""

from collections.abc import Iterator
from typing import cast

from msgspec import Struct
from msgspec.structs import replace

from tessella.core import wire
from tessella.core.game import C, D, E, Game, M, P_co, S, Seat, V, View
from tessella.core.record import Record, Step, read_rules, replay

VIEW_EVERY = 40
"""After this many acts the whole view of every seat is shown again."""


def write(game: Game[C, S, M, D, E, V, P_co], record: Record) -> str:
    """Write the game as each seat and a spectator saw it."""
    viewers: tuple[Seat | None, ...] = (*range(read_rules(game, record.rules).seats), None)
    lines = [record.rules]
    for step in replay(game, record):
        lines += ["", _heading(step), *_by_viewer({viewer: _film(game, step, viewer) for viewer in viewers})]
        if step.number % VIEW_EVERY == 0 or step.number == len(record.acts) - 1:
            views = {viewer: _json(game.view(step.after, viewer)) for viewer in viewers}
            lines += _by_viewer({viewer: (f"sees {seen}",) for viewer, seen in views.items()})
    return "\n".join(lines) + "\n"


def _heading(step: Step[S, M, D, E]) -> str:
    who = "" if step.seat is None else f" by seat {step.seat}"
    return f"{step.number} {step.text}{who}"


def _film(game: Game[C, S, M, D, E, V, P_co], step: Step[S, M, D, E], viewer: Seat | None) -> tuple[str, ...]:
    witnessed = [game.witness(event, viewer) for event in step.events]
    return tuple(_sentence(event) for event in witnessed if event is not None)


def _sentence(event: Struct) -> str:
    values = [f"{field}={_value(getattr(event, field))}" for field in event.__struct_fields__]
    return " ".join([type(event).__name__, *values])


def _value(value: object) -> str:
    if isinstance(value, tuple):
        return "(" + ",".join(map(_value, cast("tuple[object, ...]", value))) + ")"
    return "-" if value is None or value == "" else str(value)


def _json(view: View) -> str:
    """The view without its seat, so that equal tables read equal."""
    return wire.encode(replace(view, seat=None)).decode()


def _who(viewer: Seat | None) -> str:
    return "spectator" if viewer is None else f"seat {viewer}"


def _by_viewer(films: dict[Seat | None, tuple[str, ...]]) -> Iterator[str]:
    if len(set(films.values())) == 1:
        yield from (f"  all: {sentence}" for sentence in films[None])
        return
    for viewer, film in films.items():
        yield from (f"  {_who(viewer)}: {sentence}" for sentence in film)
