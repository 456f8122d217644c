"""A game as each seat saw it: every act with the events witnessed, and at intervals the whole view.

What several viewers saw alike is written once; a view that differs from a spectator's is written as a difference. Read
a playthrough to see who learns what.
"""

from collections.abc import Iterator, Mapping
from typing import TypeAlias, cast

from msgspec import Struct, json
from msgspec.structs import replace

from tessella.core import wire
from tessella.core.game import C, D, E, Game, M, P_co, S, Seat, V, View
from tessella.core.record import Record, Step, read_rules, replay

VIEW_EVERY = 40
"""The whole view of every seat is shown once per this many acts."""


def write(game: Game[C, S, M, D, E, V, P_co], record: Record) -> str:
    """Return the game as each seat and a spectator saw it, as text."""
    viewers: tuple[Seat | None, ...] = (*range(read_rules(game, record.rules).seats), None)
    lines = [record.rules]
    for step in replay(game, record):
        lines += ["", _heading(step), *_by_viewer({viewer: _events(game, step, viewer) for viewer in viewers})]
        if step.number % VIEW_EVERY == 0 or step.number == len(record.acts) - 1:
            lines += _views({viewer: _json(game.view(step.after, viewer)) for viewer in viewers})
    return "\n".join(lines) + "\n"


def _heading(step: Step[S, M, D, E]) -> str:
    mover = "" if step.seat is None else f" by seat {step.seat}"
    return f"{step.number} {step.text}{mover}"


def _events(game: Game[C, S, M, D, E, V, P_co], step: Step[S, M, D, E], viewer: Seat | None) -> tuple[str, ...]:
    witnessed = [game.witness(event, viewer) for event in step.events]
    return tuple(_line(event) for event in witnessed if event is not None)


def _line(event: Struct) -> str:
    values = [f"{field}={_value(getattr(event, field))}" for field in event.__struct_fields__]
    return " ".join([type(event).__name__, *values])


def _value(value: object) -> str:
    if isinstance(value, tuple):
        return "(" + ",".join(map(_value, cast("tuple[object, ...]", value))) + ")"
    return "-" if value is None or value == "" else str(value)


def _name(viewer: Seat | None) -> str:
    return "spectator" if viewer is None else f"seat {viewer}"


def _by_viewer(seen: Mapping[Seat | None, tuple[str, ...]]) -> Iterator[str]:
    """Yield each viewer's events; viewers who saw the same as a spectator are grouped."""
    group = [viewer for viewer, events in seen.items() if events == seen[None]]
    group_name = "all" if len(group) == len(seen) else "others" if len(group) > 1 else _name(None)
    for viewer, events in seen.items():
        if viewer is None or viewer not in group:
            name = group_name if viewer is None else _name(viewer)
            yield from (f"  {name}: {event}" for event in events)


# Views

Json: TypeAlias = "Mapping[str, Json] | list[Json] | str | int | bool | None"


def _json(view: View) -> bytes:
    """Return the view as JSON without its seat, so that equal tables compare equal."""
    return wire.encode(replace(view, seat=None))


def _views(views: Mapping[Seat | None, bytes]) -> Iterator[str]:
    """Yield the table as a spectator sees it, and how each seat's view differs."""
    if len(set(views.values())) == 1:
        yield f"  all: sees {views[None].decode()}"
        return
    yield f"  spectator: sees {views[None].decode()}"
    for viewer, seen in views.items():
        if viewer is not None:
            difference = _difference(_read(seen), _read(views[None]))
            yield f"  {_name(viewer)}: sees otherwise {json.encode(difference).decode()}"


def _read(view: bytes) -> Json:
    return cast("Json", json.decode(view))


def _difference(seen: Json, usual: Json) -> Json:
    """Return the parts of a view that differ from the usual one; items of a list are keyed by index."""
    if isinstance(seen, list) and isinstance(usual, list) and len(seen) == len(usual):
        seen, usual = (dict(zip(map(str, range(len(parts))), parts, strict=True)) for parts in (seen, usual))
    if not isinstance(seen, Mapping) or not isinstance(usual, Mapping):
        return seen
    return {key: _difference(part, usual.get(key)) for key, part in seen.items() if part != usual.get(key)}
