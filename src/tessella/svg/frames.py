"""A replay in pictures: one SVG, what each act changes in it, and the script that steps through the acts."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct

from tessella.core.game import AnyGame, Seat
from tessella.core.record import Step
from tessella.svg.drawing import Contents
from tessella.text.narration import narrate
from tessella.text.style import Style

AnyStep: TypeAlias = Step[Any, Any, Any, Any]
Change: TypeAlias = dict[str, str | None]
"""What has changed, by the name of its place or label; None: it is empty now."""

SCRIPT = """
for (const root of document.querySelectorAll("[data-tessella]:not([data-ready])")) {
  root.dataset.ready = "";
  const token = root.dataset.tessella, frames = JSON.parse(root.querySelector("script").textContent);
  const last = frames.length - 1;
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
      lies[name] ? place.setAttribute("href", `#${token}-${lies[name]}`) : place.removeAttribute("href");
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
"""Finds every replay on a page that is not running yet: an element with a picture, controls and its frames as JSON."""
BUTTONS = (("«", "first"), ("‹", "back"), ("▶", "play"), ("›", "next"), ("»", "last"))


class Frame(Struct, frozen=True, array_like=True):
    """What an act changes in the picture, which panels are lit, and the text that describes it."""

    lies: Change
    says: Change
    lit: list[str]
    told: str


def frames_of(all_contents: Sequence[Contents], told: Sequence[str]) -> Iterator[Frame]:
    """Yield a frame for the table before the first act, and one for each act."""
    before = Contents({}, {})
    for contents, text in zip(all_contents, told, strict=True):
        lies, says = _change(before.lies, contents.lies), _change(before.says, contents.says)
        yield Frame(lies, says, list(contents.lit), text)
        before = contents


def frames_element(frames: Iterator[Frame]) -> str:
    """Return the element that holds the frames for the script; browsers do not run it."""
    data = msgspec.json.encode(list(frames)).decode().replace("<", "\\u003c")
    return f'<script type="application/json">{data}</script>'


def describe(game: AnyGame, step: AnyStep, style: Style, seat: Seat | None) -> str:
    """Return a description of an act, as a seat or a spectator saw it."""
    opening = ""
    if step.seat is not None and game.owner(step.act) in (None, seat):
        opening = style.texts("bot_plays", who=style.name(step.seat), move=step.text)
    return "\n".join(narrate(game, step.events, style, seat, opening))


def _change(before: Mapping[str, str], after: Mapping[str, str]) -> Change:
    new: Change = {name: what for name, what in after.items() if before.get(name) != what}
    return new | dict.fromkeys(before.keys() - after.keys())
