"""A whole game as a few hundred URL-safe characters: its options and acts, without names and seed.

A move is its index in the list of legal moves, a deal is written letter by letter in the alphabet that the game's
deals use; all of it is one large mixed-radix number in base64url.
"""

import base64
import binascii
import re
from typing import TypeVar

from tessella.core.game import BadNotation, C, Chance, Choose, D, E, Game, IllegalMove, M, Over, P_co, S, V
from tessella.core.record import Record, read_rules, replay, write_act, write_rules

ASCII = 128
MAX_LINK_CHARACTERS = 8_192
K = TypeVar("K")


class _Digits:
    """Digits of a mixed-radix number, each below its own bound."""

    def __init__(self) -> None:
        self._digits: list[tuple[int, int]] = []

    def push(self, digit: int, bound: int) -> None:
        self._digits.append((digit, bound))

    def push_text(self, text: str, alphabet: str) -> None:
        for letter in text:
            self.push(alphabet.index(letter), len(alphabet))
        self.push(0, len(alphabet))

    def number(self) -> int:
        number = 0
        for digit, bound in reversed(self._digits):
            number = number * bound + digit
        return number


class _Number:
    """A mixed-radix number, taken apart again digit by digit."""

    def __init__(self, number: int) -> None:
        self._number = number

    def pop(self, bound: int) -> int:
        self._number, digit = divmod(self._number, bound)
        return digit

    def pop_text(self, alphabet: str) -> str:
        letters: list[str] = []
        while index := self.pop(len(alphabet)):
            letters.append(alphabet[index])
        return "".join(letters)


_PLAIN = "".join(map(chr, range(ASCII)))


def shorten(game: Game[C, S, M, D, E, V, P_co], record: Record) -> str:
    """Return the game as `name` + `edition` + `.` + a few hundred characters."""
    config = read_rules(game, record.rules)
    deals = [act[1:] for act in record.acts if act.startswith("*")]
    alphabet = "\n" + "".join(sorted(set("".join(deals))))
    digits = _Digits()
    digits.push_text(write_rules(game, config).partition(" ")[2], _PLAIN)
    digits.push_text(alphabet[1:], _PLAIN)
    digits.push(len(record.acts), game.longest(config) + 1)
    for step in replay(game, record):
        if step.seat is None:
            digits.push_text(step.text[1:], alphabet)
        else:
            options = _options(game, step.before)
            digits.push(options.index(step.text), len(options))
    number = digits.number()
    packed = base64.urlsafe_b64encode(number.to_bytes((number.bit_length() + 7) // 8, "big")).decode().rstrip("=")
    return f"{game.NAME}{game.EDITION}.{packed}"


def expand(game: Game[C, S, M, D, E, V, P_co], text: str) -> Record:
    """Return the record that `shorten` encoded; raise `BadNotation` if the text is damaged."""
    number = _Number(_unpack(text, f"{game.NAME}{game.EDITION}"))
    rules = f"{game.NAME}/{game.EDITION} {number.pop_text(_PLAIN)}"
    config = read_rules(game, rules)
    alphabet = "\n" + number.pop_text(_PLAIN)
    state = game.setup(config)
    acts: list[str] = []
    try:
        for _ in range(number.pop(game.longest(config) + 1)):
            act, text = _next_act(game, state, number, alphabet)
            acts.append(text)
            state, _events = game.apply(state, act)
    except IllegalMove as exc:
        raise BadNotation(f"the link is damaged: {exc}") from None
    return Record(rules, tuple(acts))


def game_of(text: str) -> str:
    """Return the name of the game that a short form encodes."""
    return text.partition(".")[0].rstrip("0123456789")


def _options(game: Game[C, S, M, D, E, V, P_co], state: S) -> list[str]:
    return [write_act(game, state, move) for move in _moves(game, state)]


def _moves(game: Game[C, S, M, D, E, V, P_co], state: S) -> list[M]:
    turn = game.turn(state)
    return [move for seat in turn.seats for move in game.legal_moves(state, seat)] if isinstance(turn, Choose) else []


def _next_act(game: Game[C, S, M, D, E, V, P_co], state: S, number: _Number, alphabet: str) -> tuple[M | D, str]:
    match game.turn(state):
        case Chance():
            text = number.pop_text(alphabet)
            return game.read_deal(state, text), "*" + text
        case Choose():
            moves = _moves(game, state)
            move = moves[number.pop(len(moves))]
            return move, write_act(game, state, move)
        case Over():
            raise BadNotation("the link is damaged: the game goes on after its end")


def _unpack(text: str, prefix: str) -> int:
    name, dot, packed = text.partition(".")
    if name != prefix or not dot or len(text) > MAX_LINK_CHARACTERS or not re.fullmatch(r"[\w-]+", packed, re.ASCII):
        raise BadNotation(f"this is not a link to a game of {prefix}")
    try:
        return int.from_bytes(base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4)), "big")
    except binascii.Error:
        raise BadNotation("the link is damaged") from None
