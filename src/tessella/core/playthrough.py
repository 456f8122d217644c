"""A game as each seat saw it: every act with what was witnessed, and now and then the whole view.

What several saw alike is written once; of a view that differs from a spectator's, only the difference. Read one of
these to see what a game tells to whom.
"""

from collections.abc import Iterator, Mapping
from typing import TypeAlias, cast

from msgspec import Struct, json
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
            lines += _views({viewer: _json(game.view(step.after, viewer)) for viewer in viewers})
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


def _who(viewer: Seat | None) -> str:
    return "spectator" if viewer is None else f"seat {viewer}"


def _by_viewer(films: Mapping[Seat | None, tuple[str, ...]]) -> Iterator[str]:
    """Each viewer's film; whoever saw what a spectator saw is one of the others."""
    others = [viewer for viewer, film in films.items() if film == films[None]]
    together = "all" if len(others) == len(films) else "others" if len(others) > 1 else _who(None)
    for viewer, film in films.items():
        if viewer is None or viewer not in others:
            who = together if viewer is None else _who(viewer)
            yield from (f"  {who}: {sentence}" for sentence in film)


# Views

Json: TypeAlias = "Mapping[str, Json] | list[Json] | str | int | bool | None"


def _json(view: View) -> bytes:
    """The view without its seat, so that equal tables read equal."""
    return wire.encode(replace(view, seat=None))


def _views(views: Mapping[Seat | None, bytes]) -> Iterator[str]:
    """The table as a spectator sees it, and what each seat sees in other words."""
    if len(set(views.values())) == 1:
        yield f"  all: sees {views[None].decode()}"
        return
    yield f"  spectator: sees {views[None].decode()}"
    for viewer, seen in views.items():
        if viewer is not None:
            difference = _difference(_read(seen), _read(views[None]))
            yield f"  {_who(viewer)}: sees otherwise {json.encode(difference).decode()}"


def _read(view: bytes) -> Json:
    return cast("Json", json.decode(view))


def _difference(seen: Json, usual: Json) -> Json:
    """The parts of what is seen that are not as usual, those of a list by their places."""
    if isinstance(seen, list) and isinstance(usual, list) and len(seen) == len(usual):
        seen, usual = (dict(zip(map(str, range(len(parts))), parts, strict=True)) for parts in (seen, usual))
    if not isinstance(seen, Mapping) or not isinstance(usual, Mapping):
        return seen
    return {key: _difference(part, usual.get(key)) for key, part in seen.items() if part != usual.get(key)}
