"""The deals were fixed before play, are as random as fair dice, and a record that was tampered with is rejected.

Every statistic is compared with exact probabilities, computed from the contents of the game's box. The smallest of all
p-values, times their number, is judged: fair dice miss that gate once in a million runs.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from itertools import product
from math import comb, prod
from random import Random
from typing import TypeAlias

from msgspec.structs import replace

from proofs import Ask, Figure, Report
from proofs.chance import Chances, p_value, p_value_of_samples
from tessella.core import dice, record
from tessella.core.dice import Contribution, Dice, Stream, draw, pledge
from tessella.core.game import AnyGame, BadNotation, Config
from tessella.core.local import LocalTable
from tessella.games import GAMES, azul, blockers, duel
from tessella.games.duel.pieces import PLATES
from tessella.progress import progress

ERROR_RATE = 1e-6
"""How often fair dice would fail."""

SIZES = (2, 3, 5, 7, 28, 100)
BIASED = 3 << 62
"""Below this bound, a bare remainder of 64 bits makes the first third twice as likely as the others."""

FRESH_SEEDS = 200
SEED_BYTES = 32
TAMPERED_GAMES = 5
"""Per title."""

Look: TypeAlias = Callable[[Dice], Hashable]


def prove(ask: Ask) -> Report:
    """Roll the dice for `ask.size` games, and tamper with a few records."""
    p_values = {**_numbers(ask), **_first_deals(ask)}
    least = min(p_values, key=lambda name: p_values[name])
    accepted = list(_tampered(ask))
    poor = _poor_places()
    return Report(
        (
            Figure("statistics", len(p_values), at_least=20, note="of numbers and first deals, each against chance"),
            Figure(
                "corrected_p",
                min(1.0, p_values[least] * len(p_values)),
                at_least=ERROR_RATE,
                note=f"of the most extreme, {least}; fair dice miss the gate once in a million runs",
            ),
            Figure("poor_bytes", poor, at_most=0, note="of a seed that follow from others: open to brute force"),
            Figure("tampered_accepted", len(accepted), at_most=0, note="tampered records that were accepted"),
        ),
        tuple(accepted),
    )


def _dice(ask: Ask, number: int) -> Dice:
    return Dice(sha256(f"{ask.seed}/{number}".encode()).digest(), f"game-{number}", "rules")


# Seeds


def _poor_places() -> int:
    """Return how many of the 32 bytes of a fresh seed hardly change, or repeat another one."""
    columns = list(zip(*(dice.fresh_seed() for _ in range(FRESH_SEEDS)), strict=True))
    distinct = {column for column in columns if len({*column}) > FRESH_SEEDS // 4}
    return SEED_BYTES - len(distinct)


# Numbers


def _numbers(ask: Ask) -> dict[str, float]:
    """Yield the p-values of numbers below n, thirds of a huge range, successive numbers, and draws from a bag."""
    looks: dict[str, tuple[Look, Chances]] = {f"below {size}": (_below(size), _even(range(size))) for size in SIZES}
    looks["thirds"] = (lambda thrown: thrown.stream(0).randrange(BIASED) >> 62, _even(range(3)))
    looks["pairs in a deal"] = (_pair_in_a_deal, _even(product(range(6), repeat=2)))
    looks["pairs of deals"] = (_pair_of_deals, _even(product(range(6), repeat=2)))
    looks["two draws"] = (_two_draws, {"same": 1 / 5, "other": 4 / 5})
    counted: dict[str, Counter[Hashable]] = {name: Counter() for name in looks}
    for number in progress(range(ask.size), "dice"):
        thrown = _dice(ask, number)
        for name, (look, _) in looks.items():
            counted[name][look(thrown)] += 1
    return {name: p_value(counted[name], chances) for name, (_, chances) in looks.items()}


def _even(kinds: Iterable[object]) -> Chances:
    listed = list(kinds)
    return {kind: 1 / len(listed) for kind in listed}


def _below(size: int) -> Look:
    return lambda thrown: thrown.stream(size).randrange(size)


def _pair_in_a_deal(thrown: Dice) -> Hashable:
    stream = thrown.stream(1)
    return stream.randrange(6), stream.randrange(6)


def _pair_of_deals(thrown: Dice) -> Hashable:
    return thrown.stream(2).randrange(6), thrown.stream(3).randrange(6)


def _two_draws(thrown: Dice) -> Hashable:
    bag, stream = [2, 2, 2], thrown.stream(4)
    return "same" if draw(bag, stream) == draw(bag, stream) else "other"


# First deals


def _first_deals(ask: Ask) -> dict[str, float]:
    """Yield the p-values of the first deals of each game, given the contents of its box."""
    azul_deals = [_azul_deal(_dice(ask, number).stream(0)) for number in progress(range(ask.size), "azul")]
    racks = [_rack(_dice(ask, number).stream(0)) for number in progress(range(ask.size), "blockers")]
    shuffles = [_shuffle(_dice(ask, number).stream(0)) for number in progress(range(ask.size), "duel")]
    fills = [_fill(shuffle, _dice(ask, number).stream(1)) for number, shuffle in enumerate(shuffles)]
    small = _heaps((20,) * 5, 4)
    large = _heaps(duel.setup(duel.Config()).bag, 5, least_colours=2)
    return {
        "azul, start": p_value(Counter(deal.start for deal in azul_deals), _even(range(2))),
        "azul, first factory": p_value(Counter(_colours(deal.factories[0], "byrkw") for deal in azul_deals), small),
        "azul, last factory": p_value(Counter(_colours(deal.factories[-1], "byrkw") for deal in azul_deals), small),
        "blockers, rack": _p_of_racks(racks),
        "blockers, letters": p_value(Counter(_letters(rack) for rack in racks), _hypergeometric(9, 28, 5)),
        "duel, start": p_value(Counter(shuffle.start for shuffle in shuffles), _even(range(2))),
        "duel, kinds": p_value_of_samples(
            Counter(place for shuffle in shuffles for place, kind in enumerate(shuffle.kinds) if kind == "*"),
            range(18),
            9,
        ),
        "duel, first plate": p_value(Counter(shuffle.plates[0] for shuffle in shuffles), _even(PLATES)),
        "duel, last plate": p_value(Counter(shuffle.plates[-1] for shuffle in shuffles), _even(PLATES)),
        "duel, large factory": p_value(Counter(_colours(fill.factories[0], "byrkt") for fill in fills), large),
    }


def _azul_deal(stream: Stream) -> azul.Deal:
    return azul.deal(azul.setup(azul.Config(seats=2)), stream)


def _rack(stream: Stream) -> str:
    state, _ = blockers.apply(blockers.setup(blockers.Config(seats=3)), blockers.DrawStart(0))
    deal = blockers.deal(state, stream)
    assert isinstance(deal, blockers.DrawTiles)
    return deal.tiles


def _shuffle(stream: Stream) -> duel.Shuffle:
    deal = duel.deal(duel.setup(duel.Config()), stream)
    assert isinstance(deal, duel.Shuffle)
    return deal


def _fill(shuffle: duel.Shuffle, stream: Stream) -> duel.Fill:
    state, _ = duel.apply(duel.setup(duel.Config()), shuffle)
    deal = duel.deal(state, stream)
    assert isinstance(deal, duel.Fill)
    return deal


def _p_of_racks(racks: Sequence[str]) -> float:
    faces = blockers.setup(blockers.Config(seats=3)).stocks[0].supply
    return p_value_of_samples(Counter(face for rack in racks for face in rack), faces, 5)


def _letters(rack: str) -> int:
    return sum(face in "ABCDEFGHI" for face in rack)


def _colours(heap: str, colours: str) -> tuple[int, ...]:
    return tuple(heap.count(colour) for colour in colours)


def _heaps(bag: Sequence[int], size: int, least_colours: int = 1) -> Chances:
    """Return the probability of every heap of this many tiles from a bag that shows enough colours."""
    fills = [fill for fill in product(range(size + 1), repeat=len(bag)) if sum(fill) == size]
    ways = {fill: prod(map(comb, bag, fill)) for fill in fills if sum(map(bool, fill)) >= least_colours}
    total = sum(ways.values())
    return {fill: count / total for fill, count in ways.items()}


def _hypergeometric(good: int, total: int, taken: int) -> Chances:
    ways = {hit: comb(good, hit) * comb(total - good, taken - hit) for hit in range(taken + 1)}
    return {hit: count / comb(total, taken) for hit, count in ways.items()}


# Records that were tampered with


def _tampered(ask: Ask) -> Iterator[str]:
    """Return how many tampered records are accepted."""
    for game in GAMES.values():
        for number in range(TAMPERED_GAMES):
            rng = Random(f"{ask.seed} {number}")
            whole = random_record(game, game.Config(), rng, f"game-{number}")
            assert record.verify(game, whole), "it was true before"
            for what, changed in _changes(whole, rng):
                with suppress(BadNotation):
                    record.verify(game, changed)
                    yield f"{game.NAME}, game {number}: {what} was changed, and nobody noticed"


def random_record(game: AnyGame, config: Config, rng: Random, game_id: str) -> record.Record:
    """Return a random game to which every player has added a number."""
    given = [_contribution(game_id, seat, rng.randbytes(32)) for seat in range(config.seats)]
    names = [f"Player {seat}" for seat in range(config.seats)]
    table = LocalTable(game, config, seed=rng.randbytes(32), id=game_id, names=names, contributions=given)
    while table.seats:
        table.play(rng.choice(table.moves))
    return table.record()


def _contribution(game_id: str, seat: int, number: bytes) -> Contribution:
    return Contribution(seat, pledge(game_id, seat, number), number)


def _changes(whole: record.Record, rng: Random) -> Iterator[tuple[str, record.Record]]:
    first, *others = whole.contributions
    yield "the seed", replace(whole, seed=_other(whole.seed))
    yield "the commitment", replace(whole, commitment=_other(whole.commitment))
    yield "the seal", replace(whole, seal=_other(whole.seal))
    yield "a number", replace(whole, contributions=(replace(first, number=_other(first.number)), *others))
    yield "a pledge", replace(whole, contributions=(replace(first, pledge=_other(first.pledge)), *others))
    yield "who added a number", replace(whole, contributions=tuple(others))
    yield "the name of the game", replace(whole, id=whole.id + "x")
    yield "the scores", replace(whole, scores=(whole.scores[0] + 1, *whole.scores[1:]))
    yield "the end", replace(whole, acts=whole.acts[:-1])
    deals = [number for number, act in enumerate(whole.acts) if act.startswith("*")]
    for number in rng.sample(deals, min(len(deals), 4)):
        swapped = whole.acts[number].translate(str.maketrans("bykAC", "ykbCA"))
        if swapped != whole.acts[number]:
            yield f"deal {number}", replace(whole, acts=(*whole.acts[:number], swapped, *whole.acts[number + 1 :]))


def _other(secret: bytes) -> bytes:
    return bytes([secret[0] ^ 1]) + secret[1:]
