"""The coach's review of a game, as text."""

from collections.abc import Iterator, Sequence

from tessella.coach.report import Decision, Luck, Report
from tessella.core.game import Seat
from tessella.text.style import Style

BARS = "▁▂▃▄▅▆▇█"
SHOWN_LINE = 8
"""The most moves shown of a line."""
HALF = 12
"""The width of half a luck bar, in columns."""
FULL_LUCK = 0.3
MOST_DEALS = 12
"""The most deals shown: those that helped most."""


def narrate(report: Report, style: Style) -> Iterator[str]:
    """Yield the whole review, line by line."""
    yield report.rules
    if not report.over:
        yield style.texts("coach.unfinished")
    yield from _section(style, "coach.chances", _chances(report, style))
    yield from _section(style, "coach.turning", _turning(report, style))
    yield from _section(style, "coach.moves", _moves(report, style))
    yield from _section(style, "coach.luck", _luck(report, style))
    yield from _section(style, "coach.split", _splits(report, style))
    yield from _section(style, "coach.played", _tallies(report, style))
    yield ""
    yield effort(report, style)


def effort(report: Report, style: Style) -> str:
    """Return how positions were evaluated, and how reliable that is."""
    if report.method == "first sight":
        return style.texts("coach.first_sight")
    return style.texts("coach.search", nodes=f"{report.nodes:,}", noise=percent(report.noise))


def percent(share: float) -> str:
    """Return a win probability.

    >>> percent(0.0449), percent(-0.5)
    ('4 %', '−50 %')
    """
    return f"{round(100 * share)} %".replace("-", "−")


def signed(share: float) -> str:
    """Return a change of win probability, with its sign.

    >>> signed(0.0449), signed(-0.5), signed(0.001)
    ('+4 %', '−50 %', '0 %')
    """
    number = round(100 * share)
    return (f"{number:+d} %" if number else "0 %").replace("-", "−")


def helped(luck: Luck) -> Seat:
    """Return the seat that a deal helped most."""
    return luck.luck.index(max(luck.luck))


def say_move(decision: Decision, style: Style) -> str:
    """Return a move, the better one, and the difference."""
    said = style.texts(
        "coach.better",
        number=decision.number,
        round=decision.round,
        who=style.name(decision.seat),
        played=decision.played,
        best=decision.best,
        loss=percent(decision.loss),
        points=style.texts("points", n=round(decision.points)),
    )
    return f"{said} {style.texts('coach.proved')}" if decision.proved else said


def say_line(decision: Decision, style: Style) -> str:
    """Return the coach's line as numbered moves, the better one first."""
    moves = [f"{number}. {move}" for number, move in enumerate(decision.line[:SHOWN_LINE], 1)]
    return style.texts("coach.line", line="  ".join(moves))


def say_luck(luck: Luck, style: Style) -> str:
    """Return a deal, and the player it helped."""
    seat = helped(luck)
    return style.texts(
        "coach.lucky", number=luck.number, round=luck.round, who=style.name(seat), luck=percent(luck.luck[seat])
    )


def _section(style: Style, heading: str, lines: Iterator[str]) -> Iterator[str]:
    found = list(lines)
    if found:
        yield ""
        yield style.strong(style.texts(heading))
        yield from (f"  {line}".rstrip() for line in found)


def _chances(report: Report, style: Style) -> Iterator[str]:
    """Yield a bar chart for each seat, with the starts of the rounds below."""
    below = style.texts("coach.rounds")
    wide = max(len(below), *(len(style.name(seat)) for seat in range(report.seats)))
    step = -(-len(report.values) // max(20, style.width - wide - 16))
    for seat in range(report.seats):
        shares = [values[seat] for values in report.values[::step]]
        bars = "".join(BARS[min(7, int(8 * share))] for share in shares)
        ends = f"{percent(report.start[seat])} … {percent(report.values[-1][seat])}"
        yield f"{style.name(seat):{wide}} {bars} {ends}"
    yield f"{below:{wide}} {_ruler(report, step)}"


def _ruler(report: Report, step: int) -> str:
    """Return the number of each round at its start, where it fits."""
    ruler = ""
    for luck in report.deals:
        place = luck.number // step
        if f" {luck.round} " not in f" {ruler} " and place >= len(ruler) + bool(ruler):
            ruler = f"{ruler:{place}}{luck.round}"
    return ruler


def _turning(report: Report, style: Style) -> Iterator[str]:
    decisions = {decision.number: decision for decision in report.decisions}
    deals = {luck.number: luck for luck in report.deals}
    for number in report.turning:
        yield say_move(decisions[number], style) if number in decisions else say_luck(deals[number], style)
        if number in decisions:
            yield "   " + style.faint(say_line(decisions[number], style))
    if not report.turning:
        yield style.texts("coach.quiet")


def _moves(report: Report, style: Style) -> Iterator[str]:
    for decision in report.decisions:
        if decision.label:
            label = style.texts(f"coach.{decision.label}")
            better = style.texts("coach.instead", best=decision.best)
            start = f"{decision.number:4} {style.name(decision.seat):12} {decision.played:8}"
            proved = f" {style.texts('coach.proved')}" if decision.proved else ""
            yield f"{start} {signed(-decision.loss):>6}  {label}; {better}{proved}"


def _luck(report: Report, style: Style) -> Iterator[str]:
    """Yield a bar for each deal that mattered: to the right it helped the named player."""
    greatest = sorted(report.deals, key=lambda luck: -max(luck.luck))[:MOST_DEALS]
    for luck in report.deals:
        seat = helped(luck)
        if luck in greatest and max(luck.luck) >= 0.01:
            filled = min(HALF, round(HALF * luck.luck[seat] / FULL_LUCK))
            bar = "█" * filled + "·" * (HALF - filled)
            yield f"{luck.number:4} {style.name(seat):12} {bar} {signed(luck.luck[seat]):>6} ± {percent(luck.noise)}"


def _splits(report: Report, style: Style) -> Iterator[str]:
    texts = ("start", "of_luck", "own", "others", "rest", "result")
    rows = [
        [
            percent(split.start),
            signed(split.luck),
            signed(-split.own_losses),
            signed(split.others_losses),
            signed(split.rest),
            percent(split.result),
        ]
        for split in report.splits
    ]
    yield from _table([style.texts(f"coach.{word}") for word in texts], rows, style)
    if any(round(100 * split.rest) for split in report.splits):
        yield style.faint(style.texts("coach.corrected"))


def _tallies(report: Report, style: Style) -> Iterator[str]:
    texts = ("decisions", "mean_loss", "inaccuracies", "mistakes", "blunders")
    rows = [
        [str(tally.decisions), f"{100 * tally.mean_loss:.1f} %", *map(str, counts)]
        for tally in report.tallies
        for counts in [(tally.inaccuracies, tally.mistakes, tally.blunders)]
    ]
    yield from _table([style.texts(f"coach.{word}") for word in texts], rows, style)


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]], style: Style) -> Iterator[str]:
    """Yield one row per seat, with the numbers right-aligned."""
    widths = [max(len(head), *(len(row[column]) for row in rows)) for column, head in enumerate(heads)]
    wide = max(len(style.name(seat)) for seat in range(len(rows)))
    yield " " * wide + "".join(f"  {head:>{width}}" for head, width in zip(heads, widths, strict=True))
    for seat, row in enumerate(rows):
        cells = "".join(f"  {cell:>{width}}" for cell, width in zip(row, widths, strict=True))
        yield f"{style.name(seat):{wide}}{cells}"
