"""What the coach found in a game, told in a terminal."""

from collections.abc import Iterator, Sequence

from tessella.coach.report import Decision, Luck, Report
from tessella.core.game import Seat
from tessella.terminal.pen import Pen

BARS = "▁▂▃▄▅▆▇█"
SHOWN_LINE = 8
"""So many moves of a line are shown."""
HALF = 12
"""The width of half a scale of luck."""
FULL_LUCK = 0.3
MOST_DEALS = 12
"""So many deals are told: those that helped most."""


def tell(report: Report, pen: Pen) -> Iterator[str]:
    """The whole report, line by line."""
    yield report.rules
    if not report.over:
        yield pen.words("coach.unfinished")
    yield from _section(pen, "coach.chances", _chances(report, pen))
    yield from _section(pen, "coach.turning", _turning(report, pen))
    yield from _section(pen, "coach.moves", _moves(report, pen))
    yield from _section(pen, "coach.luck", _luck(report, pen))
    yield from _section(pen, "coach.split", _splits(report, pen))
    yield from _section(pen, "coach.played", _tallies(report, pen))
    yield ""
    yield effort(report, pen)


def effort(report: Report, pen: Pen) -> str:
    """How positions were judged, and what that is worth."""
    if report.method == "first sight":
        return pen.words("coach.first_sight")
    return pen.words("coach.search", nodes=f"{report.nodes:,}", noise=percent(report.noise))


def percent(share: float) -> str:
    """A part of the win.

    >>> percent(0.0449), percent(-0.5)
    ('4 %', '−50 %')
    """
    return f"{round(100 * share)} %".replace("-", "−")


def signed(share: float) -> str:
    """A part of the win that was gained or lost.

    >>> signed(0.0449), signed(-0.5), signed(0.001)
    ('+4 %', '−50 %', '0 %')
    """
    number = round(100 * share)
    return (f"{number:+d} %" if number else "0 %").replace("-", "−")


def helped(luck: Luck) -> Seat:
    """Whom a deal helped most."""
    return luck.luck.index(max(luck.luck))


def say_move(decision: Decision, pen: Pen) -> str:
    """A move, the better one, and what the difference was."""
    return pen.words(
        "coach.better",
        number=decision.number,
        round=decision.round,
        who=pen.name(decision.seat),
        played=decision.played,
        best=decision.best,
        loss=percent(decision.loss),
        points=pen.words("points", n=round(decision.points)),
    )


def say_luck(luck: Luck, pen: Pen) -> str:
    """A deal, and whom it helped."""
    seat = helped(luck)
    return pen.words(
        "coach.lucky", number=luck.number, round=luck.round, who=pen.name(seat), luck=percent(luck.luck[seat])
    )


def _section(pen: Pen, heading: str, lines: Iterator[str]) -> Iterator[str]:
    told = list(lines)
    if told:
        yield ""
        yield pen.strong(pen.words(heading))
        yield from (f"  {line}".rstrip() for line in told)


def _chances(report: Report, pen: Pen) -> Iterator[str]:
    """A curve of bars for each seat, and below them where the rounds begin."""
    below = pen.words("coach.rounds")
    wide = max(len(below), *(len(pen.name(seat)) for seat in range(report.seats)))
    step = -(-len(report.values) // max(20, pen.width - wide - 16))
    for seat in range(report.seats):
        shares = [values[seat] for values in report.values[::step]]
        bars = "".join(BARS[min(7, int(8 * share))] for share in shares)
        ends = f"{percent(report.start[seat])} → {percent(report.values[-1][seat])}"
        yield f"{pen.name(seat):{wide}} {bars} {ends}"
    yield f"{below:{wide}} {_ruler(report, step)}"


def _ruler(report: Report, step: int) -> str:
    """The number of each round where it begins, as far as there is room."""
    ruler = ""
    for luck in report.deals:
        place = luck.number // step
        if f" {luck.round} " not in f" {ruler} " and place >= len(ruler) + bool(ruler):
            ruler = f"{ruler:{place}}{luck.round}"
    return ruler


def _turning(report: Report, pen: Pen) -> Iterator[str]:
    decisions = {decision.number: decision for decision in report.decisions}
    deals = {luck.number: luck for luck in report.deals}
    for number in report.turning:
        yield say_move(decisions[number], pen) if number in decisions else say_luck(deals[number], pen)
        if number in decisions:
            yield "   " + pen.faint(pen.words("coach.line", line=" ".join(decisions[number].line[:SHOWN_LINE])))
    if not report.turning:
        yield pen.words("coach.quiet")


def _moves(report: Report, pen: Pen) -> Iterator[str]:
    for decision in report.decisions:
        if decision.label:
            best = f"{decision.played} → {decision.best}"
            label = pen.words(f"coach.{decision.label}")
            yield f"{decision.number:4} {pen.name(decision.seat):12} {best:20} {signed(-decision.loss):>6}  {label}"


def _luck(report: Report, pen: Pen) -> Iterator[str]:
    """A bar for each deal that moved anything: to the right it helped who is named."""
    greatest = sorted(report.deals, key=lambda luck: -max(luck.luck))[:MOST_DEALS]
    for luck in report.deals:
        seat = helped(luck)
        if luck in greatest and max(luck.luck) >= 0.01:
            filled = min(HALF, round(HALF * luck.luck[seat] / FULL_LUCK))
            bar = "█" * filled + "·" * (HALF - filled)
            yield f"{luck.number:4} {pen.name(seat):12} {bar} {signed(luck.luck[seat]):>6} ± {percent(luck.noise)}"


def _splits(report: Report, pen: Pen) -> Iterator[str]:
    words = ("start", "of_luck", "own", "others", "rest", "result")
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
    yield from _table([pen.words(f"coach.{word}") for word in words], rows, pen)


def _tallies(report: Report, pen: Pen) -> Iterator[str]:
    words = ("decisions", "mean_loss", "inaccuracies", "mistakes", "blunders")
    rows = [
        [str(tally.decisions), f"{100 * tally.mean_loss:.1f} %", *map(str, counts)]
        for tally in report.tallies
        for counts in [(tally.inaccuracies, tally.mistakes, tally.blunders)]
    ]
    yield from _table([pen.words(f"coach.{word}") for word in words], rows, pen)


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]], pen: Pen) -> Iterator[str]:
    """A row a seat, figures to the right."""
    widths = [max(len(head), *(len(row[column]) for row in rows)) for column, head in enumerate(heads)]
    wide = max(len(pen.name(seat)) for seat in range(len(rows)))
    yield " " * wide + "".join(f"  {head:>{width}}" for head, width in zip(heads, widths, strict=True))
    for seat, row in enumerate(rows):
        cells = "".join(f"  {cell:>{width}}" for cell, width in zip(row, widths, strict=True))
        yield f"{pen.name(seat):{wide}}{cells}"
