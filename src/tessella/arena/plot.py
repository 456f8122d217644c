"""SVG plots of contests, ladders and learning curves, without a plotting library."""

import math
from collections.abc import Mapping, Sequence
from html import escape

from tessella.arena.report import Report, percent, shares_of
from tessella.arena.run import Group
from tessella.arena.strength import Interval, share_of_groups

WIDTH, HEIGHT = 720, 400
LEFT, RIGHT, TOP, BOTTOM = 64, 24, 72, 48
MAX_CURVE_POINTS = 120
"""Most points of a curve."""
ROW_HEIGHT, TEXT_WIDTH = 44, 260
NAMES_AT, NAME_HEIGHT = 590, 15
"""Where the names of curves begin, and the least distance between two of them."""
LINE_COLOURS = ("#1f5fa8", "#a8431f", "#2c7a3f", "#7a2c75")
INK, FAINT, ACCENT, BAND = "#1d2733", "#c9d1d9", "#1f5fa8", "#d6e4f5"

Curve = Sequence[tuple[float, Interval]]
"""How far something is, and its share there."""


def contest(found: Report, groups: Sequence[Group]) -> str:
    """Return a plot of the first player's win share and its interval, by number of deals."""
    name, *others = dict.fromkeys(found.contest.players)
    shares = shares_of(name, groups)
    counts = [*range(min(2, len(shares)), len(shares), max(1, len(shares) // MAX_CURVE_POINTS)), len(shares)]
    curve = [(_x(count / len(shares)), share_of_groups(shares[:count])) for count in counts]
    above = [_point(x, share.high) for x, share in curve]
    below = [_point(x, share.low) for x, share in curve]
    middle = [_point(x, share.value) for x, share in curve]
    parts = [
        *_grid(),
        f'<polygon points="{" ".join(above + below[::-1])}" fill="{BAND}"/>',
        _line(LEFT, _y(found.par), WIDTH - RIGHT, _y(found.par), INK, dashes="4 4"),
        f'<polyline points="{" ".join(middle)}" fill="none" stroke="{ACCENT}" stroke-width="2"/>',
        _text(WIDTH - RIGHT, _y(found.par) - 6, f"par {100 * found.par:.0f} %", size=12, anchor="end"),
        _text(LEFT, HEIGHT - 16, "1 deal", size=12),
        _text(WIDTH - RIGHT, HEIGHT - 16, f"{found.deals} deals, {found.games} games", size=12, anchor="end"),
    ]
    title = f"{name} wins {percent(found.standings[0].share)}"
    return _picture(HEIGHT, title, f"against {', '.join(others)}; {found.contest.rules}", parts)


def ladder(steps: Sequence[Report], rated: Mapping[str, Interval]) -> str:
    """Return a plot of every level's Elo with its interval, and its win share against the level below."""
    won = {step.contest.players[0]: f"{percent(step.standings[0].share)} v {step.contest.players[1]}" for step in steps}
    below = f"{steps[0].contest.rules}, {sum(step.games for step in steps)} games"
    return ratings(rated, won, "Elo, and win share against the level below", below)


def ratings(rated: Mapping[str, Interval], notes: Mapping[str, str], title: str, below: str) -> str:
    """Return a plot of every player's Elo with its interval, the strongest first, each with a note."""
    names = sorted(rated, key=lambda name: -rated[name].value)
    low, high = min(rating.low for rating in rated.values()), max(rating.high for rating in rated.values())
    left, right = 60 + 9 * max(map(len, names)), WIDTH - TEXT_WIDTH - 12
    parts: list[str] = []
    for row, name in enumerate(names):
        y, rating = TOP + 20 + row * ROW_HEIGHT, rated[name]
        ends = [left + (points - low) / (high - low) * (right - left) for points in (rating.low, rating.high)]
        parts += [
            _text(24, y + 5, name, weight="600"),
            _line(left - 12, y, right + 12, y, FAINT),
            *_rating(rating, ends, y),
            _text(WIDTH - TEXT_WIDTH + 12, y + 5, notes.get(name, ""), size=12),
        ]
    return _picture(TOP + 8 + len(names) * ROW_HEIGHT, title, below, parts)


def curves(lines: Mapping[str, Curve], title: str, below: str, ends: tuple[str, str]) -> str:
    """Return a plot of shares by how far something is, each line with its name at its end.

    `ends` are the words under the first and the last point. Every line may have intervals, drawn as a band.
    """
    last = max(points[-1][0] for points in lines.values())
    parts = _grid()
    for number, points in enumerate(lines.values()):
        colour = LINE_COLOURS[number % len(LINE_COLOURS)]
        at = [(LEFT + x / last * (NAMES_AT - LEFT), share) for x, share in points]
        band = [_point(x, share.high) for x, share in at] + [_point(x, share.low) for x, share in at[::-1]]
        middle = " ".join(_point(x, share.value) for x, share in at)
        parts += [
            f'<polygon points="{" ".join(band)}" fill="{colour}" fill-opacity="0.12"/>',
            f'<polyline points="{middle}" fill="none" stroke="{colour}" stroke-width="2"/>',
        ]
    parts += [
        _text(NAMES_AT + 8, y + 4, name, size=12, colour=LINE_COLOURS[number % len(LINE_COLOURS)])
        for number, (name, y) in enumerate(_apart({name: _y(points[-1][1].value) for name, points in lines.items()}))
    ]
    words = [_text(LEFT, HEIGHT - 16, ends[0], size=12), _text(NAMES_AT, HEIGHT - 16, ends[1], size=12, anchor="end")]
    return _picture(HEIGHT, title, below, parts + words)


def _apart(heights: Mapping[str, float]) -> list[tuple[str, float]]:
    """Return names with heights at which they do not overlap, in the order in which they were given."""
    placed: dict[str, float] = {}
    lowest = -math.inf
    for name in sorted(heights, key=lambda name: heights[name]):
        lowest = max(heights[name], lowest + NAME_HEIGHT)
        placed[name] = lowest
    beyond = max(0.0, lowest - _y(0))
    return [(name, placed[name] - beyond) for name in heights]


def _rating(rating: Interval, ends: Sequence[float], y: float) -> list[str]:
    """Return a dot in the middle of its interval."""
    x = sum(ends) / 2
    return [
        _line(ends[0], y, ends[1], y, ACCENT, width=3),
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="6" fill="{ACCENT}"/>',
        _text(x, y - 11, f"{rating.value:.0f}".replace("-", "−"), size=12, anchor="middle"),
    ]


# Lines and text


def _x(part: float) -> float:
    return LEFT + part * (WIDTH - LEFT - RIGHT)


def _point(x: float, share: float) -> str:
    return f"{x:.1f},{_y(share):.1f}"


def _y(share: float) -> float:
    return TOP + (1 - share) * (HEIGHT - TOP - BOTTOM)


def _grid() -> list[str]:
    lines = [_line(LEFT, _y(share), WIDTH - RIGHT, _y(share), FAINT) for share in (0, 0.25, 0.5, 0.75, 1)]
    words = [
        _text(LEFT - 8, _y(share) + 4, f"{100 * share:.0f} %", size=12, anchor="end")
        for share in (0, 0.25, 0.5, 0.75, 1)
    ]
    return lines + words


def _line(x: float, y: float, to_x: float, to_y: float, colour: str, *, width: float = 1, dashes: str = "") -> str:
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    ends = f'x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}"'
    return f'<line {ends} stroke="{colour}" stroke-width="{width}"{dashed}/>'


def _text(
    x: float, y: float, words: str, *, size: int = 14, anchor: str = "start", weight: str = "400", colour: str = INK
) -> str:
    style = f'font-size="{size}" font-weight="{weight}" text-anchor="{anchor}" fill="{colour}"'
    return f'<text x="{x:.1f}" y="{y:.1f}" {style}>{escape(words)}</text>'


def _picture(height: int, title: str, below: str, parts: Sequence[str]) -> str:
    size = f'viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" font-family="system-ui, sans-serif">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
        _text(24, 26, title, size=16, weight="600"),
        _text(24, 44, below, size=12),
    ]
    return "\n".join([*head, *parts, "</svg>", ""])
