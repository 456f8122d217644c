"""SVG plots of contests and ladders, without a plotting library."""

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
INK, FAINT, ACCENT, BAND = "#1d2733", "#c9d1d9", "#1f5fa8", "#d6e4f5"


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


def ladder(steps: Sequence[Report], ratings: Mapping[str, Interval]) -> str:
    """Return a plot of every level's Elo with its interval, and its win share against the level below."""
    names = sorted(ratings, key=lambda name: -ratings[name].value)
    low, high = min(rating.low for rating in ratings.values()), max(rating.high for rating in ratings.values())
    left, right = 60 + 9 * max(map(len, names)), WIDTH - TEXT_WIDTH - 12
    parts: list[str] = []
    for row, name in enumerate(names):
        y, rating = TOP + 20 + row * ROW_HEIGHT, ratings[name]
        ends = [left + (points - low) / (high - low) * (right - left) for points in (rating.low, rating.high)]
        parts += [
            _text(24, y + 5, name, weight="600"),
            _line(left - 12, y, right + 12, y, FAINT),
            *_rating(rating, ends, y),
        ]
    for step in steps:
        player, below, *_ = step.contest.players
        words = f"{percent(step.standings[0].share)} v {below}"
        parts.append(_text(WIDTH - TEXT_WIDTH + 12, TOP + 25 + names.index(player) * ROW_HEIGHT, words, size=12))
    subtitle = f"{steps[0].contest.rules}, {sum(step.games for step in steps)} games"
    return _picture(TOP + 8 + len(names) * ROW_HEIGHT, "Elo, and win share against the level below", subtitle, parts)


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


def _text(x: float, y: float, words: str, *, size: int = 14, anchor: str = "start", weight: str = "400") -> str:
    style = f'font-size="{size}" font-weight="{weight}" text-anchor="{anchor}" fill="{INK}"'
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
