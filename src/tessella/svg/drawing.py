"""SVG of a table: a fixed layout, and the contents of one position.

The layout stays the same through a whole game; the contents say what lies where. So a picture can show a single
position, and a replay sends the browser only what changes from act to act.
"""

from collections.abc import Collection, Iterable, Mapping
from html import escape
from typing import Literal, TypeAlias
from uuid import uuid4

from msgspec import Struct

Kind: TypeAlias = str
"""The name of the symbol that lies on a place."""
Symbols: TypeAlias = Mapping[Kind, str]
"""The drawing of each kind: a view box, then shapes."""

LIGHT = (
    "--plaster:#f4efe5;--panel:#fffdf8;--line:#dcd2bf;--edge:#8d8573;--ink:#22303c;--soft:#5b6670;--accent:#1f4e9e;"
    "--bad:#a8332a;--slot:#ece4d4;--slot-edge:#d3c7b1;--plate:#efe8da;--plate-edge:#d6cab4;--wall:#f7f2e7;"
    "--day:#fcf0d1;--night:#cbd3df;--tint:17%"
)
DARK = (
    "--plaster:#12161b;--panel:#1a2028;--line:#2f3843;--edge:#7a8592;--ink:#ece7dc;--soft:#a3adb6;--accent:#86b3ff;"
    "--bad:#ff8f83;--slot:#242c36;--slot-edge:#37424f;--plate:#222a33;--plate-edge:#36414d;--wall:#1f262f;"
    "--day:#453e2a;--night:#1e2b41;--tint:22%"
)
"""The colours of the browser client; the page around a picture chooses light or dark, or else the system."""
SANS = 'system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif'
SERIF = '"Iowan Old Style","Palatino Linotype",Palatino,"DejaVu Serif",Georgia,serif'
THEMES = f"""
.tessella{{{LIGHT}}}
@media(prefers-color-scheme:dark){{.tessella{{{DARK}}}}}
[data-jp-theme-light="true"] .tessella,.vscode-light .tessella{{{LIGHT}}}
[data-jp-theme-light="false"] .tessella,.vscode-dark .tessella{{{DARK}}}
"""
RULES = (
    f"""
.tessella text{{font-family:{SANS};font-size:13px;fill:var(--ink);font-variant-numeric:tabular-nums}}
.tessella text.serif{{font-family:{SERIF};font-weight:700}}
.tessella text.face{{font-family:Georgia,"DejaVu Serif",serif;font-weight:700;font-size:19px;fill:inherit}}
"""
    + """
.tessella text.soft{fill:var(--soft)}.tessella text.bad{fill:var(--bad)}.tessella text.small{font-size:11px}
.tessella text.strong{font-weight:600;font-size:15px}
.tessella text.title{font-size:20px}.tessella text.score{font-size:24px}.tessella text.count{font-size:15px}
.tessella .panel{fill:var(--panel);stroke:var(--line)}.tessella .panel.lit{stroke:var(--accent);stroke-width:2.5}
.tessella .slot{fill:var(--slot);stroke:var(--slot-edge)}.tessella .wall{fill:var(--wall);stroke:var(--slot-edge)}
.tessella .dashed{fill:none;stroke:var(--slot-edge);stroke-dasharray:4 3}
.tessella .factory{fill:var(--plate);stroke:var(--plate-edge)}
.tessella .rim{fill:none;stroke:var(--plate-edge);stroke-opacity:.35;stroke-width:5}
.tessella .tag{fill:var(--panel);stroke:var(--line)}.tessella .arrow{fill:none;stroke:var(--line);stroke-width:2}
.tessella .cell{fill:none;stroke:var(--ink);stroke-opacity:.13}
.tessella .ghost{opacity:.28}.tessella .printed{opacity:.5}
.tessella .ring{fill:none;stroke:var(--accent);stroke-width:2.5}.tessella .ahead{stroke-dasharray:5 3}
"""
)
STYLE = THEMES + RULES
RADIUS = 14


class Place(Struct, frozen=True):
    """A square on which something may lie."""

    x: float
    y: float
    size: float
    look: str = ""
    """CSS class of what lies here: `printed` is fainter."""
    quiet: bool = False
    """Whether changes here are not marked, as when tiles on a rack close up."""


class Label(Struct, frozen=True):
    """A place for text."""

    x: float
    y: float
    look: str = ""
    anchor: Literal["start", "middle", "end"] = "start"


class Panel(Struct, frozen=True):
    """The background of a part of the table; it can be lit."""

    x: float
    y: float
    width: float
    height: float


class Layout(Struct, frozen=True):
    """What stays the same through a whole game, in drawing order."""

    width: float
    height: float
    panels: Mapping[str, Panel]
    printed: str
    """Shapes printed on the panels."""
    places: Mapping[str, Place]
    labels: Mapping[str, Label]
    symbols: Symbols


class Contents(Struct, frozen=True):
    """What a table shows: what lies on its places, the text of its labels, and the panels of seats that may move."""

    lies: Mapping[str, Kind]
    says: Mapping[str, str]
    lit: Collection[str] = ()

    def fresh(self, before: "Contents") -> list[str]:
        """Return the places that hold something new."""
        return [place for place, kind in self.lies.items() if before.lies.get(place) != kind]


