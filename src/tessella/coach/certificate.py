"""Certificates: strategies that prove what a seat can force in a round of Azul, and their independent checker.

A certificate names one move in every position that its strategy can reach and in which its player is to move. The
checker plays every reply of the opponent by the readable rules and looks at every end. It knows nothing of the solver:
a wrong move, a missing position or a false claim is found, whoever wrote the certificate.
"""

from collections.abc import Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

from tessella.core.game import BadNotation, IllegalMove, Over, Seat
from tessella.games import azul
from tessella.games.azul.state import State, drafting

Claim: TypeAlias = Literal["at least", "less than"]
"""What is claimed of the value that a seat can force: that it reaches a bound, or that it does not."""


class Certificate(Struct, frozen=True):
    """A claim about a position, and the strategy that proves it.

    The value is what `seat` can force at the end of the game if it must end with this round: twice the lead in points;
    with equal points, 1 or -1 for more or fewer complete rows. If the round does not end the game, nothing is reached.
    "at least" is proved by moves of the seat, "less than" by moves of its opponent.
    """

    position: str
    seat: Seat
    claim: Claim
    bound: int
    moves: Mapping[str, str]
    """The move of the strategy by position, both in notation."""


class Refuted(ValueError):
    """A certificate does not prove its claim."""


def check(certificate: Certificate) -> int:
    """Return the number of positions checked; raise `Refuted` if the certificate does not prove its claim."""
    state = azul.read_state(certificate.position)
    if state.config.seats != 2 or not drafting(state):
        raise Refuted("a certificate is for two players who draft")
    done: set[str] = set()
    waiting = [state]
    while waiting:
        now = waiting.pop()
        key = azul.write_state(now)
        if key not in done:
            done.add(key)
            waiting += _followers(certificate, now, key)
    return len(done)


def _followers(certificate: Certificate, state: State, key: str) -> list[State]:
    """Return the positions after the move of the strategy, or after every reply; ends are checked at once."""
    player = certificate.seat if certificate.claim == "at least" else 1 - certificate.seat
    replies = azul.legal_moves(state, state.current)
    moves = [_chosen(certificate, state, key)] if state.current == player else replies
    after = [azul.apply(state, move)[0] for move in moves]
    for end in after:
        if not drafting(end):
            _check_end(certificate, end)
    return [each for each in after if drafting(each)]


def _chosen(certificate: Certificate, state: State, key: str) -> azul.Move:
    if key not in certificate.moves:
        raise Refuted(f"there is no move for {key}")
    try:
        move = azul.read_move(state, state.current, certificate.moves[key])
        azul.apply(state, move)
    except (BadNotation, IllegalMove) as exc:
        raise Refuted(f"{certificate.moves[key]!r} is not legal in {key}: {exc}") from None
    return move


def _check_end(certificate: Certificate, state: State) -> None:
    reached = final_value(state, certificate.seat)
    is_reached = reached is not None and reached >= certificate.bound
    if is_reached != (certificate.claim == "at least"):
        raise Refuted(f"{azul.write_state(state)} has the value {reached}")


def final_value(state: State, seat: Seat) -> int | None:
    """Return the value of a table after the round, for a seat; None if the game goes on."""
    turn = azul.turn(state)
    if not isinstance(turn, Over):
        return None
    lead = turn.scores[seat] - turn.scores[1 - seat]
    return 2 * lead if lead else turn.places[1 - seat] - turn.places[seat]
