"""The coach's review of a game as one HTML page: no scripts, no other files, light and dark."""

from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise

from tessella.coach.report import Decision, Probabilities, Report
from tessella.text.review import effort, helped, percent, say_line, say_luck, say_move, signed
from tessella.text.style import Style

WIDTH, HEIGHT = 920, 300
LEFT, RIGHT, TOP, BOTTOM = 48, 16, 16, 32
MOST_ROUNDS, MOST_DEALS = 12, 12
"""The most rounds numbered, and the most deals shown: those that helped most."""
BAR, LABELS = 34, 150
SEATS = ("--accent", "--second", "--third", "--fourth", "--fifth")
DASHES = ("", "9 5", "2 4", "12 4 2 4", "5 3")
"""A colour and a dash pattern for each seat, so that curves differ without colour too."""
FULL_LUCK = 0.2
"""The win probability of the longest bar, unless a deal changed it more."""
MARKS = {"inaccuracy": ("?!", 7), "mistake": ("?", 8), "blunder": ("??", 9)}

STYLE = """
:root{--plaster:#f5f1e8;--panel:#fffdf8;--line:#ded5c3;--ink:#22303c;--soft:#5f6972;--accent:#1f4e9e;--good:#2e7d4f;
--bad:#b23a2e;--slot:#ece5d6;--second:#a8621b;--third:#17807c;--fourth:#7a4a9a;--fifth:#5c6b1f;color-scheme:light dark}
@media(prefers-color-scheme:dark){:root{--plaster:#12161b;--panel:#1b2129;--line:#2e3742;--ink:#e8e4da;--soft:#9aa5af;
--slot:#262e38;--accent:#7fb0ff;--good:#6cc492;--bad:#f08a7d;--second:#e5a45c;--third:#58c4bf;--fourth:#c79be6;
--fifth:#b7c76a}}
*{box-sizing:border-box}
body{margin:0;background:var(--plaster);color:var(--ink);font:15px/1.5 system-ui,"DejaVu Sans",sans-serif}
main{max-width:980px;margin:0 auto;padding:24px 16px 48px;display:grid;gap:16px}
h1{font:600 26px/1.2 Georgia,"DejaVu Serif",serif;margin:0}
h2{font:600 17px/1.3 Georgia,"DejaVu Serif",serif;margin:0 0 10px}
header p{margin:4px 0 0;color:var(--soft)}
section{background:var(--panel);border:1px solid var(--line);border-radius:14px;padding:16px;overflow-x:auto}
svg{display:block;width:100%;height:auto;min-width:560px}
svg text{font:13px system-ui,"DejaVu Sans",sans-serif;fill:var(--soft);font-variant-numeric:tabular-nums}
svg .name{fill:var(--ink)}svg .mark{font-weight:700;fill:#fff;font-size:11px}
@media(prefers-color-scheme:dark){svg .mark{fill:#12161b}}
ol{margin:0;padding:0;list-style:none;display:grid;gap:10px}
li{border-left:4px solid var(--line);padding:2px 0 2px 12px}
li.loss{border-color:var(--bad)}li.luck{border-color:var(--good)}
li small{display:block;color:var(--soft)}code{font:13px ui-monospace,"DejaVu Sans Mono",monospace}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{padding:6px 10px;text-align:right;border-bottom:1px solid var(--line);white-space:nowrap}
th{color:var(--soft);font-weight:500}th:first-child,td:first-child{text-align:left}tr:last-child td{border:0}
.gain{color:var(--good)}.lost{color:var(--bad)}footer{color:var(--soft);font-size:13px}
.key{display:flex;flex-wrap:wrap;gap:6px 18px;margin:0 0 8px;padding:0}
.key span{display:inline-flex;gap:8px;align-items:center}
.key svg{width:34px;min-width:34px;height:8px}
"""


def page(report: Report, style: Style) -> str:
    """Return the whole page."""
    texts = style.texts
    title = f"{report.title.title()} · {', '.join(style.name(seat) for seat in range(report.seats))}"
    body = [
        f"<header><h1>{escape(title)}</h1><p>{escape(_outcome(report, style))}</p></header>",
        _section(texts("coach.chances"), _key(report, style) + _curves(report, style)),
        _section(texts("coach.turning"), _turning(report, style)),
        _section(texts("coach.luck"), _luck(report, style)),
        _section(texts("coach.split"), _splits(report, style)),
        _section(texts("coach.played"), _tallies(report, style)),
        _section(texts("coach.moves"), _moves(report, style)) if any(one.label for one in report.decisions) else "",
        f"<footer>{escape(effort(report, style))}</footer>",
    ]
    return (
        f'<!doctype html>\n<html lang="{texts.language}"><meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width,initial-scale=1">\n<title>{escape(title)}</title>\n'
        f"<style>{STYLE}</style>\n<main>\n{chr(10).join(filter(None, body))}\n</main></html>\n"
    )


def _outcome(report: Report, style: Style) -> str:
    if not report.over:
        return style.texts("coach.unfinished")
    ranked = sorted(range(report.seats), key=lambda seat: report.places[seat])
    return " · ".join(f"{report.places[seat]}. {style.name(seat)} {report.scores[seat]}" for seat in ranked)


