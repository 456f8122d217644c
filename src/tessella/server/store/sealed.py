"""Sealed games: the log of a finished game in a few hundred bytes, from which every entry is rebuilt.

An entry becomes a line of text: a move only its acts, everything else its JSON. Left out is what the rest determines:
the seat of a move in turn, and the digests of the fair dice, which follow from the seed and the players' numbers. The
lines are compressed; behind them stand the random bytes and the times, exact to the last bit. The names of people stay
outside, so that one can be redacted without reading the rest.

Not kept are the keys that clients gave their requests: they only mark a repeated request of a running game.
"""

import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from hashlib import sha256
from itertools import accumulate, pairwise
from struct import pack as pack_struct
from typing import Any, TypeGuard

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tessella.core import dice
from tessella.server.store import Logged
from tessella.table.log import (
    End,
    Ended,
    Entry,
    Left,
    Opened,
    Played,
    Pledged,
    Revealed,
    Sat,
    Started,
    read_entry,
    write_entry,
)

VERSION = b"\x01"
"""The first byte of a body. Another way of packing, or another dictionary, needs another one."""

DERIVED = "~"
"""Stands for a digest that is computed again."""

RANDOM = "\x01"
"""Stands for 32 bytes behind the lines, which would not compress; JSON has no such character."""

PLAIN_KEY = re.compile("[a-z-]{1,24}")
"""Keys that the server chose, such as `rematch`."""

_JSON = """
{"type":"declined","seat":0}
{"type":"asked","seat":0,"what":"takeback"}
{"type":"asked","seat":1,"what":"pause"}
{"type":"asked","seat":0,"what":"resume"}
{"type":"left","seat":0}
{"type":"returned","seat":0}
{"type":"took over","seat":0,"level":"4","reason":"resigned"}
{"type":"took over","seat":1,"level":"4","reason":"left"}
{"type":"took over","seat":0,"level":"4","reason":"time"}
{"type":"ended","end":{"seed":"\x01","seal":"~","reason":"aborted","scores":[],"places":[]}}
{"type":"asked","seat":1,"what":"rematch"}
{"type":"asked","seat":0,"what":"rematch"}
{"type":"followed","game":"
{"type":"shown"}
{"type":"ended","end":{"seed":"\x01","seal":"~","reason":"resigned","scores":[],"places":[2,1]}}
{"type":"opened","rules":"blockers/1 seats=2",\
"commitment":"~","pace":null,"rated":false,"before":"","dice":"","branch":null}
{"type":"opened","rules":"duel/1 seats=2","commitment":"~","pace":{"type":"days","days":3.0},"rated":false,"before":"
{"type":"opened","rules":"azul/1 seats=2 wall=coloured",\
"commitment":"~","pace":null,"rated":false,"before":"","dice":"","branch":null}
{"type":"opened","rules":"azul/1 seats=2 wall=coloured",\
"commitment":"~","pace":{"type":"live","bank":600.0,"increment":10.0},"rated":true,"before":"","dice":"","branch":null}
{"type":"sat","seat":3,"player":"p","name":"","level":""}
{"type":"sat","seat":2,"player":"p","name":"","level":""}
{"type":"sat","seat":1,"player":"bot:4:1","name":"4","level":"4"}
{"type":"sat","seat":0,"player":"p","name":"","level":""}
{"type":"sat","seat":1,"player":"p","name":"","level":""}
{"type":"pledged","seat":0,"pledge":"~"}
{"type":"pledged","seat":1,"pledge":"~"}
{"type":"revealed","seat":0,"number":"\x01"}
{"type":"revealed","seat":1,"number":"\x01"}
*
={"seed":"\x01","seal":"~","reason":"over","scores":[41,36],"places":[2,1]}
={"seed":"\x01","seal":"~","reason":"over","scores":[52,63],"places":[1,2]}
"""
_MOVES = "\n".join(source + colour + line for line in "-54321" for colour in "byrkw" for source in "54321c")
DICTIONARY = (_JSON + _MOVES + "\n").encode()
"""What most logs contain. Part of the format: see `VERSION`."""

MICROSECONDS, BINARY = 1_000_000, 2**22
"""Units of time: PostgreSQL gives microseconds; every other time of these decades is a multiple of 2**-22 seconds."""


MOST_CACHED = 64
"""How many logs a worker keeps unpacked: a page asks several times for the same one. Each takes about 15 KB."""


class Unsealable(ValueError):
    """A log cannot be packed so that it unpacks to the same entries; the message says why."""


class Sealed(Struct, frozen=True):
    """The log of a game up to its entry `last`; `names` are those of the people who sat down, by entry, as JSON."""

    game: str
    last: int
    names: str
    body: bytes


