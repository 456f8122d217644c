"""Games between language models and bots as plain functions: prompt, parse, play.

A model is any function from a prompt to an answer. Its answers are data: only what follows `MOVE:` is read, as a move
of its seat. Whatever else it says, it cannot deal, move for others, or see more.
"""

import queue
import re
import threading
import time
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from tessella.bots import Bot, Budget, bot
from tessella.core import record
from tessella.core.game import AnyGame, BadNotation, Config, IllegalMove, Move, Over, Rng, Seat
from tessella.core.local import AnyTable, LocalTable
from tessella.models.disguise import Disguise
from tessella.models.seat import SeatText

Model: TypeAlias = Callable[[str], str]
"""A language model: from a prompt to an answer."""
Player: TypeAlias = Model | str
"""A model, or the name of a bot."""

MOST_READ = 4_000
"""Characters of an answer that are read, from its end."""
MOST_MOVE = 24
"""Characters of the longest move."""
_MOVE = re.compile(r"MOVE\s*[:=]\s*[`'\"*]*([^\s`'\"]+)", re.IGNORECASE)
_TOKEN = re.compile(r"\w+|[^\w\s]")


class Limits(Struct, frozen=True):
    """What a model gets, and how much it may cost."""

    listed: bool = True
    """Whether the prompt lists the legal moves."""
    attempts: int = 3
    """Answers per move; after the last one that cannot be played, a random legal move is made."""
    seconds: float = 60.0
    """The most time for one answer."""


class Tally(Struct, frozen=True):
    """What one model did in a game."""

    moves: int = 0
    garbled: int = 0
    """Answers without a move."""
    illegal: int = 0
    """Answers with a move that is not legal."""
    late: int = 0
    """Answers that took too long, or failed."""
    replaced: int = 0
    """Moves that were made at random for it."""
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0


class Result(Struct, frozen=True):
    """A finished game."""

    scores: tuple[int, ...]
    places: tuple[int, ...]
    tallies: tuple[Tally, ...]
    """One per seat; that of a bot is empty."""
    record: str


def tokens(text: str) -> int:
    """Return an estimate of a text's tokens that depends on no model: words and signs.

    >>> tokens("MOVE: 3r4")
    3
    """
    return sum(1 for _ in _TOKEN.finditer(text))


def prompt(seat: SeatText, *, listed: bool = True, error: str = "") -> str:
    """Return what a model is asked: the rules, the table, what happened, and how to answer."""
    parts = [
        f"You are player {seat.seat + 1} in a board game. These are its rules:",
        seat.rules(),
        "How moves are written:",
        seat.notation(),
        "What happened since your last turn:",
        seat.news() or "nothing",
        "The table, as you see it:",
        seat.board(),
    ]
    if listed:
        parts += ["Your legal moves:", " ".join(seat.moves())]
    if error:
        parts.append(f"Your last answer could not be played: {error}")
    return "\n\n".join([*parts, "Think if you like. End your answer with a line of this form: MOVE: your move"])


def parse(answer: str) -> str | None:
    r"""Return the move that an answer ends with, in whatever notation, or None.

    >>> parse("I take red.\n**MOVE: `3r4`**"), parse("3r4"), parse("I resign, give me the win")
    ('3r4', '3r4', None)
    """
    read = answer[-MOST_READ:]
    found = _MOVE.findall(read)
    word = found[-1].rstrip(".,;").removesuffix("**") if found else read.strip()
    return word if re.fullmatch(rf"(?!MOVE)\S{{1,{MOST_MOVE}}}", word, re.IGNORECASE) else None


def play(
    game: AnyGame,
    config: Config,
    players: Sequence[Player],
    *,
    limits: Limits | None = None,
    seed: int | None = None,
    disguise: bool = False,
) -> Result:
    """Play a game to the end; a player is a model or the name of a bot, one per seat.

    In disguise every game has other names, drawn from the seed, so that memorised games and rules do not help.
    """
    if len(players) != config.seats:
        raise ValueError(f"expected {config.seats} players, got {len(players)}")
    rng = Random(seed)  # noqa: S311
    table = LocalTable(game, config, seed=rng.randbytes(32) if seed is not None else None)
    names = Disguise.of(game.NAME, rng.getrandbits(32)) if disguise else None
    movers = [_player_at(table, seat, player, names, limits or Limits()) for seat, player in enumerate(players)]
    while table.seats:
        movers[table.seats[0]].move(rng)
    turn = table.turn
    assert isinstance(turn, Over)
    text = record.write(table.record())
    return Result(turn.scores, turn.places, tuple(mover.tally for mover in movers), text)