class Picture(Struct, frozen=True):
    """A layout with its contents. `marked` places are ringed; with dashes if it is a preview (`ahead`)."""

    layout: Layout
    contents: Contents
    title: str
    marked: Collection[str] = ()
    ahead: bool = False

    def svg(self, token: str = "", kinds: Iterable[Kind] = ()) -> str:
        """Return the picture as one element; `kinds` are further symbols to include for later changes."""
        return (
            f'{self.opening}width="{_n(self.layout.width)}" style="max-width:100%;height:auto">'
            f"<style>{STYLE}</style>{self.shapes(token or new_token(), kinds)}</svg>"
        )

    @property
    def opening(self) -> str:
        """The start of the element, which further attributes may follow."""
        width, height = _n(self.layout.width), _n(self.layout.height)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="tessella" viewBox="0 0 {width} {height}" role="img" '
            f'aria-label="{escape(self.title)}" '
        )

    def shapes(self, token: str, kinds: Iterable[Kind] = ()) -> str:
        """Return what is inside of the element, but for its style."""
        layout = self.layout
        width, height = _n(layout.width), _n(layout.height)
        parts = [
            f"<defs>{''.join(self._symbols(token, kinds))}</defs>",
            f'<rect width="{width}" height="{height}" rx="{RADIUS}" fill="var(--plaster)"/>',
            *(_panel(name, panel, lit=name in self.contents.lit) for name, panel in layout.panels.items()),
            use_own(layout.printed, token),
            *self._pieces(token),
            '<g class="rings">',
            *(_ring(layout.places[place], ahead=self.ahead) for place in self.marked),
            "</g>",
            *(_label(name, label, self.contents.says.get(name, "")) for name, label in layout.labels.items()),
        ]
        return "".join(parts)

    def _symbols(self, token: str, kinds: Iterable[Kind]) -> Iterable[str]:
        wanted = {*kinds, *self.contents.lies.values(), *used_in(self.layout.printed)}
        for kind, shape in self.layout.symbols.items():
            if kind in _with_parts(wanted, self.layout.symbols):
                box, _, shapes = shape.partition("|")
                yield f'<symbol id="{token}-{kind}" viewBox="{box}">{use_own(shapes, token)}</symbol>'

    def _pieces(self, token: str) -> Iterable[str]:
        for name, place in self.layout.places.items():
            kind = self.contents.lies.get(name)
            look = f' class="{place.look}"' if place.look else ""
            href = f' href="#{token}-{kind}"' if kind else ""
            spot = f'x="{_n(place.x)}" y="{_n(place.y)}" width="{_n(place.size)}" height="{_n(place.size)}"'
            quiet = " data-quiet=''" if place.quiet else ""
            yield f'<use data-at="{name}" {spot}{look}{quiet}{href}/>'


def new_token() -> str:
    """Return an id prefix that is unique on the page."""
    return f"t{uuid4().hex[:10]}"


# Shapes


def use(kind: Kind, x: float, y: float, size: float, look: str = "") -> str:
    """Return a reference to a symbol of the same picture."""
    classes = f' class="{look}"' if look else ""
    return f'<use href="#{{token}}-{kind}" x="{_n(x)}" y="{_n(y)}" width="{_n(size)}" height="{_n(size)}"{classes}/>'


def use_own(shapes: str, token: str) -> str:
    """Return shapes that refer to the symbols of this picture."""
    return shapes.replace("{token}", token)


def used_in(shapes: str) -> set[Kind]:
    """Return the symbols that shapes refer to."""
    return {part.partition('"')[0] for part in shapes.split("{token}-")[1:]}


def _with_parts(kinds: Collection[Kind], symbols: Symbols) -> set[Kind]:
    return {*kinds, *(part for kind in kinds for part in used_in(symbols[kind]))}


def square(x: float, y: float, size: float, look: str = "slot") -> str:
    """Return a space for a tile."""
    return f'<rect x="{_n(x)}" y="{_n(y)}" width="{_n(size)}" height="{_n(size)}" rx="{_n(size / 5)}" class="{look}"/>'


def circle(x: float, y: float, radius: float, look: str) -> str:
    """Return a circle."""
    return f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}" class="{look}"/>'


def words(x: float, y: float, text: str, look: str = "", anchor: str = "start") -> str:
    """Return fixed text."""
    return f'<text x="{_n(x)}" y="{_n(y)}" class="{look}" text-anchor="{anchor}">{escape(text)}</text>'


def tag(x: float, y: float, text: str) -> str:
    """Return the number of a factory, at its lower edge."""
    return f'<rect x="{_n(x - 10)}" y="{_n(y - 9)}" width="20" height="17" rx="8.5" class="tag"/>' + words(
        x, y + 4, text, "small soft", "middle"
    )


def _panel(name: str, panel: Panel, *, lit: bool) -> str:
    spot = f'x="{_n(panel.x)}" y="{_n(panel.y)}" width="{_n(panel.width)}" height="{_n(panel.height)}"'
    return f'<rect data-panel="{name}" {spot} rx="{RADIUS}" class="panel{" lit" if lit else ""}"/>'


def _ring(place: Place, *, ahead: bool) -> str:
    x, y, size = place.x - 2, place.y - 2, place.size + 4
    return square(x, y, size, "ring ahead" if ahead else "ring")


def _label(name: str, label: Label, text: str) -> str:
    spot = f'x="{_n(label.x)}" y="{_n(label.y)}" class="{label.look}" text-anchor="{label.anchor}"'
    return f'<text data-says="{name}" {spot}>{escape(text)}</text>'


def _n(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")