class Sealing(Struct, frozen=True):
    """A log to be sealed if it is still what it was read as, by its digest; and the seed that the game revealed."""

    sealed: Sealed
    digest: bytes
    seed: bytes


class Stored(Struct, frozen=True, dict=True):
    """What is stored of a log: its sealed part, if any, and the entries after it."""

    sealed: Sealed | None
    entries: list[Logged]

    def log(self, after: int = -1) -> list[Logged]:
        """Return the entries with numbers above `after`, whatever form they are stored in."""
        before = unpack(self.sealed) if self.sealed and self.sealed.last > after else []
        return [row for row in (*before, *self.entries) if row.number > after]

    @cached_property
    def digest(self) -> bytes:
        """A digest of what may change before the log is sealed: names, and entries that are not sealed."""
        whole = sha256((self.sealed.names if self.sealed else "").encode())
        for row in self.entries:
            whole.update(row.body.encode() + pack_struct(">d", row.at))
        return whole.digest()


def stored_as(game: str, rows: Iterable[Any]) -> Stored:
    """Return a log as it is stored, given rows of its entries, and of its sealed part, which have a fifth column."""
    found = [(row[0], row[1], row[2], row[3], row[4]) for row in rows]
    sealed = [Sealed(game, last, names, bytes(body)) for last, _, names, _, body in found if body is not None]
    entries = [Logged(*row) for *row, body in found if body is None]
    return Stored(sealed[0] if sealed else None, entries)


# Packing


def pack(game: str, log: Sequence[Logged]) -> Sealed:
    """Return the sealed form of a log; raise `Unsealable` if it has entries that cannot be read."""
    try:
        entries = [read_entry(row.body) for row in log]
        names = {str(row.number): each.name for row, each in zip(log, entries, strict=True) if _is_named(each)}
        lines = _write_lines(game, entries, [row.key for row in log])
        text, found = _cut_random("\n".join(lines))
        lengths, bits = _pack_times([row.at for row in log])
    except (ValueError, TypeError, OverflowError, msgspec.MsgspecError) as exc:
        raise Unsealable(f"the log cannot be packed: {exc}") from exc
    packed = zlib.compressobj(9, wbits=-15, memLevel=9, zdict=DICTIONARY)
    body = VERSION + packed.compress(f"{lengths}\n{text}".encode()) + packed.flush() + found + bits
    return Sealed(game, len(log) - 1, msgspec.json.encode(names).decode(), body)


def equal(rebuilt: Sequence[Logged], log: Sequence[Logged]) -> bool:
    """Return whether two logs have the same entries, with the same numbers and times."""
    return [(row.number, read_entry(row.body), row.at) for row in rebuilt] == [
        (row.number, read_entry(row.body), row.at) for row in log
    ]


def _is_named(entry: Entry) -> TypeGuard[Sat]:
    return isinstance(entry, Sat) and not entry.level


def _write_lines(game: str, entries: Sequence[Entry], keys: Sequence[str]) -> Iterator[str]:
    acts = [act for entry in entries if isinstance(entry, Started | Played) for act in entry.acts]
    derived = _derive(game, {number: entry for number, entry in enumerate(entries) if not _is_plain(entry)}, acts)
    seats = Turns()
    for number, (entry, key) in enumerate(zip(entries, keys, strict=True)):
        kept = f"\t{key}" if PLAIN_KEY.fullmatch(key) and number else ""
        is_derived = number in derived and derived[number] == _digest_in(entry)
        yield _write_line(_with_digest(entry, DERIVED) if is_derived else entry, seats) + kept


def _is_plain(entry: Entry) -> bool:
    """Return whether an entry contains nothing but acts."""
    return isinstance(entry, Started) or (isinstance(entry, Played) and entry.end is None)


def _write_line(entry: Entry, seats: "Turns") -> str:
    match entry:
        case Started(acts=acts):
            return "*" + "|".join(acts)
        case Played(seat=seat, acts=acts, end=end):
            whose = "" if seats.next() == seat else f"@{seat}"
            seats.moved(seat)
            ended = "" if end is None else f"={msgspec.json.encode(end).decode()}"
            return f"{whose}{'|'.join(acts)}{ended}"
        case Sat() if _is_named(entry):
            return write_entry(replace(entry, name=""))
        case _:
            return write_entry(entry)


class Turns:
    """The seat that is next if the players move in turn."""

    def __init__(self) -> None:
        self._next = 0
        self._count = 2

    def next(self) -> int:
        """Return the seat that is next."""
        return self._next

    def moved(self, seat: int) -> None:
        """Go on to the seat after this one."""
        self._count = max(self._count, seat + 1)
        self._next = (seat + 1) % self._count


