"""A played game as text, and back: who played by which rules, every act in order, how it ended.

    azul/1 seats=2 wall=coloured        the rules: game, edition, options
    id 6c1f02                           everything up to the empty line may be left out
    name 0 Ann
    commitment 5f3c…                    what the host published before the game (see core.dice)
    pledge 1 90aa… 17d2…                what a player added to the dice: digest, number

    *0:bbyk byrw …                      a deal; the acts are numbered from 0
    3r4                                 a move
    1:t24                               a move where several seats might have moved: seat 1 did

    scores 41 36
    places 1 2
    seed 77e0…                          revealed when the game is over
    seal c41d…                          ties the acts to the seed

Replaying needs no random numbers: what chance decided is written down.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Generic, cast

import msgspec
from msgspec import Struct, inspect

from tessella.core.dice import Contribution, Dice, commitment, fresh_seed, pledge
from tessella.core.game import (
    BadNotation,
    C,
    Chance,
    Choose,
    D,
    Deal,
    E,
    Game,
    IllegalMove,
    M,
    Move,
    Over,
    P_co,
    S,
    Seat,
    Turn,
    V,
)

LONGEST_RECORD = 65_536
LONGEST_NAME = 40


class BrokenRecord(BadNotation):
    """The record contradicts itself. `act` is the number of the act where it does, if it is an act."""

    def __init__(self, why: str, act: int | None = None) -> None:
        super().__init__(why if act is None else f"act {act}: {why}")
        self.act = act


class Record(Struct, frozen=True):
    """A game as it was played. Only `rules` and `acts` are needed to play it again."""

    rules: str
    acts: tuple[str, ...] = ()
    id: str = ""
    names: tuple[str, ...] = ()
    commitment: bytes = b""
    contributions: tuple[Contribution, ...] = ()
    scores: tuple[int, ...] = ()
    places: tuple[int, ...] = ()
    seed: bytes = b""
    seal: bytes = b""

    @property
    def game(self) -> str:
        """The name of the game, without edition and options."""
        return self.rules.partition("/")[0]


class Step(Struct, Generic[S, M, D, E], frozen=True):
    """One act of a game, with what it changed. `seat` is None for a deal."""

    number: int
    text: str
    seat: Seat | None
    act: M | D
    before: S
    after: S
    events: Sequence[E]


# The rules line


def write_rules(game: Game[C, S, M, D, E, V, P_co], config: C) -> str:
    """Write the first line of a record: game, edition and options.

    >>> from tessella.games import azul
    >>> write_rules(azul, azul.Config(seats=3))
    'azul/1 seats=3 wall=coloured'
    """
    words = [f"{key}={_word(getattr(config, key))}" for key in config.__struct_fields__]
    return " ".join([f"{game.NAME}/{game.EDITION}", *words])


def read_rules(game: Game[C, S, M, D, E, V, P_co], rules: str) -> C:
    """Read the options from the first line of a record of this game and edition."""
    name, *words = rules.split(" ")
    if name != f"{game.NAME}/{game.EDITION}":
        raise BadNotation(f"{name!r} is not {game.NAME} of edition {game.EDITION}")
    options: dict[str, str | list[str]] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or key in options or key not in game.Config.__struct_fields__:
            raise BadNotation(f"{word!r} is not an option")
        options[key] = _items(value) if key in _lists(game.Config) else value
    try:
        return msgspec.convert(options, game.Config, strict=False)
    except msgspec.ValidationError as wrong:
        raise BadNotation(f"{rules!r}: {wrong}") from None


def _word(value: object) -> str:
    match value:
        case bool():
            return str(value).lower()
        case tuple():
            return ",".join(cast("tuple[str, ...]", value))
        case _:
            return str(value)


def _items(word: str) -> list[str]:
    return word.split(",") if word else []


def _lists(kind: type[Struct]) -> set[str]:
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    return {field.name for field in info.fields if isinstance(field.type, inspect.VarTupleType)}


# One act


def write_act(game: Game[C, S, M, D, E, V, P_co], state: S, act: M | D) -> str:
    """Write a deal behind `*`, and a move behind its seat if several seats might move."""
    match game.turn(state):
        case Chance():
            return "*" + game.write_deal(state, cast("D", act))
        case Choose(seats=seats):
            move = cast("M", act)
            text = game.write_move(state, move)
            return text if len(seats) == 1 else f"{move.seat}:{text}"
        case Over():
            raise BadNotation("the game is over")


def read_act(game: Game[C, S, M, D, E, V, P_co], state: S, text: str) -> M | D:
    """Read what `write_act` wrote."""
    match game.turn(state):
        case Chance():
            if not text.startswith("*"):
                raise BadNotation(f"{text!r} is not a deal, and a deal comes next")
            return game.read_deal(state, text[1:])
        case Choose(seats=seats):
            return _read_move(game, state, seats, text)
        case Over():
            raise BadNotation("the game is over")


def _read_move(game: Game[C, S, M, D, E, V, P_co], state: S, seats: Sequence[Seat], text: str) -> M:
    if len(seats) == 1:
        return game.read_move(state, seats[0], text)
    seat, colon, move = text.partition(":")
    if not colon or not re.fullmatch("[0-9]", seat):
        raise BadNotation(f"{text!r} does not say which of the seats {', '.join(map(str, seats))} moves")
    return game.read_move(state, int(seat), move)


# The whole game


def replay(game: Game[C, S, M, D, E, V, P_co], record: Record) -> Iterator[Step[S, M, D, E]]:
    """Play the record again, act by act; raise `BrokenRecord` where it is not a game by the rules."""
    state = game.setup(read_rules(game, record.rules))
    for number, text in enumerate(record.acts):
        try:
            act = read_act(game, state, text)
            after, events = game.apply(state, act)
        except (BadNotation, IllegalMove) as wrong:
            raise BrokenRecord(f"{text}: {wrong}", number) from None
        yield Step(number, text, _mover(act), act, state, after, events)
        state = after
    _check_result(record, game.turn(state))


def _mover(act: Move | Deal) -> Seat | None:
    return act.seat if isinstance(act, Move) else None


def _check_result(record: Record, turn: Turn) -> None:
    scores, places = (turn.scores, turn.places) if isinstance(turn, Over) else ((), ())
    if record.scores not in (scores, ()) or record.places not in (places, ()):
        raise BrokenRecord(f"the acts lead to scores {scores} and places {places}, not to what is written")


def verify(game: Game[C, S, M, D, E, V, P_co], record: Record) -> int:
    """Compute every deal again from the revealed seed and say how many there were.

    Raises `BrokenRecord` if a deal, an act, a pledge, the seed or the result is not what it must be.
    """
    if not record.seed or not record.commitment:
        raise BrokenRecord("the record shows no seed and commitment, so its deals cannot be checked")
    if commitment(record.id, record.seed) != record.commitment:
        raise BrokenRecord("the seed is not the one that was committed to before the game")
    for given in record.contributions:
        if pledge(record.id, given.seat, given.number) != given.pledge:
            raise BrokenRecord(f"seat {given.seat} added another number than the one pledged")
    dice = Dice(record.seed, record.id, record.rules, record.contributions)
    deals = 0
    for step in replay(game, record):
        if step.seat is None:
            if game.deal(step.before, dice.stream(deals)) != step.act:
                raise BrokenRecord("the dice give another deal", step.number)
            deals += 1
    if record.seal and dice.seal(record.acts) != record.seal:
        raise BrokenRecord("the seal belongs to other acts")
    return deals


class Table(Generic[C, S, M, D, E, V, P_co]):
    """A game being played, for a program or a person at the Python prompt: it deals by itself, and you play.

    >>> from tessella.games import azul
    >>> table = Table(azul, azul.Config(seats=2), seed=bytes(32))
    >>> events = table.play(table.moves[0])
    >>> table.record().acts[1]
    '1b1'
    """

    def __init__(
        self,
        game: Game[C, S, M, D, E, V, P_co],
        config: C,
        *,
        seed: bytes | None = None,
        id: str = "table",
        names: Sequence[str] = (),
        contributions: Sequence[Contribution] = (),
    ) -> None:
        self.game = game
        self.steps: list[Step[S, M, D, E]] = []
        self.state = game.setup(config)
        seed = fresh_seed() if seed is None else seed
        self._start = Record(
            rules=write_rules(game, config),
            id=id,
            names=tuple(names),
            commitment=commitment(id, seed),
            contributions=tuple(contributions),
        )
        self._seed = seed
        self._dice = Dice(seed, id, self._start.rules, contributions)
        self._deal()

    @property
    def turn(self) -> Turn:
        """Who is to move. It is never chance: the table has already dealt."""
        return self.game.turn(self.state)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats that may move now; none when the game is over."""
        turn = self.turn
        return turn.seats if isinstance(turn, Choose) else ()

    @property
    def moves(self) -> list[M]:
        """Every legal move of every seat that may move now."""
        return [move for seat in self.seats for move in self.game.legal_moves(self.state, seat)]

    def play(self, move: M | str) -> list[E]:
        """Make a move, given as a value or in notation, and deal what must be dealt after it. Say what happened."""
        act = read_act(self.game, self.state, move) if isinstance(move, str) else move
        done = len(self.steps)
        self._apply(act)
        self._deal()
        return [event for step in self.steps[done:] for event in step.events]

    def record(self) -> Record:
        """The game so far; with the seed, result and seal once it is over."""
        acts = tuple(step.text for step in self.steps)
        turn = self.turn
        if not isinstance(turn, Over):
            return msgspec.structs.replace(self._start, acts=acts)
        end = {"scores": turn.scores, "places": turn.places, "seed": self._seed, "seal": self._dice.seal(acts)}
        return msgspec.structs.replace(self._start, acts=acts, **end)

    def _deal(self) -> None:
        while isinstance(self.turn, Chance):
            deals = sum(step.seat is None for step in self.steps)
            self._apply(self.game.deal(self.state, self._dice.stream(deals)))

    def _apply(self, act: M | D) -> None:
        after, events = self.game.apply(self.state, act)
        text = write_act(self.game, self.state, act)
        self.steps.append(Step(len(self.steps), text, _mover(act), act, self.state, after, events))
        self.state = after