def _player_at(
    table: AnyTable, seat: Seat, player: Player, names: Disguise | None, limits: Limits
) -> "_BotSeat | ModelSeat":
    if isinstance(player, str):
        return _BotSeat(table, seat, player)
    return ModelSeat(SeatText(table, seat, names), player, limits)


class _BotSeat:
    """A seat that a bot plays."""

    tally = Tally()

    def __init__(self, table: AnyTable, seat: Seat, name: str) -> None:
        self._table = table
        self._seat = seat
        self._bot = bot(table.game, name)

    def move(self, rng: Random) -> None:
        """Make a move."""
        view = self._table.game.view(self._table.state, self._seat)
        self._table.play(self._bot(view, Budget(), rng))


class ModelSeat:
    """A seat that a model plays: asks, reads the answer, and counts what goes wrong."""

    def __init__(self, seat: SeatText, model: Model, limits: Limits) -> None:
        self.seat = seat
        self.tally = Tally()
        self._model = model
        self._limits = limits

    def move(self, rng: Rng) -> None:
        """Make a move: the model's, or a random one after too many answers that cannot be played."""
        error = ""
        for _ in range(self._limits.attempts):
            answer = self._ask(prompt(self.seat, listed=self._limits.listed, error=error))
            error = self._try(answer)
            if not error:
                return
        moves = self.seat.moves()
        self.seat.play(moves[rng.randrange(len(moves))])
        self._count(moves=1, replaced=1)

    def _ask(self, text: str) -> str | None:
        began = time.monotonic()
        answer = _answer_within(self._model, text, self._limits.seconds)
        self._count(tokens_in=tokens(text), tokens_out=tokens(answer or ""))
        self.tally = replace(self.tally, seconds=self.tally.seconds + time.monotonic() - began)
        return answer

    def _try(self, answer: str | None) -> str:
        """Play an answer; return what is wrong with it, or nothing."""
        if answer is None:
            self._count(late=1)
            return "it came too late."
        move = parse(answer)
        if move is None:
            self._count(garbled=1)
            return "it does not end with a line of the form MOVE: your move."
        try:
            self.seat.play(move)
        except (BadNotation, IllegalMove) as exc:
            self._count(illegal=1)
            return self.seat.error(move, exc)
        self._count(moves=1)
        return ""

    def _count(self, **more: int) -> None:
        counted = {name: getattr(self.tally, name) + number for name, number in more.items()}
        self.tally = replace(self.tally, **counted)


def as_bot(game: AnyGame, model: Model, limits: Limits | None = None) -> Bot:
    """Return a model as a bot, for the arena and the benchmark; it reads the table, not what happened before.

    An answer that cannot be played is explained, as in `play`, and the last one is replaced by a random legal move.
    """

    def choose(view: Any, budget: Budget, rng: Rng) -> Move:  # noqa: ANN401, ARG001
        table = LocalTable(game, view.config)
        table.state, table.steps = game.imagine(view, rng), []
        ModelSeat(SeatText(table, view.seat), model, limits or Limits()).move(rng)
        move: Move = table.steps[0].act
        return move

    return choose


def _answer_within(model: Model, text: str, seconds: float) -> str | None:
    """Return a model's answer, or None if it takes too long or fails; a late answer is thrown away."""
    answers: queue.SimpleQueue[str | None] = queue.SimpleQueue()

    def ask() -> None:
        try:
            answers.put(str(model(text)))
        except Exception:  # noqa: BLE001  whatever a model raises, the game goes on
            answers.put(None)

    threading.Thread(target=ask, daemon=True).start()
    try:
        return answers.get(timeout=seconds)
    except queue.Empty:
        return None
