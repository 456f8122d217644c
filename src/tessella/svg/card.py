"""Cards of 1200 × 630 pixels for links that are shared: a table, a puzzle or a daily deal at a glance.

A card is SVG without scripts, custom properties or media queries, so that any renderer draws it the same way.
"""

import re
from collections.abc import Iterator, Sequence
from html import escape

from msgspec import Struct

from tessella.svg.blockers import PIECES
from tessella.svg.drawing import LIGHT, RULES, SANS, SERIF, Picture, Symbols, use_own, used_in
from tessella.svg.tiles import DUEL, TILES

WIDTH, HEIGHT = 1200, 630
MARGIN = 44
COLUMN = 330
"""Width of the text at the left."""
BOARD_LEFT, BOARD_TOP = MARGIN + COLUMN + 34, 30
BOARD_WIDTH, BOARD_HEIGHT = WIDTH - BOARD_LEFT - 30, HEIGHT - 2 * BOARD_TOP
TOKEN = "card"  # noqa: S105  of ids in the picture
MOST_LINES = 6
LETTER = 0.56
"""Mean width of a letter of the bold sans face, in ems; enough to fit a name."""

COLOURS = dict(re.findall(r"--([\w-]+):([^;]+)", LIGHT))
STYLE = (
    RULES.replace(SANS, "Figtree").replace(SERIF, "Fraunces")
    + """
.tessella text{font-weight:500}.tessella text.strong{font-weight:700}.tessella text.serif{font-weight:600}
.tessella text.face{font-family:Fraunces;font-weight:600}
.card text{font-family:Figtree;font-weight:500;fill:var(--ink)}.card text.name{font-weight:700}
.card text.serif{font-family:Fraunces;font-weight:600}.card text.soft{fill:var(--soft)}
"""
)
WORDMARK = (
    '<rect width="40" height="40" rx="9" fill="#1f4e9e"/><rect x="3.5" y="3.5" width="33" height="33" rx="6.5" '
    'fill="none" stroke="#fff" stroke-opacity=".45" stroke-width="1.4"/><path fill="#fff" d="M20 6l3.8 7.6L32 10l-3.6 '
    '8.2L36 20l-7.6 3.8L32 32l-8.2-3.6L20 36l-3.8-7.6L8 32l3.6-8.2L4 20l7.6-3.8L8 8l8.2 3.6z"/>'
)
"""The icon of the browser client."""

MOTIFS: dict[str, tuple[Symbols, Sequence[str]]] = {
    "azul": (TILES, [f"tile-{letter}" for letter in "byrkw"]),
    "duel": (DUEL, ["tile-b", "tile-y", "tile-r", "tile-k", "tile-t", "tile-special"]),
    "blockers": (PIECES, [colour + face for colour, face in zip("byrgv", "sham3", strict=True)]),
}
"""The tiles that stand for each game where its board must not be shown."""


class Player(Struct, frozen=True):
    """A player on a card; `lit` for the winner, or for whoever is to move."""

    name: str
    score: str = ""
    lit: bool = False