def _section(heading: str, inside: str) -> str:
    return f"<section><h2>{escape(heading)}</h2>{inside}</section>"


# The chances


def _x(report: Report, number: float) -> float:
    """Return the position of an act; the start is before the first."""
    return LEFT + (number + 1) / len(report.values) * (WIDTH - LEFT - RIGHT)


def _y(share: float) -> float:
    return TOP + (1 - share) * (HEIGHT - TOP - BOTTOM)


def _key(report: Report, style: Style) -> str:
    lines = [
        f'<span><svg viewBox="0 0 34 8" aria-hidden="true">{_stroke(seat, "M0 4H34")}</svg>'
        f"{escape(style.name(seat))}</span>"
        for seat in range(report.seats)
    ]
    return f'<p class="key">{"".join(lines)}</p>'


def _stroke(seat: int, path: str) -> str:
    dashes = f' stroke-dasharray="{DASHES[seat]}"' if DASHES[seat] else ""
    return f'<path d="{path}" fill="none" stroke="var({SEATS[seat]})" stroke-width="2.5"{dashes}/>'


def _curves(report: Report, style: Style) -> str:
    """Return a curve for each seat, the starts of the rounds, and each marked move on its player's curve."""
    parts = [*_grid(), *_rounds(report)]
    for seat in range(report.seats):
        shares = [report.start, *report.values]
        points = [f"{_x(report, place - 1):.1f} {_y(values[seat]):.1f}" for place, values in enumerate(shares)]
        parts.append(_stroke(seat, "M" + "L".join(points)))
    parts += [_mark(report, style, decision) for decision in report.decisions if decision.label]
    return _picture(HEIGHT, style.texts("coach.chances"), parts)


def _grid() -> Iterator[str]:
    for share in (0, 0.25, 0.5, 0.75, 1):
        y = _y(share)
        yield f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="var(--line)"/>'
        yield _text(LEFT - 8, y + 4, percent(share), anchor="end")


