"""Game records as text: the rules and players, every act in order, and the result.

    azul/1 seats=2 wall=coloured        the rules: game, edition, options
    id 6c1f02                           everything from here to the empty line is optional
    name 0 Ann
    bot 1 4                             the level of a bot
    branch 9a41b7 42                    the first 42 acts come from another game, whose id this is
    commitment 5f3c…                    what the host published before the game (see core.dice)
    pledge 1 90aa… 17d2…                what a player added to the dice: digest, number

    *0:bbyk byrw …                      a deal; the acts are numbered from 0
    3r4                                 a move
    1:t24                               a move by seat 1, where several seats could move

    scores 41 36
    places 1 2
    seed 77e0…                          revealed when the game is over
    seal c41d…                          ties the acts to the seed

Replaying needs no random numbers: the outcomes of chance are part of the record.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any, Generic, cast, get_origin

import msgspec
from msgspec import Struct

from tessella.core.dice import Contribution, Dice, commitment, pledge
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
    option_types,
    option_values,
)
from tessella.core.notation import abbreviate, quote

MAX_RECORD_CHARACTERS = 65_536
MAX_NAME_CHARACTERS = 40


class BrokenRecord(BadNotation):
    """The record contradicts itself or the rules. `act` is the number of the offending act, if it is an act."""

    def __init__(self, why: str, act: int | None = None) -> None:
        super().__init__(why if act is None else f"act {act}: {why}")
        self.act = act


class BotSeat(Struct, frozen=True):
    """A seat that a bot of this level plays."""

    seat: Seat
    level: str


class Branch(Struct, frozen=True):
    """The game that the first acts of a record come from, and how many they are."""

    game: str
    """The id of that game; `-` if it has none."""
    acts: int


class Record(Struct, frozen=True):
    """A game as it was played. Only `rules` and `acts` are needed to replay it."""

    rules: str
    acts: tuple[str, ...] = ()
    id: str = ""
    names: tuple[str, ...] = ()
    bots: tuple[BotSeat, ...] = ()
    branch: Branch | None = None
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
    """One act of a game, with the states around it and its events. `seat` is None for a deal."""

    number: int
    text: str
    seat: Seat | None
    act: M | D
    before: S
    after: S
    events: Sequence[E]


# The rules line


def write_rules(game: Game[C, S, M, D, E, V, P_co], config: C) -> str:
    """Return the first line of a record: game, edition and options.

    >>> from tessella.games import azul
    >>> write_rules(azul, azul.Config(seats=3))
    'azul/1 seats=3 wall=coloured'
    """
    words = [f"{key}={_word(getattr(config, key))}" for key in config.__struct_fields__]
    return " ".join([f"{game.NAME}/{game.EDITION}", *words])


def read_rules(game: Game[C, S, M, D, E, V, P_co], rules: str) -> C:
    """Parse the first line of a record of this game and edition; options that came later have their old meaning."""
    name, *words = rules.split(" ")
    if name != f"{game.NAME}/{game.EDITION}":
        raise BadNotation(f"{quote(name)} is the wrong game or edition: expected {game.NAME}/{game.EDITION}")
    given = {word.partition("=")[0] for word in words}
    return read_options(game, [*words, *(f"{key}={old}" for key, old in game.Config.ADDED.items() if key not in given)])


def read_options(game: Game[C, S, M, D, E, V, P_co], words: Sequence[str]) -> C:
    """Parse options such as `wall=grey`; those that are not named have their default value.

    >>> from tessella.games import azul
    >>> read_options(azul, ["seats=3"])
    Config(seats=3, wall='coloured')
    """
    types = option_types(game.Config)
    options: dict[str, Any] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or key in options or key not in types:
            expected = "; ".join(f"{field}={', '.join(option_values(kind))}" for field, kind in types.items())
            raise BadNotation(f"{quote(word)} is not an option: expected each once of {expected}")
        options[key] = _read_option(word, value, types[key])
    try:
        return game.Config(**options)
    except ValueError as exc:
        raise BadNotation(str(exc)) from None


def _read_option(word: str, value: str, kind: Any) -> object:  # noqa: ANN401
    is_list = get_origin(kind) is tuple
    try:
        return msgspec.convert(_items(value) if is_list else value, kind, strict=False)
    except msgspec.ValidationError:
        raise BadNotation(f"{quote(word)}: expected {', '.join(option_values(kind))}") from None


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


# One act


def write_act(game: Game[C, S, M, D, E, V, P_co], state: S, act: M | D) -> str:
    """Return the notation of an act: a deal after `*`, a move after its seat if several seats could move."""
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
    """Parse what `write_act` wrote."""
    match game.turn(state):
        case Chance():
            if not text.startswith("*"):
                raise BadNotation(f"{quote(text)} is not a deal: a deal comes next, written after *")
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
        raise BadNotation(f"{quote(text)} names no seat: expected SEAT:MOVE, with seat {', '.join(map(str, seats))}")
    return game.read_move(state, int(seat), move)


# The whole game


def replay(game: Game[C, S, M, D, E, V, P_co], record: Record) -> Iterator[Step[S, M, D, E]]:
    """Replay the record act by act; raise `BrokenRecord` at the first act that breaks the rules."""
    state = game.setup(read_rules(game, record.rules))
    for number, text in enumerate(record.acts):
        try:
            act = read_act(game, state, text)
            after, events = game.apply(state, act)
        except (BadNotation, IllegalMove) as exc:
            raise BrokenRecord(f"{abbreviate(text)}: {exc}", number) from None
        yield Step(number, text, mover(act), act, state, after, events)
        state = after
    _check_result(record, game.turn(state))


def mover(act: Move | Deal) -> Seat | None:
    """Return the seat that made a move; None for a deal."""
    return act.seat if isinstance(act, Move) else None


def _check_result(record: Record, turn: Turn) -> None:
    scores, places = (turn.scores, turn.places) if isinstance(turn, Over) else ((), ())
    if record.scores not in (scores, ()) or record.places not in (places, ()):
        raise BrokenRecord(f"wrong result: the acts lead to scores {scores} and places {places}")


def verify(game: Game[C, S, M, D, E, V, P_co], record: Record) -> int:
    """Recompute every deal from the revealed seed and return how many there were.

    The deals before a branch belong to another game: they are played, but its own record is what verifies them. Raise
    `BrokenRecord` if a deal, an act, a pledge, the seed or the result does not match.
    """
    if not record.seed or not record.commitment:
        raise BrokenRecord("the record has no seed and commitment, so its deals cannot be verified")
    if commitment(record.id, record.seed) != record.commitment:
        raise BrokenRecord("the seed does not match the commitment published before the game")
    for given in record.contributions:
        if pledge(record.id, given.seat, given.number) != given.pledge:
            raise BrokenRecord(f"the number of seat {given.seat} does not match its pledge")
    dice = Dice(record.seed, record.id, record.rules, record.contributions)
    dealt = verified = 0
    for step in replay(game, record):
        if step.seat is not None:
            continue
        if step.number >= (record.branch.acts if record.branch else 0):
            if game.deal(step.before, dice.stream(dealt)) != step.act:
                raise BrokenRecord("the dice give a different deal", step.number)
            verified += 1
        dealt += 1
    if record.seal and dice.seal(record.acts) != record.seal:
        raise BrokenRecord("the seal does not match the acts")
    return verified


# Text


def write(record: Record) -> str:
    """Return a record as text; raise `BadNotation` if a name, an id or another field could not be read back."""
    for name in record.names:
        if not _is_name(name):
            expected = f"one line of 1 to {MAX_NAME_CHARACTERS} printable characters"
            raise BadNotation(f"cannot write the record: {quote(name)} is not a name: expected {expected}")
    text = _write(record)
    try:
        if read(text) == record:
            return text
    except BadNotation as exc:
        raise BadNotation(f"cannot write the record: {exc}") from None
    raise BadNotation("cannot write the record: it would be read back differently")


def _write(record: Record) -> str:
    head = [record.rules]
    head += [f"id {record.id}"] if record.id else []
    head += [f"name {seat} {name}" for seat, name in enumerate(record.names)]
    head += [f"bot {bot.seat} {bot.level}" for bot in record.bots]
    head += [f"branch {record.branch.game} {record.branch.acts}"] if record.branch else []
    head += [f"commitment {record.commitment.hex()}"] if record.commitment else []
    head += [f"pledge {given.seat} {given.pledge.hex()} {given.number.hex()}" for given in record.contributions]
    foot: list[str] = []
    foot += [f"scores {' '.join(map(str, record.scores))}"] if record.scores else []
    foot += [f"places {' '.join(map(str, record.places))}"] if record.places else []
    foot += [f"seed {record.seed.hex()}"] if record.seed else []
    foot += [f"seal {record.seal.hex()}"] if record.seal else []
    return "\n\n".join("\n".join(part) for part in (head, record.acts, foot)).rstrip("\n") + "\n"


def read(text: str) -> Record:
    """Parse a record; raise `BadNotation` if the text is not one. Its acts are not played yet: see `replay`."""
    if len(text) > MAX_RECORD_CHARACTERS:
        raise BadNotation(f"the record is too long: at most {MAX_RECORD_CHARACTERS} characters")
    parts = [part.splitlines() for part in text.replace("\r\n", "\n").strip("\n").split("\n\n")]
    if not parts[0] or len(parts) > 3:
        raise BadNotation("not a record: expected a head, the acts and a foot, with an empty line between them")
    rules, *head = parts[0]
    if not re.fullmatch(r"[a-z]+/[0-9]+( [a-z_]+=[\w,-]*)*", rules):
        raise BadNotation(
            f"{quote(rules)} is not a rules line: expected GAME/EDITION and options, as in azul/1 seats=2"
        )
    lines = [*head, *(parts[2] if len(parts) == 3 else [])]
    return _read_lines(Record(rules, acts=tuple(parts[1]) if len(parts) > 1 else ()), lines)


def _read_lines(record: Record, lines: Sequence[str]) -> Record:
    fields: dict[str, object] = {}
    names: list[str] = []
    bots: dict[Seat, BotSeat] = {}
    contributions: dict[Seat, Contribution] = {}
    for line in lines:
        match line.split(" "):
            case [key, *_] if key in fields:
                raise BadNotation(f"{quote(line)}: duplicate field")
            case ["id", game_id] if _is_id(game_id):
                fields["id"] = game_id
            case ["name", seat, *words] if seat == str(len(names)) and _is_name(" ".join(words)):
                names.append(" ".join(words))
            case ["bot", seat, level] if _is_seat(seat) and int(seat) not in bots and _is_level(level):
                bots[int(seat)] = BotSeat(int(seat), level)
            case ["branch", game_id, acts] if _is_id(game_id) and _is_count(acts, len(record.acts)):
                fields["branch"] = Branch(game_id, int(acts))
            case ["pledge", seat, digest, number] if _is_seat(seat) and int(seat) not in contributions:
                contributions[int(seat)] = Contribution(int(seat), _read_hex(digest), _read_hex(number))
            case ["commitment" | "seed" | "seal" as key, digits]:
                fields[key] = _read_hex(digits)
            case ["scores" | "places" as key, *numbers] if all(re.fullmatch("-?[0-9]{1,4}", word) for word in numbers):
                fields[key] = tuple(map(int, numbers))
            case _:
                raise BadNotation(f"{quote(line)} is not a valid line of a record")
    fields |= {"names": tuple(names), "bots": tuple(bots.values()), "contributions": tuple(contributions.values())}
    return msgspec.structs.replace(record, **fields)


def _is_id(text: str) -> bool:
    return re.fullmatch(r"[\w.-]{1,64}", text) is not None


def _is_count(text: str, most: int) -> bool:
    return re.fullmatch("[1-9][0-9]{0,4}", text) is not None and int(text) <= most


def _is_level(text: str) -> bool:
    return re.fullmatch(r"[\w-]{1,40}", text) is not None


def _is_seat(text: str) -> bool:
    return re.fullmatch("[0-9]", text) is not None


def _is_name(name: str) -> bool:
    return 0 < len(name) <= MAX_NAME_CHARACTERS and name.isprintable() and name == name.strip()


def _read_hex(digits: str) -> bytes:
    if not re.fullmatch("([0-9a-f]{2}){1,64}", digits):
        raise BadNotation(f"{quote(digits)} is not hexadecimal: expected 1 to 64 bytes in lower case")
    return bytes.fromhex(digits)
