"""A finished game, looked at act by act: what each move cost, how lucky each deal was, and what came of it all.

Every act is judged for itself, with random numbers of its own; so a review can be made in pieces, by several workers,
and comes out the same.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from statistics import fmean
from typing import Any, TypeAlias

from msgspec import Struct

from tessella.bots.budget import Budget
from tessella.coach import azul, blockers, duel
from tessella.coach.judge import Judge, shares_of
from tessella.coach.report import Decision, Label, Luck, Report, Shares, Split, Tally
from tessella.core.game import AnyGame, Move, Over, Seat
from tessella.core.record import Record, Step, read_rules, replay

AnyStep: TypeAlias = Step[Any, Any, Any, Any]

JUDGES: Mapping[str, Callable[[int, Budget], Judge]] = {
    "azul": azul.Judge,
    "blockers": blockers.Judge,
    "duel": duel.Judge,
}
"""Who judges a game, for so many seats and with such an effort."""

LABELS: Sequence[tuple[float, Label]] = ((0.15, "blunder"), (0.10, "mistake"), (0.05, "inaccuracy"))
"""What a loss is called from which size on."""
SURE = 2
"""A loss is called something only if it is so many times as great as its noise."""
TURNING, MOST_TURNING = 0.10, 6
"""Acts that move somebody's chance by so much are turning points; no more than so many."""


class Part(Struct, frozen=True):
    """One act as the coach sees it: a move or a deal, and what each seat has of the win before and after it.

    Before a move that is what the best one would have brought; before a deal, what deals bring on average.
    """

    before: Shares
    after: Shares
    decision: Decision | None = None
    luck: Luck | None = None


def review(game: AnyGame, record: Record, budget: Budget) -> Report:
    """Look at a whole game."""
    return put_together(game, record, list(look(game, record, budget)), budget)


def look(game: AnyGame, record: Record, budget: Budget, first: int = 0) -> Iterator[Part]:
    """Look at the acts of a game one by one, from one of them on."""
    seats = read_rules(game, record.rules).seats
    judge = JUDGES[game.NAME](seats, budget)
    for step in list(replay(game, record))[first:]:
        yield _look_at(game, judge, step)


def _look_at(game: AnyGame, judge: Judge, step: AnyStep) -> Part:
    rng = Random(step.number)  # noqa: S311  not for secrets: the same game gets the same review
    return _look_at_deal(judge, step, rng) if step.seat is None else _look_at_move(game, judge, step, rng)


def _look_at_deal(judge: Judge, step: AnyStep, rng: Random) -> Part:
    dealt = judge.deal(step.before, step.act, rng)
    luck = Luck(step.number, judge.round_of(step.before), _rounded(dealt.luck), dealt.samples, round(dealt.noise, 4))
    return Part(_rounded(dealt.before), _rounded(dealt.after.shares), luck=luck)


def _look_at_move(game: AnyGame, judge: Judge, step: AnyStep, rng: Random) -> Part:
    played: Move = step.act
    seat = played.seat
    after = judge.weigh(step.before, played, rng)
    best, with_best = played, after
    choices = len(game.legal_moves(step.before, seat))
    if choices > 1:
        found = judge.best(step.before, seat, rng)
        if not judge.same(step.before, found, played):
            weighed = judge.weigh(step.before, found, rng)
            if weighed.shares[seat] > after.shares[seat]:
                best, with_best = found, weighed
    loss = with_best.shares[seat] - after.shares[seat]
    noise = 0.0 if best is played else (after.noise**2 + with_best.noise**2) ** 0.5
    decision = Decision(
        number=step.number,
        round=judge.round_of(step.before),
        seat=seat,
        choices=choices,
        played=game.write_move(step.before, played),
        best=game.write_move(step.before, best),
        line=judge.line(step.before, best, rng),
        value=round(with_best.shares[seat], 4),
        loss=round(loss, 4),
        points=round(max(0.0, with_best.leads[seat] - after.leads[seat]), 1),
        noise=round(noise, 4),
        label=label_of(loss, noise),
        shift=_rounded([now - then for now, then in zip(after.shares, with_best.shares, strict=True)]),
    )
    return Part(_rounded(with_best.shares), _rounded(after.shares), decision)


def label_of(loss: float, noise: float) -> Label:
    """What a loss is called, if it is no mere noise.

    >>> label_of(0.12, 0.02), label_of(0.12, 0.07), label_of(0.04, 0.0)
    ('mistake', '', '')
    """
    if loss <= SURE * noise:
        return ""
    for size, label in LABELS:
        if loss >= size:
            return label
    return ""


def _rounded(shares: Sequence[float]) -> Shares:
    return tuple(round(share, 4) for share in shares)


# The whole game


def put_together(game: AnyGame, record: Record, parts: Sequence[Part], budget: Budget) -> Report:
    """The report, from what was found in each act."""
    turn = game.turn(list(replay(game, record))[-1].after)
    values = _values(parts)
    result = shares_of(turn.places) if isinstance(turn, Over) else values[-1]
    decisions = tuple(part.decision for part in parts if part.decision is not None)
    deals = tuple(part.luck for part in parts if part.luck is not None)
    seats = range(len(result))
    judge = JUDGES[game.NAME](len(result), budget)
    return Report(
        title=game.NAME,
        rules=record.rules,
        seats=len(result),
        method=judge.method,
        nodes=judge.nodes,
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


def _values(parts: Sequence[Part]) -> list[Shares]:
    """What each seat has after each act; before a deal that is what deals bring on average."""
    followers = [*parts[1:], None]
    return [
        part.after if follower is None or follower.luck is None else follower.before
        for part, follower in zip(parts, followers, strict=True)
    ]


def _noise(decisions: Sequence[Decision]) -> float:
    """The usual noise of a loss, where there is any."""
    noises = [decision.noise for decision in decisions if decision.noise]
    return round(fmean(noises), 4) if noises else 0.0


def _turning(decisions: Sequence[Decision], deals: Sequence[Luck]) -> tuple[int, ...]:
    """The acts that moved the chances most: marked moves and lucky deals, the greatest of them, in order."""
    sizes = {decision.number: decision.loss for decision in decisions if decision.label}
    sizes |= {deal.number: max(deal.luck) for deal in deals if max(deal.luck) > SURE * deal.noise}
    great = [number for number, size in sizes.items() if size >= TURNING]
    return tuple(sorted(sorted(great, key=lambda number: -sizes[number])[:MOST_TURNING]))


def _split(seat: Seat, start: Shares, result: Shares, decisions: Sequence[Decision], deals: Sequence[Luck]) -> Split:
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
