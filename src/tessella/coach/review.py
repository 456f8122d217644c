"""Review of a finished game, act by act: what each move cost, how lucky each deal was, and the totals.

Every act is evaluated with its own random numbers, and a deal with the evaluation of the move before it, so a review
can be split among several workers with the same result.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from math import hypot
from random import Random
from statistics import fmean
from typing import Any, TypeAlias

from msgspec import Struct

from tessella.bots.interface import Budget
from tessella.coach import azul, blockers, duel, generic
from tessella.coach.analysis import Analyser, Expectation, average, win_shares
from tessella.coach.report import Decision, Label, Luck, Probabilities, Report, Split, Tally
from tessella.core.game import AnyGame, Move, Over, Seat
from tessella.core.record import Record, Step, read_rules, replay, write

AnyStep: TypeAlias = Step[Any, Any, Any, Any]

ANALYSERS: Mapping[str, Callable[[int, Budget], Analyser]] = {
    "azul": azul.Analyser,
    "blockers": blockers.Analyser,
    "duel": duel.Analyser,
}
"""The analysers that were made for one game, by number of seats and budget."""

LABELS: Sequence[tuple[float, Label]] = ((0.15, "blunder"), (0.10, "mistake"), (0.05, "inaccuracy"))
"""The label of a loss from this size on."""
SIGNIFICANT = 2
"""A loss is labelled only if it exceeds its noise by this factor."""
TURNING_POINT, MAX_TURNING_POINTS = 0.10, 6
"""Acts that change a win probability by this much are turning points; at most this many are listed."""


class Part(Struct, frozen=True):
    """The evaluation of one act, a move or a deal, with the win probabilities before and after it.

    Before a move these assume the best move; before a deal, the mean over possible deals.
    """

    before: Probabilities
    after: Probabilities
    decision: Decision | None = None
    luck: Luck | None = None


def analyser_for(game: AnyGame, seats: int, budget: Budget) -> Analyser:
    """Return the analyser that was made for a game, or the generic one."""
    own = ANALYSERS.get(game.NAME)
    return own(seats, budget) if own else generic.Analyser(game, budget)


def review(game: AnyGame, record: Record, budget: Budget) -> Report:
    """Return the report on a whole game."""
    return assemble(game, record, list(evaluate_acts(game, record, budget)), budget)


def evaluate_acts(game: AnyGame, record: Record, budget: Budget, first: int = 0) -> Iterator[Part]:
    """Yield the evaluation of each act of a game, starting with act `first`."""
    seats = read_rules(game, record.rules).seats
    analyser = analyser_for(game, seats, budget)
    steps = list(replay(game, record))
    expected = _expected_before(game, analyser, steps, first)
    for step in steps[first:]:
        part, expected = evaluate_act(game, analyser, step, expected)
        yield part


def _expected_before(game: AnyGame, analyser: Analyser, steps: Sequence[AnyStep], number: int) -> Expectation | None:
    """Return what was expected before an act: the evaluation of the move before it, if the act is a deal."""
    if not 0 < number < len(steps) or steps[number].seat is not None or steps[number - 1].seat is None:
        return None
    return evaluate_act(game, analyser, steps[number - 1], None)[1]


def evaluate_act(
    game: AnyGame, analyser: Analyser, step: AnyStep, expected: Expectation | None
) -> tuple[Part, Expectation | None]:
    """Return the evaluation of an act, and what is expected of a deal after it.

    `expected` is what was expected of this act, if it is a deal.
    """
    rng = Random(step.number)  # noqa: S311  not for secrets: the same game gets the same review
    if step.seat is None:
        return _evaluate_deal(analyser, step, expected, rng), None
    return _evaluate_move(game, analyser, step, rng)


def _evaluate_deal(analyser: Analyser, step: AnyStep, expected: Expectation | None, rng: Random) -> Part:
    dealt = analyser.deal(step.before, step.act, expected, rng)
    luck = Luck(step.number, analyser.round_of(step.before), _rounded(dealt.luck), dealt.samples, round(dealt.noise, 4))
    return Part(_rounded(dealt.before), _rounded(dealt.after.probabilities), luck=luck)


def _evaluate_move(game: AnyGame, analyser: Analyser, step: AnyStep, rng: Random) -> tuple[Part, Expectation]:
    played: Move = step.act
    seat = played.seat
    choices = len(game.legal_moves(step.before, seat))
    found = analyser.best(step.before, seat, rng) if choices > 1 else played
    after = analyser.evaluate(step.before, played, rng)
    best, with_best = played, after
    if found is not played and not analyser.same(step.before, found, played):
        evaluated = analyser.evaluate(step.before, found, rng)
        if _is_open(evaluated.probabilities[seat] - after.probabilities[seat], hypot(after.noise, evaluated.noise)):
            after = average(after, analyser.evaluate(step.before, played, rng))
            evaluated = average(evaluated, analyser.evaluate(step.before, found, rng))
        if evaluated.probabilities[seat] > after.probabilities[seat]:
            best, with_best = found, evaluated
    loss = with_best.probabilities[seat] - after.probabilities[seat]
    noise = 0.0 if best is played else hypot(after.noise, with_best.noise)
    label = label_of(loss, noise)
    decision = Decision(
        number=step.number,
        round=analyser.round_of(step.before),
        seat=seat,
        choices=choices,
        played=game.write_move(step.before, played),
        best=game.write_move(step.before, best),
        line=analyser.line(step.before, best, rng) if label else (game.write_move(step.before, best),),
        value=round(with_best.probabilities[seat], 4),
        loss=round(loss, 4),
        points=round(max(0.0, with_best.leads[seat] - after.leads[seat]), 1),
        noise=round(noise, 4),
        label=label,
        shift=_rounded([now - then for now, then in zip(after.probabilities, with_best.probabilities, strict=True)]),
        proved=after.proved and with_best.proved,
    )
    part = Part(_rounded(with_best.probabilities), _rounded(after.probabilities), decision)
    return part, Expectation(seat, after)


def _is_open(loss: float, noise: float) -> bool:
    """Return whether a second evaluation may change the label: the loss is within its noise, and may be large enough.

    >>> _is_open(0.04, 0.03), _is_open(0.04, 0.004), _is_open(0.2, 0.03), _is_open(-0.01, 0.03)
    (True, False, False, False)
    """
    return 0 < loss <= SIGNIFICANT * noise and loss + SIGNIFICANT * noise >= LABELS[-1][0]


def label_of(loss: float, noise: float) -> Label:
    """Return the label of a loss, or "" if it is small or within its noise.

    >>> label_of(0.12, 0.02), label_of(0.12, 0.07), label_of(0.04, 0.0)
    ('mistake', '', '')
    """
    if loss <= SIGNIFICANT * noise:
        return ""
    for size, label in LABELS:
        if loss >= size:
            return label
    return ""


def _rounded(numbers: Sequence[float]) -> Probabilities:
    return tuple(round(number, 4) for number in numbers)


def record_id(whole: Record) -> str:
    """Return the id for the review of an uploaded record: the same for the same rules and acts."""
    return "record-" + sha256(write(Record(whole.rules, whole.acts)).encode()).hexdigest()[:24]


# The whole game


def assemble(game: AnyGame, record: Record, parts: Sequence[Part], budget: Budget) -> Report:
    """Return the report on a game, from the evaluations of its acts."""
    turn = game.turn(list(replay(game, record))[-1].after)
    values = _values(parts)
    result = win_shares(turn.places) if isinstance(turn, Over) else values[-1]
    decisions = tuple(part.decision for part in parts if part.decision is not None)
    deals = tuple(part.luck for part in parts if part.luck is not None)
    seats = range(len(result))
    analyser = analyser_for(game, len(result), budget)
    return Report(
        title=game.NAME,
        rules=record.rules,
        seats=len(result),
        method=analyser.method,
        nodes=analyser.nodes,
        noise=_noise(decisions),
        over=isinstance(turn, Over),
        scores=turn.scores if isinstance(turn, Over) else (),
        places=turn.places if isinstance(turn, Over) else (),
        start=parts[0].before,
        values=(*values[:-1], result),
        decisions=decisions,
        deals=deals,
        turning=_turning(decisions, deals),
        splits=tuple(_split(seat, parts[0].before, result, decisions, deals) for seat in seats),
        tallies=tuple(_tally(seat, decisions) for seat in seats),
    )


def _values(parts: Sequence[Part]) -> list[Probabilities]:
    """Return the win probabilities after each act; before a deal, the mean over possible deals."""
    followers = [*parts[1:], None]
    return [
        part.after if follower is None or follower.luck is None else follower.before
        for part, follower in zip(parts, followers, strict=True)
    ]


def _noise(decisions: Sequence[Decision]) -> float:
    """Return the mean noise of the losses that have any."""
    noises = [decision.noise for decision in decisions if decision.noise]
    return round(fmean(noises), 4) if noises else 0.0


def _turning(decisions: Sequence[Decision], deals: Sequence[Luck]) -> tuple[int, ...]:
    """Return the turning points: the largest labelled losses and lucky deals, in order of play."""
    sizes = {decision.number: decision.loss for decision in decisions if decision.label}
    sizes |= {deal.number: max(deal.luck) for deal in deals if max(deal.luck) > SIGNIFICANT * deal.noise}
    large = [number for number, size in sizes.items() if size >= TURNING_POINT]
    return tuple(sorted(sorted(large, key=lambda number: -sizes[number])[:MAX_TURNING_POINTS]))


def _split(
    seat: Seat, start: Probabilities, result: Probabilities, decisions: Sequence[Decision], deals: Sequence[Luck]
) -> Split:
    luck = sum(deal.luck[seat] for deal in deals)
    own = sum(decision.loss for decision in decisions if decision.seat == seat)
    others = sum(decision.shift[seat] for decision in decisions if decision.seat != seat)
    rest = result[seat] - start[seat] - luck + own - others
    return Split(seat, start[seat], result[seat], *_rounded([luck, own, others, rest]))


def _tally(seat: Seat, decisions: Sequence[Decision]) -> Tally:
    real = [decision for decision in decisions if decision.seat == seat and decision.choices > 1]
    labels = [decision.label for decision in real]
    mean_loss = round(fmean(decision.loss for decision in real), 4) if real else 0.0
    return Tally(seat, len(real), mean_loss, *(labels.count(label) for label in ("inaccuracy", "mistake", "blunder")))
