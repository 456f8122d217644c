"""Pairs of states that one viewer cannot distinguish: the same game as far as it is seen, everything hidden drawn anew.

`other_world` takes the acts of a game and returns acts in which everything that the viewer may not know differs: which
tiles and plates others hold, in which order they put them back, and *when* those that were shown later were drawn. What
the viewer sees (public acts, and the private ones of its own seat) stays the same.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from random import Random
from typing import Any, Protocol, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from tessella.core import record
from tessella.core.game import AnyGame, Config, IllegalMove, Seat
from tessella.core.local import LocalTable
from tessella.games import blockers, duel
from tessella.games.blockers.pieces import FACES, RACK_SIZE
from tessella.games.duel.chance import undecided
from tessella.games.duel.pieces import PRINTED, kind_of

AnyAct: TypeAlias = Any
Viewer: TypeAlias = Seat | None

TRIES = 30
"""Attempts to find another state; without one, the true state is used."""

SECRETIVE = 0.6
"""How often a move that hides something is preferred to any other."""

CONFIGS: Mapping[str, Sequence[str]] = {
    "azul": ("seats=2", "seats=3", "seats=4", "seats=2 wall=grey", "seats=3 wall=grey"),
    "blockers": ("seats=2", "seats=3", "seats=4", "seats=5", "seats=3 scoring=uptown"),
    "duel": ("", "special_counts_as_colour=false"),
}
"""The configurations that the proofs cover."""


def configs(game: AnyGame) -> list[Config]:
    """Return those of one game."""
    name = f"{game.NAME}/{game.EDITION}"
    return [record.read_rules(game, f"{name} {words}".strip()) for words in CONFIGS[game.NAME]]


class Line(Struct, frozen=True):
    """A game that was played: its first deals, then each move with the deals that follow it."""

    config: Config
    turns: tuple[tuple[AnyAct, ...], ...]

    def until(self, turns: int) -> "Line":
        """Return its first deals and this many moves."""
        return Line(self.config, self.turns[: turns + 1])

    @property
    def acts(self) -> list[AnyAct]:
        """All acts in order."""
        return [act for turn in self.turns for act in turn]


def random_line(game: AnyGame, config: Config, rng: Random) -> Line:
    """Return a whole game of random moves."""
    table = LocalTable(game, config, seed=rng.randbytes(32))
    turns = [[step.act for step in table.steps]]
    while table.seats:
        done = len(table.steps)
        moves = game.legal_moves(table.state, rng.choice(table.seats))
        secret = [move for move in moves if isinstance(move, duel.Draw | duel.Return)]
        table.play(rng.choice(secret if secret and rng.random() < SECRETIVE else moves))
        turns.append([step.act for step in table.steps[done:]])
    return Line(config, tuple(map(tuple, turns)))


def other_world(game: AnyGame, line: Line, viewer: Viewer, rng: Random) -> Line:
    """Return a game that is the same for the viewer, with everything else drawn anew."""
    acts = iter(_other_acts(game, line, viewer, rng))
    return Line(line.config, tuple(tuple(next(acts) for _ in turn) for turn in line.turns))


def _other_acts(game: AnyGame, line: Line, viewer: Viewer, rng: Random) -> list[AnyAct]:
    resample = RESAMPLERS.get(game.NAME)
    for _ in range(TRIES if resample else 0):
        with suppress(Contradiction, IllegalMove):
            assert resample is not None
            acts = resample(line, viewer, rng)
            _play(game, line.config, acts)
            return acts
    return line.acts


def _play(game: AnyGame, config: Config, acts: Sequence[AnyAct]) -> None:
    """Raise IllegalMove unless it is a game by the rules."""
    state = game.setup(config)
    for act in acts:
        state, _ = game.apply(state, act)


class Contradiction(Exception):
    """What was drawn anew does not fit what the viewer saw later."""


class Resampler(Protocol):
    """Draws anew what is hidden in one game; may raise `Contradiction` or `IllegalMove`."""

    def __call__(self, line: Line, viewer: Viewer, rng: Random, /) -> list[AnyAct]:
        """Return the acts of another state."""
        ...


# Blockers!: the draws of the others


def _resample_blockers(line: Line, viewer: Viewer, rng: Random) -> list[AnyAct]:
    played: dict[str, list[str]] = {}
    for act in line.acts:
        if isinstance(act, blockers.Place | blockers.PutAside):
            played.setdefault(act.colour, []).append(act.face)
    draws = dict[str, Iterator[str]]()
    acts: list[AnyAct] = []
    for act in line.acts:
        if isinstance(act, blockers.DrawTiles) and act.owner != viewer:
            if act.colour not in draws:
                draws[act.colour] = _draws(played.get(act.colour, []), rng)
            drawn = sorted((next(draws[act.colour]) for _ in act.tiles), key=FACES.index)
            acts.append(replace(act, tiles="".join(drawn)))
        else:
            acts.append(act)
    return acts


def _draws(played: Sequence[str], rng: Random) -> Iterator[str]:
    """Return a uniformly random order of all tiles of a colour in which each is drawn before it is played.

    The n-th tile played may be any of the first 5 + n drawn, less the n played before it: always one of five places.
    """
    order: list[str] = [""] * len(FACES)
    for number, face in enumerate(played):
        free = [place for place in range(RACK_SIZE + number) if not order[place]]
        order[rng.choice(free)] = face
    rest = [face for face in FACES if face not in played]
    rng.shuffle(rest)
    return iter([face or rest.pop() for face in order])


# Azul Duel: the plates that others have looked at


def _resample_duel(line: Line, viewer: Viewer, rng: Random) -> list[AnyAct]:
    assert isinstance(line.config, duel.Config)
    truth = state = duel.setup(line.config)
    acts: list[AnyAct] = []
    for number, act in enumerate(line.acts):
        twin: AnyAct = act
        if isinstance(act, duel.Look) and act.owner != viewer:
            twin = duel.Look(act.owner, _faces(state, act, _shown(line.acts[number:], viewer), rng))
        elif isinstance(act, duel.Return) and act.seat != viewer:
            twin = duel.Return(act.seat, _returned(truth, state, act, rng))
        acts.append(twin)
        truth, _ = duel.apply(truth, act)
        state, _ = duel.apply(state, twin)
    return acts


def _shown(acts: Sequence[AnyAct], viewer: Viewer) -> list[str]:
    """Return the plates that the viewer sees from now on, in order."""
    plates: list[str] = []
    for act in acts:
        if isinstance(act, duel.Open) or (isinstance(act, duel.Look) and act.owner == viewer):
            plates += act.plates
        elif isinstance(act, duel.PlacePlate):
            plates.append(PRINTED[act.plate])
    return plates


def _faces(state: duel.State, act: duel.Look, shown: Sequence[str], rng: Random) -> tuple[str, ...]:
    """Return plates for those that are looked at now: the one that is kept next must be among them."""
    faces = [back.face for back in state.hand]
    fresh = [place for place, back in enumerate(state.hand) if back.fresh]
    unseen = undecided(state)
    for place in fresh:
        truth = act.plates[place]
        keep = rng.random() < (0.8 if truth in shown else 0.2)
        free = [plate for plate in unseen[state.hand[place].kind] if plate not in faces]
        others = [plate for plate in free if plate not in shown] or free
        faces[place] = truth if keep and truth in free else rng.choice(others)
    return tuple(_with_kept(state, faces, fresh, shown[:1], rng))


def _with_kept(
    state: duel.State, faces: list[str], fresh: Sequence[int], kept: Sequence[str], rng: Random
) -> list[str]:
    for plate in kept:
        if plate not in faces:
            kind = kind_of(plate)
            places = [place for place in fresh if state.hand[place].kind == kind]
            if not places:
                raise Contradiction(plate)
            faces[rng.choice(places)] = plate
    return faces


def _returned(truth: duel.State, state: duel.State, act: duel.Return, rng: Random) -> str:
    """Return another plate with the same back."""
    kind = next(back.kind for back in truth.hand if back.face == act.plate)
    same = [back.face for back in state.hand if back.kind == kind]
    return act.plate if act.plate in same and rng.random() < 0.6 else rng.choice(same)


RESAMPLERS: Mapping[str, Resampler] = {"blockers": _resample_blockers, "duel": _resample_duel}
"""Azul hides nothing but future deals."""