def _rounds(report: Report) -> Iterator[str]:
    """Yield a line and a number at the start of each round."""
    firsts: dict[int, int] = {}
    for luck in report.deals:
        firsts.setdefault(luck.round, luck.number)
    for number, first in list(firsts.items())[:: -(-len(firsts) // MOST_ROUNDS) or 1]:
        x = _x(report, first)
        yield f'<path d="M{x:.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="var(--line)" stroke-dasharray="3 4"/>'
        yield _text(x, HEIGHT - BOTTOM + 20, str(number), anchor="middle")


def _mark(report: Report, style: Style, decision: Decision) -> str:
    sign, radius = MARKS[decision.label]
    x, y = _x(report, decision.number), _y(report.values[decision.number][decision.seat])
    sentence = escape(say_move(decision, style))
    return (
        f'<g><title>{sentence}</title><circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="var(--bad)" '
        f'stroke="var(--panel)" stroke-width="1.5"/>{_text(x, y + 4, sign, anchor="middle", kind="mark")}</g>'
    )


def _text(x: float, y: float, text: str, *, anchor: str = "start", kind: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" class="{kind}">{escape(text)}</text>'


def _picture(height: float, label: str, parts: Sequence[str]) -> str:
    return f'<svg viewBox="0 0 {WIDTH} {height:.0f}" role="img" aria-label="{escape(label)}">{"".join(parts)}</svg>'


# Turning points and luck


def _turning(report: Report, style: Style) -> str:
    decisions = {decision.number: decision for decision in report.decisions}
    deals = {luck.number: luck for luck in report.deals}
    items = [
        f'<li class="loss">{escape(say_move(decisions[number], style))}{_line(decisions[number], style)}</li>'
        if number in decisions
        else f'<li class="luck">{escape(say_luck(deals[number], style))}</li>'
        for number in report.turning
    ]
    return f"<ol>{''.join(items)}</ol>" if items else f"<p>{escape(style.texts('coach.quiet'))}</p>"


def _line(decision: Decision, style: Style) -> str:
    return f"<small>{escape(say_line(decision, style))}</small>"


def _luck(report: Report, style: Style) -> str:
    """Return a bar for each deal that helped a player, with its uncertainty."""
    greatest = sorted(report.deals, key=lambda luck: -max(luck.luck))[:MOST_DEALS]
    shown = [luck for luck in report.deals if luck in greatest and max(luck.luck) >= 0.01]
    most = max([FULL_LUCK, *(luck.luck[helped(luck)] + luck.noise for luck in shown)])
    scale = (WIDTH - LABELS - LEFT - 90) / most
    parts: list[str] = []
    for row, luck in enumerate(shown):
        seat, y = helped(luck), row * BAR + 4
        share = luck.luck[seat]
        low, high = (LABELS + LEFT + scale * max(0.0, share + side * luck.noise) for side in (-1, 1))
        parts += [
            _text(0, y + 17, f"{style.texts('coach.rounds')} {luck.round}"),
            _text(LEFT + 30, y + 17, style.name(seat), kind="name"),
            f'<rect x="{LABELS + LEFT}" y="{y}" width="{scale * share:.1f}" height="{BAR - 12}" rx="5" '
            f'fill="var({SEATS[seat]})" opacity=".85"/>',
            f'<path d="M{low:.1f} {y + 11}H{high:.1f}" stroke="var(--ink)" stroke-width="1.5"/>',
            _text(high + 8, y + 16, signed(share)),
        ]
    return _picture(len(shown) * BAR + 4, style.texts("coach.luck"), parts)


# The split, and how everyone played


def _splits(report: Report, style: Style) -> str:
    """Return the steps from the start to the result for each seat, drawn and as numbers."""
    heads = [style.texts(f"coach.{word}") for word in ("start", "of_luck", "own", "others", "rest", "result")]
    rows: list[list[str]] = []
    for split in report.splits:
        gains = (split.luck, -split.own_losses, split.others_losses, split.rest)
        rows.append([percent(split.start), *map(_gain, gains), percent(split.result)])
    steps = [(split.luck, -split.own_losses, split.others_losses, split.rest) for split in report.splits]
    corrected = f"<p><small>{escape(style.texts('coach.corrected'))}</small></p>"
    return _waterfalls(report, style, heads, steps) + _table(heads, rows, style) + corrected


def _gain(share: float) -> str:
    kind = "gain" if share >= 0.005 else "lost" if share <= -0.005 else ""
    return f'<span class="{kind}">{signed(share)}</span>'


def _waterfalls(report: Report, style: Style, heads: Sequence[str], steps: Sequence[Probabilities]) -> str:
    """Return the steps up and down from the start to the result; a sum may be negative on the way."""
    levels = [_levels(report.start[seat], steps[seat]) for seat in range(report.seats)]
    low, high = min(0.0, *map(min, levels)), max(1.0, *map(max, levels))
    rows = [_waterfall(style.name(seat), levels[seat], seat, low, high) for seat in range(report.seats)]
    places = [LABELS + (WIDTH - LABELS) * (2 * step + 1) / 12 for step in range(6)]
    parts = [_text(x, 14, head, anchor="middle") for x, head in zip(places, heads, strict=True)]
    return _picture(
        24 + 100 * report.seats, style.texts("coach.split"), [*parts, *(part for row in rows for part in row)]
    )


def _levels(start: float, steps: Probabilities) -> list[float]:
    levels = [start]
    for step in steps:
        levels.append(levels[-1] + step)
    return levels


def _waterfall(name: str, levels: Sequence[float], seat: int, low: float, high: float) -> Iterator[str]:
    top, tall, wide = 24 + 100 * seat + 8, 84, (WIDTH - LABELS) / 6

    def y(level: float) -> float:
        return top + (high - level) / (high - low) * tall

    yield _text(0, top + tall / 2, name, kind="name")
    yield f'<path d="M{LABELS} {y(0):.1f}H{WIDTH}" stroke="var(--line)"/>'
    bars = [(0.0, levels[0]), *pairwise(levels), (0.0, levels[-1])]
    for step, (before, after) in enumerate(bars):
        colour = SEATS[seat] if step in (0, 5) else "--good" if after >= before else "--bad"
        x, above, below = LABELS + step * wide, y(max(before, after)), y(min(before, after))
        yield (
            f'<rect x="{x + 0.2 * wide:.1f}" y="{above:.1f}" width="{0.6 * wide:.1f}" '
            f'height="{max(1.5, below - above):.1f}" rx="3" fill="var({colour})" opacity=".85"/>'
        )
        if step < 5:
            yield (
                f'<path d="M{x + 0.8 * wide:.1f} {y(after):.1f}H{x + 1.2 * wide:.1f}" stroke="var(--soft)" '
                f'stroke-dasharray="2 3"/>'
            )


def _tallies(report: Report, style: Style) -> str:
    heads = [
        style.texts(f"coach.{word}") for word in ("decisions", "mean_loss", "inaccuracies", "mistakes", "blunders")
    ]
    rows = [
        [
            str(tally.decisions),
            f"{100 * tally.mean_loss:.1f} %",
            str(tally.inaccuracies),
            str(tally.mistakes),
            str(tally.blunders),
        ]
        for tally in report.tallies
    ]
    return _table(heads, rows, style)


def _moves(report: Report, style: Style) -> str:
    rows = [
        f"<tr><td>{decision.number} · {escape(style.name(decision.seat))}</td>"
        f"<td><code>{escape(decision.played)}</code></td><td>{_gain(-decision.loss)}</td>"
        f"<td>{escape(style.texts(f'coach.{decision.label}'))}</td>"
        f"<td>{escape(style.texts('coach.instead', best=decision.best))}</td></tr>"
        for decision in report.decisions
        if decision.label
    ]
    return f"<table>{''.join(rows)}</table>"


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]], style: Style) -> str:
    """Return one row per seat; the cells are HTML."""
    head = "".join(f"<th>{escape(word)}</th>" for word in ("", *heads))
    body = [
        f"<tr><td>{escape(style.name(seat))}</td>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>"
        for seat, row in enumerate(rows)
    ]
    return f"<table><tr>{head}</tr>{''.join(body)}</table>"
