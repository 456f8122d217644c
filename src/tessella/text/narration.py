"""Events of a game in sentences, and the standings."""

from collections.abc import Iterable
from typing import Any

from tessella.core.game import AnyGame, Over, Seat
from tessella.text.renderers import renderer_for
from tessella.text.style import Style


def narrate(
    game: AnyGame, events: Iterable[Any], style: Style, seat: Seat | None = None, opening: str = ""
) -> list[str]:
    """Return what a seat or a spectator saw, in lines; sentences that do not start with a space run on."""
    renderer = renderer_for(game.NAME)
    seen = (game.witness(event, seat) for event in events)
    lines = [opening] if opening else []
    for sentence in (renderer.narrate(event, style) for event in seen if event is not None):
        if sentence and lines and not sentence[0].isspace() and not lines[-1][0].isspace():
            lines[-1] += " " + sentence
        elif sentence:
            lines.append(sentence)
    return lines


def standings(turn: Over, style: Style) -> list[str]:
    """Return the players by place."""
    lines: list[str] = []
    for seat in sorted(range(len(turn.places)), key=lambda seat: turn.places[seat]):
        place = turn.places[seat]
        key = "shared" if turn.places.count(place) > 1 else "place"
        lines.append(
            style.texts(key, place=place, who=style.name(seat), score=style.texts("points", n=turn.scores[seat]))
        )
    return lines