# Text


def write(record: Record) -> str:
    """Write a record as text."""
    head = [record.rules]
    head += [f"id {record.id}"] if record.id else []
    head += [f"name {seat} {name}" for seat, name in enumerate(record.names)]
    head += [f"commitment {record.commitment.hex()}"] if record.commitment else []
    head += [f"pledge {given.seat} {given.pledge.hex()} {given.number.hex()}" for given in record.contributions]
    foot: list[str] = []
    foot += [f"scores {' '.join(map(str, record.scores))}"] if record.scores else []
    foot += [f"places {' '.join(map(str, record.places))}"] if record.places else []
    foot += [f"seed {record.seed.hex()}"] if record.seed else []
    foot += [f"seal {record.seal.hex()}"] if record.seal else []
    return "\n\n".join("\n".join(part) for part in (head, record.acts, foot)).rstrip("\n") + "\n"


def read(text: str) -> Record:
    """Read a record; raise `BadNotation` if the text is none. Its acts are not played yet: see `replay`."""
    if len(text) > LONGEST_RECORD:
        raise BadNotation("a record is shorter than that")
    parts = [part.splitlines() for part in text.strip("\n").split("\n\n")]
    if not parts[0] or len(parts) > 3:
        raise BadNotation("a record has a head, its acts and an end, with an empty line between them")
    rules, *head = parts[0]
    if not re.fullmatch(r"[a-z]+/[0-9]+( [a-z_]+=[\w,-]*)*", rules):
        raise BadNotation(f"{rules!r} does not name a game, its edition and its options")
    lines = [*head, *(parts[2] if len(parts) == 3 else [])]
    return _read_lines(Record(rules, acts=tuple(parts[1]) if len(parts) > 1 else ()), lines)


