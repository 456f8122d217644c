"""A replay of a whole game: in a notebook a picture with a slider, which needs neither a server nor a network."""

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct

from tessella.core.game import AnyGame, Seat
from tessella.core.record import Record, Step, read_rules
from tessella.core.record import replay as steps_of
from tessella.research.notebook.display import Position, plain_style
from tessella.research.svg import PAINTERS, Contents, new_token
from tessella.text.narration import narrate

AnyStep: TypeAlias = Step[Any, Any, Any, Any]
Change: TypeAlias = dict[str, str | None]
"""What has changed, by the name of its place or label; None: it is empty now."""

SCRIPT = """
for (const root of document.querySelectorAll('[data-tessella="TOKEN"]:not([data-ready])')) {
  root.dataset.ready = "";
  const frames = FRAMES, last = frames.length - 1;
  const [first, back, play, next, end] = root.querySelectorAll("button");
  const slider = root.querySelector("input"), told = root.querySelector("p"), rings = root.querySelector(".rings");
  const all = (name) => new Map([...root.querySelectorAll(`[data-${name}]`)].map((it) => [it.dataset[name], it]));
  const places = all("at"), labels = all("says"), panels = all("panel");
  let timer = 0;
  const ring = (place) => {
    const it = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    const at = (name, more) => Number(place.getAttribute(name)) + more;
    const size = at("width", 4);
    const spot = { x: at("x", -2), y: at("y", -2), width: size, height: size, rx: size / 5, class: "ring" };
    for (const [name, value] of Object.entries(spot)) it.setAttribute(name, value);
    return it;
  };
  const show = (number) => {
    const lies = {}, says = {};
    for (const frame of frames.slice(0, number + 1)) { Object.assign(lies, frame[0]); Object.assign(says, frame[1]); }
    for (const [name, place] of places)
      lies[name] ? place.setAttribute("href", "#TOKEN-" + lies[name]) : place.removeAttribute("href");
    for (const [name, label] of labels) label.textContent = says[name] ?? "";
    for (const [name, panel] of panels) panel.classList.toggle("lit", frames[number][2].includes(name));
    const fresh = number ? Object.entries(frames[number][0]).filter(([, kind]) => kind) : [];
    const marked = fresh.map(([name]) => places.get(name)).filter((place) => !("quiet" in place.dataset));
    rings.replaceChildren(...marked.map(ring));
    told.textContent = frames[number][3];
    slider.value = number;
    first.disabled = back.disabled = !number;
    next.disabled = end.disabled = number === last;
  };
  const stop = () => { clearInterval(timer); timer = 0; play.textContent = "▶"; };
  const go = (number) => { stop(); show(Math.min(last, Math.max(0, number))); };
  const step = () => (root.isConnected && Number(slider.value) < last ? show(Number(slider.value) + 1) : stop());
  first.onclick = () => go(0);
  back.onclick = () => go(Number(slider.value) - 1);
  next.onclick = () => go(Number(slider.value) + 1);
  end.onclick = () => go(last);
  slider.oninput = () => go(Number(slider.value));
  play.onclick = () => {
    if (timer) return stop();
    if (Number(slider.value) === last) show(0);
    timer = setInterval(step, 900);
    play.textContent = "❚❚";
  };
  show(last);
}
"""
BUTTONS = (("«", "first"), ("‹", "back"), ("▶", "play"), ("›", "next"), ("»", "last"))
FONT = "font:14px/1.45 system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif"
BUTTON = f"{FONT};width:36px;height:30px;color:inherit;background:none;border:1px solid #8886;border-radius:8px"


class Frame(Struct, frozen=True, array_like=True):
    """What an act changes in the picture, which panels are lit, and the text that describes it."""

    lies: Change
    says: Change
    lit: list[str]
    told: str


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
        frames = msgspec.json.encode(list(self._frames(all_contents))).decode().replace("<", "\\u003c")
        script = SCRIPT.replace("TOKEN", token).replace("FRAMES", frames)
        return (
            f'<div data-tessella="{token}" style="max-width:{shown.layout.width:g}px">{shown.svg(token, kinds)}'
            f"{self._controls()}</div><script>{script}</script>"
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

    def _frames(self, all_contents: list[Contents]) -> Iterator[Frame]:
        before = Contents({}, {})
        for number, contents in enumerate(all_contents):
            lies, says = _change(before.lies, contents.lies), _change(before.says, contents.says)
            yield Frame(lies, says, list(contents.lit), self._describe(number))
            before = contents

    def _describe(self, acts: int) -> str:
        """Return a description of an act, as the seat saw it."""
        style = plain_style(self.record.names)
        if not acts:
            return f"0 / {len(self)}"
        step = self.steps[acts - 1]
        opening = ""
        if step.seat is not None and self.game.owner(step.act) in (None, self.seat):
            opening = style.texts("bot_plays", who=style.name(step.seat), move=step.text)
        lines = narrate(self.game, step.events, style, self.seat, opening)
        return f"{acts} / {len(self)}   " + "\n".join(lines)


def _change(before: Mapping[str, str], after: Mapping[str, str]) -> Change:
    new: Change = {name: what for name, what in after.items() if before.get(name) != what}
    return new | dict.fromkeys(before.keys() - after.keys())
