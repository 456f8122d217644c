"""One seat against bots with `reset` and `step` over text, the shape that OpenEnv and Kaggle-style arenas expect."""

from random import Random
from typing import Any

from tessella.bots import Budget, bot
from tessella.core.game import BadNotation, IllegalMove, Over, Seat
from tessella.core.local import AnyTable, LocalTable
from tessella.core.record import read_options
from tessella.games import GAMES
from tessella.models.disguise import Disguise
from tessella.models.harness import parse, prompt, tokens
from tessella.models.seat import SeatText


class Episode:
    """A game in which text comes in and text goes out; bots play the other seats.

    >>> episode = Episode("azul", opponent="random")
    >>> first = episode.reset(seed=1)
    >>> first["done"], episode.step("MOVE: nonsense")["illegal"]
    (False, 1)
    """

    def __init__(
        self,
        game: str,
        options: str = "",
        *,
        opponent: str = "greedy",
        seat: Seat = 0,
        listed: bool = True,
        disguise: bool = False,
    ) -> None:
        self.game = GAMES[game]
        self.config = read_options(self.game, options.split())
        if not 0 <= seat < self.config.seats:
            raise ValueError(f"there is no seat {seat}; choose from 0 to {self.config.seats - 1}")
        bot(self.game, opponent)  # raises KeyError now, not at the first move
        self.opponent = opponent
        self.seat = seat
        self.listed = listed
        self.disguised = disguise
        self.reset()

    def reset(self, seed: int | None = None) -> dict[str, Any]:
        """Start a new game, and return the first observation."""
        self._rng = Random(seed)  # noqa: S311
        fixed = self._rng.randbytes(32) if seed is not None else None
        self.table: AnyTable = LocalTable(self.game, self.config, seed=fixed)
        names = Disguise.of(self.game.NAME, self._rng.getrandbits(32)) if self.disguised else None
        self.text = SeatText(self.table, self.seat, names)
        self.illegal = self.tokens_in = self.tokens_out = 0
        self.let_bots_move()
        return self._observation()

    def step(self, answer: str) -> dict[str, Any]:
        """Play an answer of the model; one that cannot be played counts as illegal and changes nothing else."""
        self.tokens_out += tokens(answer)
        move = parse(answer)
        try:
            self.text.play(move or "")
        except (BadNotation, IllegalMove) as exc:
            self.illegal += 1
            return self._observation(self.text.error(move or "", exc))
        self.let_bots_move()
        return self._observation()

    def let_bots_move(self) -> None:
        """Let the bots move until only this seat may, or the game is over."""
        choose = bot(self.game, self.opponent)
        while others := [seat for seat in self.table.seats if seat != self.seat]:
            view = self.game.view(self.table.state, others[0])
            self.table.play(choose(view, Budget(), self._rng))

    def _observation(self, error: str = "") -> dict[str, Any]:
        turn = self.table.turn
        text = self.text.status() if self.text.over else prompt(self.text, listed=self.listed, error=error)
        self.tokens_in += tokens(text)
        return {
            "prompt": text,
            "legal_moves": self.text.moves() if self.listed else [],
            "reward": float(turn.places[self.seat] == 1) if isinstance(turn, Over) else 0.0,
            "done": self.text.over,
            "illegal": self.illegal,
            "tokens_in": self.tokens_in,
            "tokens_out": self.tokens_out,
        }
