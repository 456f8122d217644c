"""Finished games as they are stored, made without a server: real moves, real dice, members who are rated."""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import count
from random import Random
from typing import Any, TypeAlias

from msgspec import Struct

from tessella.core import dice, record
from tessella.server.store import Logged
from tessella.table.log import Entry, Live, Opened, write_entry
from tessella.table.table import Secret, Table

RULES = "azul/1 seats=2 wall=coloured"
FIRST_GAME = 1_700_000_000.0
MEAN_PAUSE = 8.0
"""Seconds between two moves."""
NAMES = ("Cobalt 82", "Annelies", "Jean-Marc", "Bo", "Zoë", "Theodoor van den Berg")
ID_CHARACTERS = "23456789abcdefghjkmnpqrstuvwxyz"
MEMBERS = 400

Rows: TypeAlias = list[tuple[Any, ...]]


class FinishedGame(Struct, frozen=True):
    """A game, its seed, its players, and its log."""

    table: Table
    seed: bytes
    players: tuple[str, ...]
    log: tuple[Logged, ...]

    @property
    def id(self) -> str:
        """The id of the game."""
        return self.table.id


def digest_of(log: Sequence[Logged]) -> bytes:
    """Return a digest of the numbers, entries and times of a log, which are all that readers get of it."""
    return sha256(repr([(row.number, row.body, row.at) for row in log]).encode()).digest()


def record_of(table: Table) -> str:
    """Return the record of a table as text."""
    return record.write(table.record())


def members(rng: Random) -> list[tuple[str, str]]:
    """Return the ids and names of those who play."""
    return [(f"p{_word(rng, 12)}", rng.choice(NAMES)) for _ in range(MEMBERS)]


def finished_games(rng: Random, people: Sequence[tuple[str, str]]) -> Iterator[FinishedGame]:
    """Yield games between two members each, one after another, the oldest first."""
    for number in count():
        yield _play(rng, rng.sample(people, 2), FIRST_GAME + 60 * number, None)


def unfinished_games(rng: Random, people: Sequence[tuple[str, str]]) -> Iterator[FinishedGame]:
    """Yield games that were left in the midst."""
    for number in count():
        yield _play(rng, rng.sample(people, 2), FIRST_GAME + 60 * number, 12)


def _play(rng: Random, players: Sequence[tuple[str, str]], began: float, moves: int | None) -> FinishedGame:
    """Play a game as members do, who take nothing onto the floor if they need not."""
    game_id, seed = _word(rng, 10), rng.randbytes(32)
    secret, at = Secret(seed), _whole(began)
    opened = Opened(RULES, dice.commitment(game_id, seed).hex(), Live(600.0, 10.0), rated=True)
    table = Table(game_id, opened, at)
    log = [Logged(0, "opened", write_entry(opened), at)]

    def add(entry: Entry) -> None:
        later = _whole(log[-1].at + 0.5 + rng.expovariate(1 / MEAN_PAUSE))
        table.fold(entry, later)
        key = f"{rng.getrandbits(128):032x}"
        key = "-".join((key[:8], key[8:12], key[12:16], key[16:20], key[20:]))
        log.append(Logged(len(log), key, write_entry(entry), later))

    for seat, (person, name) in enumerate(players):
        add(table.sit(seat, person, name))
    numbers = [rng.randbytes(32) for _ in players]
    for seat, number in enumerate(numbers):
        add(table.pledge(seat, dice.pledge(game_id, seat, number).hex()))
    for seat, number in enumerate(numbers):
        add(table.reveal(seat, number.hex()))
    add(table.start(secret))
    while table.status == "playing" and moves != 0:
        moves = None if moves is None else moves - 1
        seat = table.movers[0]
        legal = [table.game.write_move(table.state, move) for move in table.game.legal_moves(table.state, seat)]
        add(table.play(seat, rng.choice([move for move in legal if not move.endswith("-")] or legal), secret))
    return FinishedGame(table, seed, tuple(person for person, _ in players), tuple(log))


def _word(rng: Random, length: int) -> str:
    return "".join(rng.choices(ID_CHARACTERS, k=length))


def _whole(at: float) -> float:
    """Return a time as PostgreSQL gives it: in microseconds."""
    return round(at * 1_000_000) / 1_000_000


# As rows

COLUMNS = {
    "people": ("id", "name", "kind", "made", "login"),
    "games": (
        *("id", "game", "rules", "number", "status", "movers", "opened", "touched"),
        *("pace", "rated", "listed", "creator", "recorded"),
    ),
    "entries": ("game", "number", "key", "body", "at"),
    "seeds": ("game", "seed"),
    "seats": ("game", "seat", "person", "ended"),
    "results": ("game", "seat", "person", "title", "seats", "place", "score", "ended", "nth", "mu", "sigma"),
}


class Numbering:
    """Counts the rated games of each person."""

    def __init__(self) -> None:
        self._played: dict[str, int] = {}

    def next(self, person: str) -> int:
        """Return the number of the person's next game."""
        self._played[person] = self._played.get(person, 0) + 1
        return self._played[person]


def rows_of(game: FinishedGame, numbering: Numbering) -> dict[str, Rows]:
    """Return the rows of a game by table, as a server would have written them."""
    table, first, last = game.table, game.log[0], game.log[-1]
    movers = ",".join(map(str, table.movers))
    is_over, ended = table.end is not None, last.at if table.end else None
    row = (game.id, "azul", RULES, last.number, table.status, movers, first.at, last.at)
    results: Rows = []
    for seat, person in enumerate(game.players if table.end else ()):
        assert table.end is not None
        place, score = table.end.places[seat], table.end.scores[seat]
        nth = numbering.next(person)
        results.append((game.id, seat, person, "azul", 2, place, score, last.at, nth, 25 + seat / 3, 4 + seat / 7))
    return {
        "games": [(*row, "live", True, False, game.players[0], is_over)],
        "entries": [(game.id, each.number, each.key, each.body, each.at) for each in game.log],
        "seeds": [(game.id, game.seed)],
        "seats": [(game.id, seat, person, ended) for seat, person in enumerate(game.players)],
        "results": results,
    }


def rows_of_people(people: Sequence[tuple[str, str]]) -> Rows:
    """Return the rows of the members."""
    return [(person, name, "member", FIRST_GAME, person) for person, name in people]