def _read_lines(record: Record, lines: Sequence[str]) -> Record:
    fields: dict[str, object] = {}
    names: list[str] = []
    contributions: dict[Seat, Contribution] = {}
    for line in lines:
        match line.split(" "):
            case [key, *_] if key in fields:
                raise BadNotation(f"{line!r} says again what a line before it said")
            case ["id", game_id] if re.fullmatch(r"[\w.-]{1,64}", game_id):
                fields["id"] = game_id
            case ["name", seat, *words] if seat == str(len(names)) and _is_name(" ".join(words)):
                names.append(" ".join(words))
            case ["pledge", seat, digest, number] if re.fullmatch("[0-9]", seat) and int(seat) not in contributions:
                contributions[int(seat)] = Contribution(int(seat), _read_hex(digest), _read_hex(number))
            case ["commitment" | "seed" | "seal" as key, digits]:
                fields[key] = _read_hex(digits)
            case ["scores" | "places" as key, *numbers] if all(re.fullmatch("-?[0-9]{1,4}", word) for word in numbers):
                fields[key] = tuple(map(int, numbers))
            case _:
                raise BadNotation(f"{line!r} has no place in a record")
    return msgspec.structs.replace(record, names=tuple(names), contributions=tuple(contributions.values()), **fields)


def _is_name(name: str) -> bool:
    return 0 < len(name) <= LONGEST_NAME and name.isprintable() and name == name.strip()


def _read_hex(digits: str) -> bytes:
    if not re.fullmatch("([0-9a-f]{2}){1,64}", digits):
        raise BadNotation(f"{digits!r} is not a number in hexadecimal digits")
    return bytes.fromhex(digits)
