"""The tiles of Azul and Azul Duel as in the browser client: each colour has its own motif."""

from math import cos, pi, sin

from tessella.games.duel.pieces import CHIP_COLOURS
from tessella.svg.drawing import use

BOX = "0 0 40 40|"
FILLS = {"b": "#2a68b4", "y": "#f2b632", "r": "#c5402f", "k": "#2b2f37", "t": "#17928e"}
STAR = "M20 5.5l4.1 9.2 10 1.1-7.5 6.7 2.1 9.9-8.7-5.1-8.7 5.1 2.1-9.9-7.5-6.7 10-1.1z"
NAMES = {"*": "special", "?": "joker", "+": "paid", "#": "back"}
"""The names of special characters in the names of symbols."""


def _body(rim: str, face: str, line: str) -> str:
    """Return the glazed body of a tile; a light upper half stands for the glaze."""
    return (
        f'<rect x="0.5" y="0.5" width="39" height="39" rx="7.8" fill="{rim}"/>'
        f'<rect x="0.5" y="0.5" width="39" height="36.4" rx="7.8" fill="{face}"/>'
        '<rect x="0.5" y="0.5" width="39" height="16" rx="7.8" fill="#fff" fill-opacity="0.14"/>'
        f'<rect x="4.4" y="4.2" width="31.2" height="29.4" rx="4.8" fill="none" stroke="{line}" '
        'stroke-opacity="0.34" stroke-width="0.9"/>'
        '<path d="M4 9.6Q4 2.4 11 2.4H29Q36 2.4 36 9.6" fill="none" stroke="#fff" stroke-opacity="0.5" '
        'stroke-width="1.2" stroke-linecap="round"/>'
    )


def _petals() -> str:
    angles = range(0, 360, 60)
    return "".join(
        f'<ellipse cx="20" cy="11.2" rx="3.7" ry="5" transform="rotate({angle} 20 18.8)"/>' for angle in angles
    )


TILES = {
    "tile-b": f"{BOX}{_body('#143a6e', '#2763b6', '#fff')}"
    '<path fill="#fff" d="M20 5.8l3 6.2 6.5-2.7-2.7 6.5 6.2 3-6.2 3 2.7 6.5-6.5-2.7-3 6.2-3-6.2-6.5 2.7 2.7-6.5-6.2-3 '
    '6.2-3-2.7-6.5 6.5 2.7z"/><circle cx="20" cy="18.8" r="3.4" fill="#2a68b4"/>',
    "tile-y": f"{BOX}{_body('#a26c04', '#f3b42a', '#5b3d05')}"
    f'<g fill="#6d4705">{_petals()}</g><circle cx="20" cy="18.8" r="3.4" fill="#fff1c9"/>',
    "tile-r": f"{BOX}{_body('#7a1d13', '#cb4130', '#fff')}"
    '<path d="M20 6.6l12.2 12.2L20 31 7.8 18.8z" fill="none" stroke="#fff" stroke-width="2.7" '
    'stroke-linejoin="round"/><path d="M20 13.1l5.7 5.7-5.7 5.7-5.7-5.7z" fill="#fff"/>',
    "tile-k": f"{BOX}{_body('#0f1216', '#363b44', '#e9e3d3')}"
    '<g fill="none" stroke="#eee7d6" stroke-width="2.6"><circle cx="20" cy="18.8" r="11.2"/>'
    '<circle cx="20" cy="18.8" r="5.4"/></g><circle cx="20" cy="18.8" r="1.7" fill="#eee7d6"/>',
    "tile-w": f"{BOX}{_body('#b3b6a8', '#fbfaf4', '#2f7482')}"
    '<g fill="none" stroke="#2f7482" stroke-width="2.5" stroke-linecap="round"><path d="M8 12.4q6-5.4 12 0t12 0"/>'
    '<path d="M8 19.4q6-5.4 12 0t12 0"/><path d="M8 26.4q6-5.4 12 0t12 0"/></g>',
    "tile-t": f"{BOX}{_body('#0a5754', '#178f8b', '#fff')}"
    '<path d="M20 6.2q9.5 8 0 25.2Q10.5 14.2 20 6.2z" fill="#fff"/>'
    '<path d="M7.4 18.8q8-9.5 25.2 0q-17.2 9.5-25.2 0z" fill="none" stroke="#fff" stroke-width="2.2"/>',
    "tile-m": f'{BOX}<circle cx="20" cy="20" r="19.5" fill="#8a6a2c"/>'
    '<circle cx="20" cy="18.8" r="18.2" fill="#f6ebd0"/>'
    '<circle cx="20" cy="18.8" r="14.6" fill="none" stroke="#8a6a2c" stroke-width="1.2" stroke-dasharray="2.2 2.2"/>'
    '<path d="M16.4 14.9l5-4.2v16.2M16.8 26.9h9" fill="none" stroke="#6b4b0c" stroke-width="3" stroke-linecap="round" '
    'stroke-linejoin="round"/>',
}