class Card(Struct, frozen=True):
    """The text of a card, in the reader's language, and what is drawn beside it: a board, or the tiles of a game."""

    title: str
    subtitle: str
    players: tuple[Player, ...]
    game: str
    board: Picture | None = None

    def svg(self) -> str:
        """Return the card as one SVG element."""
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
            f'height="{HEIGHT}"><style>{STYLE}</style>',
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="var(--plaster)"/>',
            '<g class="card">',
            f'<g transform="translate({MARGIN} 44) scale(1.1)">{WORDMARK}</g>',
            _text(MARGIN + 58, 76, 30, "Tessella", "serif"),
            *self._head(),
            *self._rows(),
            "</g>",
            self._board(self.board) if self.board else "".join(_motif(*MOTIFS.get(self.game, MOTIFS["azul"]))),
            "</svg>",
        ]
        return flatten("".join(parts))

    def _head(self) -> Iterator[str]:
        yield _text(MARGIN, 188, _fit(self.title, 58), self.title, "serif")
        for number, line in enumerate(_wrap(self.subtitle)):
            yield _text(MARGIN, 240 + 32 * number, 25, line, "soft")

    def _rows(self) -> Iterator[str]:
        """Yield the players, from the lower edge upwards, so that they end at the foot of the board."""
        step = 62 if len(self.players) <= 3 else 50
        top = HEIGHT - MARGIN - step * len(self.players)
        for number, player in enumerate(self.players):
            y = top + step * number
            fill = "var(--panel)" if player.lit else "none"
            edge = "var(--accent)" if player.lit else "var(--line)"
            yield (
                f'<rect x="{MARGIN}" y="{y}" width="{COLUMN}" height="{step - 10}" rx="14" fill="{fill}" '
                f'stroke="{edge}" stroke-width="2"/>'
            )
            middle, room = y + (step - 10) / 2, COLUMN - 36 - (70 if player.score else 0)
            yield _text(MARGIN + 18, middle + 8, _fit(player.name, 25, room), player.name, "name")
            if player.score:
                yield _text(MARGIN + COLUMN - 18, middle + 12, 34, player.score, "serif", "end")

    def _board(self, board: Picture) -> str:
        scale = min(BOARD_WIDTH / board.layout.width, BOARD_HEIGHT / board.layout.height)
        x = BOARD_LEFT + (BOARD_WIDTH - scale * board.layout.width) / 2
        y = BOARD_TOP + (BOARD_HEIGHT - scale * board.layout.height) / 2
        where = f"translate({x:.1f} {y:.1f}) scale({scale:.4f})"
        return f'<g class="tessella" transform="{where}">{board.shapes(TOKEN)}</g>'


def _text(x: float, y: float, size: float, text: str, look: str, anchor: str = "start") -> str:
    return f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" class="{look}" text-anchor="{anchor}">{escape(text)}</text>'


def _fit(text: str, size: float, room: float = COLUMN) -> float:
    """Return a font size at which a text fits into a line.

    >>> _fit("Ann", 25), _fit("A name of 24 characters.", 25, 224)
    (25, 16.7)
    """
    return min(size, round(room / (LETTER * max(len(text), 1)), 1))


def _wrap(text: str, most: int = 27) -> list[str]:
    """Return a text in lines that fit into the column; there is room for `MOST_LINES`.

    >>> _wrap("Today's deal, the same for everybody")
    ["Today's deal, the same for", 'everybody']
    """
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > most:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".strip()
    return lines[:MOST_LINES]


def _motif(symbols: Symbols, kinds: Sequence[str]) -> Iterator[str]:
    """Yield a wall of tiles, each row shifted by one."""
    parts = {part for kind in kinds for part in used_in(symbols[kind])}
    yield "<defs>"
    for kind in [*parts, *kinds]:
        box, _, shapes = symbols[kind].partition("|")
        yield f'<symbol id="{TOKEN}-{kind}" viewBox="{box}">{use_own(shapes, TOKEN)}</symbol>'
    yield "</defs>"
    size, gap = 130, 12
    for row in range(5):
        for column in range(6):
            kind = kinds[(column - row) % len(kinds)]
            x, y = BOARD_LEFT + 20 + column * (size + gap), -30 + row * (size + gap)
            yield f'<use href="#{TOKEN}-{kind}" x="{x}" y="{y}" width="{size}" height="{size}"/>'


# For renderers that know no custom properties


def flat_svg(picture: Picture) -> str:
    """Return a picture alone, in the light colours and our typefaces, so that any renderer draws it."""
    size = f'width="{picture.layout.width:g}" height="{picture.layout.height:g}"'
    return flatten(f"{picture.opening}{size}><style>{STYLE}</style>{picture.shapes(TOKEN)}</svg>")


def flatten(svg: str) -> str:
    """Return SVG with the light colours in place of custom properties and mixtures.

    >>> flatten("fill:color-mix(in srgb,#000000 25%,var(--panel));stroke:var(--accent)")
    'fill:#bfbeba;stroke:#1f4e9e'
    """
    plain = re.sub(r"var\(--([\w-]+)\)", lambda found: COLOURS[found[1]], svg)
    return re.sub(r"color-mix\(in srgb,(#\w{6}) (\d+)%,(#\w{6})\)", _mixed, plain)


def _mixed(found: re.Match[str]) -> str:
    share = int(found[2]) / 100
    pairs = zip(bytes.fromhex(found[1][1:]), bytes.fromhex(found[3][1:]), strict=True)
    return "#" + "".join(f"{round(one * share + other * (1 - share)):02x}" for one, other in pairs)