def _cut_random(text: str) -> tuple[str, bytes]:
    """Return the text without digests and random numbers, and those as bytes."""
    found = [bytes.fromhex(each) for each in re.findall("[0-9a-f]{64}", text)]
    return re.sub("[0-9a-f]{64}", RANDOM, text), b"".join(found)


def _pack_times(times: Sequence[float]) -> tuple[str, bytes]:
    """Return the unit, the first time and how the differences are packed, as text; and the differences as bits.

    Pauses in one sitting are alike: their last `width` bits follow the rest, in unary (a Rice code). Where
    that would be longer, as in a correspondence game, the text has a letter for the bit length of each difference.
    """
    unit = MICROSECONDS if all(round(at * MICROSECONDS) / MICROSECONDS == at for at in times) else BINARY
    ticks = [round(at * unit) for at in times]
    steps = [later - earlier for earlier, later in pairwise(ticks)]
    start = f"{'u' if unit == MICROSECONDS else 'b'}{ticks[0]:x}"
    letters = "".join(chr(64 + abs(step).bit_length() + (64 if step < 0 else 0)) for step in steps)
    width = min(range(1, 64), key=lambda width: _rice_length(steps, width))
    if min(steps, default=-1) >= 0 and _rice_length(steps, width) < sum(step.bit_length() + 3 for step in steps):
        return f"{start}\n{width}", _to_bytes("".join(_rice(step, width) for step in steps))
    return f"{start}\n{letters}", _to_bytes("".join(f"{abs(step):b}" for step in steps if step))


def _rice_length(steps: Sequence[int], width: int) -> int:
    return sum((abs(step) >> width) + 1 + width for step in steps)


def _rice(step: int, width: int) -> str:
    return "1" * (step >> width) + "0" + format(step & (1 << width) - 1, f"0{width}b")