_SPACE = (
    f'{BOX}<rect x="1" y="1" width="38" height="38" rx="7.5" fill="var(--panel)" stroke="var(--edge)" '
    'stroke-width="1.3"/>'
)


def _wedge(number: int) -> str:
    first, last = (
        f"{20 + 14 * cos(angle):.2f} {20 + 14 * sin(angle):.2f}"
        for angle in (2 * pi * turn / 5 - pi / 2 for turn in (number, number + 1))
    )
    return f"M20 20L{first}A14 14 0 0 1 {last}z"


def _joker() -> str:
    wedges = "".join(
        f'<path d="{_wedge(number)}" fill="{fill}" stroke="#f6f0e2" stroke-width="1.3"/>'
        for number, fill in enumerate(FILLS.values())
    )
    return f'<circle cx="20" cy="20" r="15.4" fill="#f6f0e2"/>{wedges}<circle cx="20" cy="20" r="4.6" fill="#f6f0e2"/>'


def _chip(chip: str) -> str:
    colours = CHIP_COLOURS[chip]
    spots = [(9.0, 8.6, 22.0)] if len(colours) == 1 else [(4.4, 7.0, 16.4), (19.2, 15.4, 16.4)]
    tiles = [use(f"tile-{colour}", *spot) for colour, spot in zip(colours, spots, strict=True)]
    return (
        f'{BOX}<circle cx="20" cy="20" r="18.8" fill="#8a6a2c"/><circle cx="20" cy="19.4" r="17.8" fill="#f3e7cb"/>'
        f"{''.join(tiles)}"
    )


_PLATE = '<rect x="0.75" y="0.75" width="90.5" height="90.5" rx="11" stroke="var(--edge)" stroke-width="1.5" fill='
_BACK = (
    f'0 0 92 92|{_PLATE}"#b8ac93"/><rect x="7" y="7" width="78" height="78" rx="7" fill="none" stroke="#fffdf8" '
    'stroke-width="1.6" stroke-dasharray="4 3"/>'
)

DUEL = TILES | {
    "space-special": f'{_SPACE}<path d="{STAR}" fill="none" stroke="var(--edge)" stroke-width="2" '
    'stroke-linejoin="round"/>',
    "space-joker": _SPACE + _joker(),
    "tile-special": f"{BOX}{_body('#a3957a', '#f8f2e4', '#8a6a2c')}"
    f'<path d="{STAR}" fill="#8a6a2c" stroke="#8a6a2c" stroke-width="1.4" stroke-linejoin="round" '
    'transform="translate(0 -1)"/><circle cx="20" cy="19.4" r="3.2" fill="#f6f0e2"/>',
    "tile-paid": f'{BOX}<circle cx="20" cy="20" r="16" fill="#f6f0e2" stroke="#8a6a2c" stroke-width="1.6"/>'
    '<path d="M20 12v16M12 20h16" stroke="#6b4b0c" stroke-width="3.4" stroke-linecap="round"/>',
    "chip-back": f'{BOX}<circle cx="20" cy="20" r="18.6" fill="#6d6552"/>'
    '<circle cx="20" cy="19.4" r="17.6" fill="#a89d84"/>'
    '<circle cx="20" cy="19.4" r="12.6" fill="none" stroke="#f3ead6" stroke-width="1.4" stroke-dasharray="2.6 2.4"/>'
    '<path d="M20 12.4l7 7-7 7-7-7z" fill="none" stroke="#f3ead6" stroke-width="1.8" stroke-linejoin="round"/>',
    **{f"chip-{chip}": _chip(chip) for chip in CHIP_COLOURS},
    "plate": f'0 0 92 92|{_PLATE}"var(--plate)"/>',
    "plate-special": _BACK + use("space-special", 24, 24, 44),
    "plate-joker": _BACK + use("space-joker", 24, 24, 44),
}
"""Symbols of Azul Duel."""


def tile(letter: str) -> str:
    """Return the symbol of a tile.

    >>> tile("b"), tile("*")
    ('tile-b', 'tile-special')
    """
    return f"tile-{NAMES.get(letter, letter)}"


def space(letter: str) -> str:
    """Return the symbol of a space printed on a dome plate."""
    return f"space-{NAMES[letter]}" if letter in NAMES else f"tile-{letter}"
