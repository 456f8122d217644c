"""Play through our engine and an oracle side by side, and compare them after every act."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from tessella.core.game import AnyGame, Chance, Choose, Config, IllegalMove, Over
from tessella.games import azul, blockers, duel
from tests.games.azul import positions as azul_positions
from tests.games.blockers import positions as blockers_positions
from tests.oracles import policies
from tests.oracles.azul import Azul
from tests.oracles.blockers import Blockers
from tests.oracles.duel import Duel
from tests.oracles.oracle import CHANCE, OVER, Oracle, RuleBroken, Table, Turn
from tests.oracles.policies import Policy, at_random
from tests.oracles.positions import Position, dense_final, scarce_lid, scarce_supply
from tests.oracles.tables import azul_table, blockers_table, duel_options, duel_table

DOCS = Path(__file__).parents[2] / "docs" / "rules"

NOT_EXERCISED = {
    "AZ60": "says what players may know: views and leaks are tested apart, no act depends on it",
    "BL40": "says what players may know: views and leaks are tested apart, no act depends on it",
}
"""Rules that no comparison of acts can exercise, and why."""


class Difference(AssertionError):
    """Our engine and the oracle disagree."""


class Title(NamedTuple):
    """A game with its oracle, and what the comparison varies."""

    game: AnyGame
    configs: Sequence[Config]
    policies: Mapping[str, Policy]
    start: Callable[[Any], Oracle]
    """Make the oracle of a new game from its options."""
    oracle: type[Azul | Blockers | Duel]
    table: Callable[[Any], Table]
    long: Mapping[str, Policy] = {}
    """Policies of long games, one in `LONG_EVERY`."""

    def rules(self) -> dict[str, str]:
        """Return the rules that the comparison must exercise: their titles by id, in the order of the rules page."""
        page = (DOCS / f"{self.game.NAME}.en.md").read_text()
        found: list[tuple[str, str]] = re.findall(r"^- \*\*([A-Z]{2}[0-9]{2})\*\* \*([^*]+)\.\*", page, re.MULTILINE)
        return {rule: name for rule, name in found if rule not in NOT_EXERCISED}


LONG_EVERY = 60

FACES = (
    ("rows", "columns", "diagonals"),
    ("colour_rows", "outer", "corners"),
    ("rows", "columns", "diagonals", "jokers"),
    ("colour_rows", "outer", "corners", "empty_specials"),
    ("colour_rows", "columns", "jokers"),
    ("outer", "diagonals", "empty_specials"),
)

READINGS = ((True, "forced"), (False, "always"), ("alone", "forced"))
"""Of DU51 and DU22."""

TITLES = {
    "azul": Title(
        azul,
        azul_positions.CONFIGS,
        policies.AZUL,
        lambda config: Azul(config.seats, config.wall),
        Azul,
        azul_table,
        policies.AZUL_LONG,
    ),
    "blockers": Title(
        blockers,
        blockers_positions.CONFIGS,
        policies.BLOCKERS,
        lambda config: Blockers(config.seats, config.scoring),
        Blockers,
        blockers_table,
    ),
    "duel": Title(
        duel,
        [
            duel.Config(faces=faces, special_counts_as_colour=special, free_draws=free)  # type: ignore[arg-type]
            for special, free in READINGS
            for faces in FACES
        ],
        policies.DUEL,
        lambda config: Duel(**duel_options(config)),
        Duel,
        duel_table,
    ),
}


class Pair:
    """Our engine and an oracle at the same table."""

    def __init__(self, title: Title, state: Any, oracle: Oracle, name: str) -> None:
        self.title, self.state, self.oracle = title, state, oracle
        self.name = name
        self.acts: list[str] = []
        self.require_alike()

    @classmethod
    def at_start(cls, title: Title, config: Config, name: str) -> "Pair":
        """Begin a new game."""
        return cls(title, title.game.setup(config), title.start(config), name)

    @classmethod
    def at_position(cls, title: Title, state: Any, name: str) -> "Pair":
        """Begin at a position."""
        return cls(title, state, title.oracle.set_up(title.table(state)), name)

    def play(self, policy: Policy, rng: Random) -> None:
        """Play to the end of the game."""
        while not isinstance(turn := self.title.game.turn(self.state), Over):
            if isinstance(turn, Chance):
                self.deal(self.title.game.deal(self.state, rng))
            else:
                seat = rng.choice(turn.seats)
                self.move(policy(self.state, self.title.game.legal_moves(self.state, seat), rng))

    def act(self, text: str) -> None:
        """Play an act as a record writes it: a deal after `*`, a move after its seat if several may move."""
        game, turn = self.title.game, self.title.game.turn(self.state)
        if isinstance(turn, Chance):
            self.deal(game.read_deal(self.state, text.removeprefix("*")))
        elif isinstance(turn, Choose):
            seat, colon, move = text.rpartition(":")
            self.move(game.read_move(self.state, int(seat) if colon else turn.seats[0], move))
        else:
            raise Difference(f"{self.name}: the game is over before {text}")

    def deal(self, deal: Any) -> None:
        """Apply a deal on both sides."""
        self._apply(deal, self.title.game.write_deal(self.state, deal), None)

    def move(self, move: Any) -> None:
        """Make a move on both sides."""
        self._apply(move, self.title.game.write_move(self.state, move), move.seat)

    def _apply(self, act: Any, text: str, seat: int | None) -> None:
        self.acts.append(f"*{text}" if seat is None else f"{seat}:{text}")
        try:
            if seat is None:
                self.oracle.deal(text)
            else:
                self.oracle.move(seat, text)
            self.state, _ = self.title.game.apply(self.state, act)
        except RuleBroken as exc:
            self._differ(f"only our engine allows it: {exc}")
        except IllegalMove as exc:
            self._differ(f"only the oracle allows it: {exc}")
        self.require_alike()

    def require_alike(self) -> None:
        """Raise `Difference` unless the table, the turn, the legal moves of each seat and the result are the same."""
        ours, oracles = self.title.table(self.state), self.oracle.table()
        if ours != oracles:
            self._differ("; ".join(differences(ours, oracles)))
        turn = self.title.game.turn(self.state)
        self._require("turn", plain_turn(turn), self.oracle.turn())
        for seat in range(self.state.config.seats):
            moves = self.title.game.legal_moves(self.state, seat) if isinstance(turn, Choose) else []
            texts = [self.title.game.write_move(self.state, move) for move in moves]
            legal = self.oracle.legal(seat)
            if len(texts) != len(legal) or {*texts} != legal:
                only = f"only ours: {sorted({*texts} - legal)}, only the oracle's: {sorted(legal - {*texts})}"
                self._differ(f"moves of seat {seat}: {only}")
        if isinstance(turn, Over):
            self._require("result", (turn.scores, turn.places), self.oracle.result())

    def _require(self, what: str, ours: object, oracles: object) -> None:
        if ours != oracles:
            self._differ(f"{what}: ours {ours}, the oracle's {oracles}")

    def _differ(self, problem: str) -> None:
        last = " ".join(self.acts[-3:]) or "the beginning"
        raise Difference(f"{self.name}: after {last} (act {len(self.acts)}): {problem}")


def plain_turn(turn: object) -> Turn:
    """Return our turn as the oracles write it."""
    match turn:
        case Choose(seats=seats):
            return "seats", seats
        case Over():
            return OVER
        case _:
            return CHANCE


def differences(ours: Any, oracles: Any, path: str = "") -> Iterator[str]:
    """Yield where two tables differ."""
    if isinstance(ours, Mapping) and isinstance(oracles, Mapping) and ours.keys() == oracles.keys():
        for key, part in ours.items():
            yield from differences(part, oracles[key], f"{path}.{key}" if path else str(key))
    elif isinstance(ours, tuple) and isinstance(oracles, tuple) and len(ours) == len(oracles):
        for place, part in enumerate(ours):
            yield from differences(part, oracles[place], f"{path}[{place}]")
    elif ours != oracles:
        yield f"{path}: ours {ours!r}, the oracle's {oracles!r}"


# Games in numbers


def game_number(title: Title, number: int) -> tuple[Config, str, Policy]:
    """Return the options and the policy of a numbered game: all combinations follow each other."""
    config = title.configs[number % len(title.configs)]
    if title.long and number % LONG_EVERY < len(title.configs):
        return config, *next(iter(title.long.items()))
    listed = list(title.policies.items())
    return config, *listed[number // len(title.configs) % len(listed)]


def compare_game(title: Title, number: int) -> Counter[str]:
    """Play one numbered game to its end; return how often each rule was exercised."""
    config, name, policy = game_number(title, number)
    pair = Pair.at_start(title, config, f"{title.game.NAME} game {number} ({config}, {name})")
    pair.play(policy, Random(f"{title.game.NAME} {number}"))
    return pair.oracle.exercised


# Positions


def compare_position(position: Position, seed: int) -> Counter[str]:
    """Play the acts of a position, then on to the end of the game."""
    title = TITLES[position.game]
    pair = Pair.at_position(title, position.state, f"{position.game}, {position.name}")
    for act in position.acts:
        pair.act(act)
    pair.play(title.policies["changing"], Random(seed))
    return pair.oracle.exercised


def compare_from(game: str, make: Callable[[Random], Any], seed: int) -> Counter[str]:
    """Play a random position to the end of the game."""
    rng = Random(f"{make.__name__} {seed}")
    pair = Pair.at_position(TITLES[game], make(rng), f"{game}, {make.__name__} {seed}")
    pair.play(at_random, rng)
    return pair.oracle.exercised


RANDOM_POSITIONS: dict[str, list[Callable[[Random], Any]]] = {
    "azul": [scarce_lid],
    "blockers": [],
    "duel": [scarce_supply, dense_final],
}