def _to_bytes(bits: str) -> bytes:
    return int("1" + bits, 2).to_bytes(len(bits) // 8 + 1, "big")


# Unpacking


def unpack(sealed: Sealed) -> list[Logged]:
    """Return the entries of a sealed log; raise `Unsealable` if this version cannot read it."""
    lines, times = _read(sealed.game, sealed.body)
    bodies = list(lines.bodies)
    names = msgspec.json.decode(sealed.names, type=dict[str, str])
    for number, entry in lines.others.items():
        bodies[number] = write_entry(_named(entry, names.get(str(number))))
    return [Logged(*row) for row in zip(range(len(times)), lines.keys, bodies, times, strict=True)]


@lru_cache(maxsize=MOST_CACHED)
def _read(game: str, body: bytes) -> "tuple[Lines, list[float]]":
    """Return the lines of a sealed log and their times; they hold no names, and are not changed."""
    if body[:1] != VERSION:
        raise Unsealable(f"the sealed log of {game} has a form that this version does not know")
    packed = zlib.decompressobj(wbits=-15, zdict=DICTIONARY)
    first, letters, text = packed.decompress(body[1:]).decode().split("\n", 2)
    count = text.count(RANDOM)
    found, bits = packed.unused_data[: 32 * count], packed.unused_data[32 * count :]
    lines = Lines(_put_back(text, found).split("\n"))
    for number, digest in _derive(game, lines.others, lines.acts).items():
        if _digest_in(lines.others[number]) == DERIVED:
            lines.others[number] = _with_digest(lines.others[number], digest)
    return lines, _unpack_times(first, letters, bits)


class Lines:
    """The lines of a sealed log, read: moves as they are stored, other entries as values."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.bodies: list[str] = []
        self.keys: list[str] = []
        self.acts: list[str] = []
        self.others: dict[int, Entry] = {}
        self._turns = Turns()
        for line in lines:
            text, _, key = line.partition("\t")
            self.keys.append(key if self.bodies else "opened")
            self.bodies.append(self._read(text))

    def _read(self, line: str) -> str:
        """Read one line; return its entry as it is stored, or nothing if it is among the others."""
        if line.startswith("{"):
            self.others[len(self.bodies)] = read_entry(line)
            return ""
        if line.startswith("*"):
            return f'{{"type":"started","acts":[{self._read_acts(line[1:])}]}}'
        seat = int(line[1]) if line.startswith("@") else self._turns.next()
        self._turns.moved(seat)
        text, _, end = line.removeprefix(f"@{seat}").partition("={")
        acts = self._read_acts(text)
        if not end:
            return f'{{"type":"played","seat":{seat},"acts":[{acts}],"end":null}}'
        ended = msgspec.json.decode("{" + end, type=End)
        self.others[len(self.bodies)] = Played(seat, tuple(text.split("|")), ended)
        return ""

    def _read_acts(self, text: str) -> str:
        """Read acts, and return them as JSON; the characters of a notation need no escapes."""
        if not text:
            return ""
        acts = text.split("|")
        self.acts += acts
        return '"' + '","'.join(acts) + '"'


def _named(entry: Entry, name: str | None) -> Entry:
    return entry if name is None or not isinstance(entry, Sat) else replace(entry, name=name)


def _put_back(text: str, found: bytes) -> str:
    parts = text.split(RANDOM)
    hexes = [found[start : start + 32].hex() for start in range(0, len(found), 32)]
    return "".join(part for pair in zip(parts, [*hexes, ""], strict=True) for part in pair)


def _unpack_times(first: str, how: str, packed: bytes) -> list[float]:
    unit = MICROSECONDS if first[0] == "u" else BINARY
    bits = f"{int.from_bytes(packed, 'big'):b}"[1:]
    steps = _rice_steps(bits, int(how)) if how.isdecimal() else _lettered_steps(bits, how)
    return [tick / unit for tick in accumulate(steps, initial=int(first[1:], 16))]


def _rice_steps(bits: str, width: int) -> Iterator[int]:
    start = 0
    while start < len(bits):
        stop = bits.index("0", start)
        yield (stop - start << width) + int(bits[stop + 1 : stop + 1 + width], 2)
        start = stop + 1 + width


def _lettered_steps(bits: str, letters: str) -> Iterator[int]:
    start = 0
    for letter in letters:
        length, sign = ord(letter) % 64, -1 if ord(letter) >= 128 else 1
        yield sign * int(bits[start : start + length] or "0", 2)
        start += length


# Digests of the fair dice


def _derive(game: str, entries: dict[int, Entry], acts: Sequence[str]) -> dict[int, str]:
    """Return the digests that entries must contain if the dice were fair, by number; plain moves may be left out."""
    opened = entries.get(0)
    if not isinstance(opened, Opened):
        raise Unsealable(f"the log of {game} does not begin with the opening of a table")
    dice_id = opened.dice or game
    end = next((entry.end for entry in entries.values() if isinstance(entry, Ended | Played) and entry.end), None)
    seed = bytes.fromhex(end.seed) if end else b""
    found: dict[int, str] = {}
    revealed: dict[int, bytes] = {}
    for number, entry in reversed(entries.items()):
        match entry:
            case Revealed():
                revealed[entry.seat] = bytes.fromhex(entry.number)
            case Pledged(seat=seat) if seat in revealed:
                found[number] = dice.pledge(dice_id, seat, revealed.pop(seat)).hex()
            case Ended() | Played() if seed and entry.end:
                given = _contributions(dice_id, entries.values())
                found[number] = dice.Dice(seed, dice_id, opened.rules, given).seal(acts).hex()
            case Opened() if seed:
                found[number] = dice.commitment(dice_id, seed).hex()
            case _:
                pass
    return found


def _contributions(dice_id: str, entries: Iterable[Entry]) -> list[dice.Contribution]:
    """Return the numbers that count: a player who leaves before the game makes all others throw again."""
    given: dict[int, bytes] = {}
    for entry in entries:
        if isinstance(entry, Revealed):
            given[entry.seat] = bytes.fromhex(entry.number)
        elif isinstance(entry, Left):
            given.clear()
    return [dice.Contribution(seat, dice.pledge(dice_id, seat, number), number) for seat, number in given.items()]


def _digest_in(entry: Entry) -> str:
    match entry:
        case Opened(commitment=digest) | Pledged(pledge=digest):
            return digest
        case Ended(end=End(seal=digest)) | Played(end=End(seal=digest)):
            return digest
        case _:
            return ""


def _with_digest(entry: Entry, digest: str) -> Entry:
    match entry:
        case Opened():
            return replace(entry, commitment=digest)
        case Pledged():
            return replace(entry, pledge=digest)
        case Ended(end=end):
            return replace(entry, end=replace(end, seal=digest))
        case Played(end=End() as end):
            return replace(entry, end=replace(end, seal=digest))
        case _:
            return entry


# The seed


def seed_in(log: Sequence[Logged]) -> bytes:
    """Return the seed that a finished game revealed; empty if it did not."""
    ended = [entry.end for entry in (read_entry(row.body) for row in log) if isinstance(entry, Ended | Played)]
    return next((bytes.fromhex(end.seed) for end in ended if end), b"")
