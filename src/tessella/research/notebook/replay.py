"""A replay of a whole game: in a notebook a picture with a slider, which needs neither a server nor a network."""

from html import escape

from tessella.core.game import AnyGame, Seat
from tessella.core.record import Record, read_rules
from tessella.core.record import replay as steps_of
from tessella.research.notebook.display import Position, plain_style
from tessella.svg import PAINTERS, Contents, new_token
from tessella.svg.frames import BUTTONS, SCRIPT, AnyStep, describe, frames_element, frames_of

FONT = "font:14px/1.45 system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif"
BUTTON = f"{FONT};width:36px;height:30px;color:inherit;background:none;border:1px solid #8886;border-radius:8px"


class Replay:
    """A recorded game as a seat saw it, or a spectator (None)."""

    def __init__(self, game: AnyGame, record: Record, seat: Seat | None = None) -> None:
        self.game = game
        self.record = record
        self.seat = seat
        self.steps: list[AnyStep] = list(steps_of(game, record))
        self._states = [game.setup(read_rules(game, record.rules)), *(step.after for step in self.steps)]

    def __len__(self) -> int:
        """Return the number of acts; position 0 is the table before the first."""
        return len(self.steps)

    def __getitem__(self, acts: int) -> Position:
        """Return the position after this many acts; what the last one changed is marked."""
        number = range(len(self._states))[acts]
        before = self._states[number - 1] if number else None
        return Position(self.game, self._states[number], self.seat, self.record.names, before)

    def __repr__(self) -> str:
        return f"{self[-1]!r}\n{len(self)} acts"

    # In a notebook

    def _repr_html_(self) -> str:
        if self.game.NAME not in PAINTERS:
            return f"<pre>{escape(repr(self))}</pre>"
        token, all_contents, shown = new_token(), self._all_contents(), self[-1].picture()
        kinds = {kind for contents in all_contents for kind in contents.lies.values()}
        frames = frames_of(all_contents, [self._describe(number) for number in range(len(all_contents))])
        return (
            f'<div data-tessella="{token}" style="max-width:{shown.layout.width:g}px">{shown.svg(token, kinds)}'
            f"{self._controls()}{frames_element(frames)}</div><script>{SCRIPT}</script>"
        )

    def _controls(self) -> str:
        """Return buttons, slider, and the paragraph that describes the act."""
        buttons = "".join(f'<button aria-label="{name}" style="{BUTTON}">{sign}</button>' for sign, name in BUTTONS)
        slider = f'<input type="range" min="0" max="{len(self)}" value="{len(self)}" aria-label="act" style="flex:1">'
        return (
            f'<div style="display:flex;gap:6px;align-items:center;margin:8px 0">{buttons}{slider}</div>'
            f'<p aria-live="polite" style="{FONT};min-height:5.8em;margin:0;white-space:pre-line"></p>'
        )

    def _all_contents(self) -> list[Contents]:
        return [self[0].contents(state) for state in self._states]

    def _describe(self, acts: int) -> str:
        """Return a description of an act, as the seat saw it."""
        if not acts:
            return f"0 / {len(self)}"
        told = describe(self.game, self.steps[acts - 1], plain_style(self.record.names), self.seat)
        return f"{acts} / {len(self)}   {told}"
