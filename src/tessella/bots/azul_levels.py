"""The levels of Azul: three who take what looks good, three who read ever more of the round, two who have learned.

Level 1 knows only that tiles should not fall. Level 2 sees what a move is worth, but not sharply. Level 3 sees it
sharply and forgets the others. From level 4 on the others' answers are read, as many positions as the level says, so
that a level plays alike on every machine. Levels 7 and 8 know from games what boards are worth between two rounds;
level 8 thinks for a second, and when a round holds no more secrets it looks into the next. Where no net has been
trained, both weigh boards by hand and read more instead.
"""

import threading
from collections.abc import Callable, Mapping
from time import thread_time
from typing import TypeVar, cast

from tessella.bots import greedy
from tessella.bots.azul_worth import worth
from tessella.bots.budget import Bot, Budget
from tessella.bots.nets import net_for
from tessella.core.game import AnyGame, Rng, tell
from tessella.fast.azul import from_state
from tessella.fast.azul_foresight import Foresight
from tessella.fast.azul_net import Net
from tessella.fast.azul_search import Search
from tessella.fast.azul_tree import Tree
from tessella.games import azul
from tessella.games.azul.rules import draft
from tessella.games.azul.state import Move, State, Take
from tessella.games.azul.view import View

Reader = TypeVar("Reader", Search, Tree, Foresight)

_OWN = threading.local()

BLUR = 3
"""How far level 2 may misjudge a move, in points."""
GRAIN = 1000
SPARE = 0.0003
"""The seconds that are kept back for handing over the move."""
SEEDS = 2**63
LONGEST = 1.0
"""The seconds that level 8 thinks."""


def beginner(view: View, budget: Budget, rng: Rng) -> Move:  # noqa: ARG001  thinks in no time
    """Any of the moves that let the fewest pieces fall."""
    state, moves = _moves(view, rng)
    fallen = [_fallen(state, move) for move in moves]
    return _any([move for move, number in zip(moves, fallen, strict=True) if number == min(fallen)], rng)


def hasty(view: View, budget: Budget, rng: Rng) -> Move:  # noqa: ARG001  thinks in no time
    """The move that looks best when one does not look closely."""
    state, moves = _moves(view, rng)
    return max(moves, key=lambda move: worth(state, move) + _blur(rng))


def sharp(view: View, budget: Budget, rng: Rng) -> Move:  # noqa: ARG001  thinks in no time
    """The move that looks best."""
    return cast("Move", greedy.choose(azul, view, rng))


def reader(positions: int) -> Bot:
    """A player who reads so many positions of the round, or fewer if the budget says so."""

    def choose(view: View, budget: Budget, rng: Rng) -> Move:
        return _read(view, min(positions, budget.nodes or positions), budget.seconds or 0.0, rng)

    return choose


def learned(positions: int, unlearned: int) -> Bot:
    """The same with a net; or with more positions where there is none."""

    def choose(view: View, budget: Budget, rng: Rng) -> Move:
        net = _net(view)
        most = unlearned if net is None else positions
        return _read(view, min(most, budget.nodes or most), budget.seconds or 0.0, rng, net)

    return choose


def master(view: View, budget: Budget, rng: Rng) -> Move:
    """The strongest: a net, a second, and the next round. A budget of nodes leaves only the net."""
    net, seconds = _net(view), min(LONGEST, budget.seconds or LONGEST)
    if budget.nodes or net is None or view.config.seats != 2:
        return _read(view, budget.nodes or 0, seconds if not budget.nodes else budget.seconds or 0.0, rng, net)
    assert view.seat is not None
    begun = thread_time()
    table = from_state(azul.imagine(view, rng))
    foresight = _kept(Foresight, net)
    return table.to_move(foresight.think(table, view.seat, _left(seconds, begun), rng.randrange(SEEDS)))


def search(game: AnyGame) -> Bot:  # noqa: ARG001  as the arena calls it
    """The reader of levels 4 to 6, who thinks as long as the budget allows: `tessella.bots.azul_levels:search@0.1s`."""

    def choose(view: View, budget: Budget, rng: Rng) -> Move:
        return _read(view, budget.nodes or 0, budget.seconds or 0.0, rng)

    return choose


def net_reader(net: Net | None) -> Bot:
    """The same with a net of one's own."""

    def choose(view: View, budget: Budget, rng: Rng) -> Move:
        return _read(view, budget.nodes or 0, budget.seconds or 0.0, rng, net)

    return choose


LEVELS: Mapping[str, Bot] = {
    "1": beginner,
    "2": hasty,
    "3": sharp,
    "4": reader(100),
    "5": reader(1_000),
    "6": reader(10_000),
    "7": learned(3_000, 30_000),
    "8": master,
}


def _net(view: View) -> Net | None:
    return net_for(view.config.seats, view.config.wall)


def _read(view: View, nodes: int, seconds: float, rng: Rng, net: Net | None = None) -> Move:
    assert view.seat is not None
    begun = thread_time()
    table = from_state(azul.imagine(view, rng))
    reader = _kept(Search, net) if table.seats == 2 else _kept(Tree, net)
    left = _left(seconds, begun) if seconds else 0.0
    return table.to_move(reader.think(table, view.seat, nodes, left))


def _kept(kind: Callable[[Net | None], Reader], net: Net | None) -> Reader:
    """A reader of this thread: to make one, and to throw it away, would take time that nobody counts."""
    readers: dict[object, Reader] = _OWN.__dict__.setdefault("readers", {})
    if (kind, net) not in readers:
        readers[kind, net] = kind(net)
    return readers[kind, net]


def _left(seconds: float, begun: float) -> float:
    """What is left of a budget of CPU time, with something to spare."""
    return max(SPARE, seconds - SPARE - (thread_time() - begun))


def _moves(view: View, rng: Rng) -> tuple[State, list[Move]]:
    assert view.seat is not None
    state = azul.imagine(view, rng)
    return state, list(azul.legal_moves(state, view.seat))


def _fallen(state: State, move: Move) -> int:
    """How many pieces lie on the mover's floor line after a take."""
    if not isinstance(move, Take):
        return 0
    after, _ = tell(draft(state, move))
    return len(after.boards[move.seat].floor)


def _any(moves: list[Move], rng: Rng) -> Move:
    return moves[rng.randrange(len(moves))]


def _blur(rng: Rng) -> float:
    """Up to so many points too much or too little, small mistakes being the likeliest."""
    return BLUR * (rng.randrange(GRAIN) - rng.randrange(GRAIN)) / GRAIN
