"""A table, without sockets, clocks or stores: what its log has made of it, and what may be written next.

`fold` takes an entry of the log and changes the table accordingly; it never refuses, for what is in the log has
happened. `decide` takes what somebody wants and gives the entry to be written, or refuses; it changes nothing.
"""

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from tessella.bots import names
from tessella.core import dice, record
from tessella.core.game import AnyGame, BadNotation, Chance, Choose, IllegalMove, Over, Seat, Turn, places
from tessella.games import GAMES
from tessella.server import clock
from tessella.server.clock import Clock, Outage
from tessella.server.entries import (
    Asked,
    Declined,
    End,
    Ended,
    Entry,
    Followed,
    Left,
    Opened,
    Played,
    Pledged,
    Returned,
    Revealed,
    Sat,
    Shown,
    Started,
    TookOver,
)

AnyState: TypeAlias = Any
AnyEvent: TypeAlias = Any
"""States and events of whatever game is played."""

Status: TypeAlias = Literal["open", "dice", "playing", "paused", "over"]

TAKEOVER_LEVELS = ("4", "greedy")
"""Who plays on for those who leave: the first of these that the game has. Level 4 thinks, but for milliseconds."""


def takeover_level(game: AnyGame) -> str:
    """Who plays on for those who leave this game."""
    return next(level for level in TAKEOVER_LEVELS if level in names(game))


class Refused(Exception):
    """Not now, or not you. `rule` names the rule of the game, or the reason in a word."""

    def __init__(self, rule: str, why: str) -> None:
        super().__init__(f"{why} ({rule})")
        self.rule = rule
        self.why = why


class Chair(Struct, frozen=True):
    """A seat at the table. An empty `who` is a free seat; `level` is the bot's that plays for it now."""

    who: str = ""
    name: str = ""
    level: str = ""
    is_bot: bool = False
    resigned: bool = False
    left: bool = False
    pledge: str = ""
    number: str = ""


class Happening(Struct, frozen=True):
    """An entry of the log and what of the game happened in it. `acts` are (only seat that may read it, text)."""

    number: int
    entry: Entry
    acts: tuple[tuple[Seat | None, str], ...] = ()
    events: tuple[Any, ...] = ()


class Future(Struct, frozen=True):
    """What an entry will make of the game: computed when it is decided on, used when it is written."""

    entry: Entry
    state: AnyState
    turn: Turn
    acts: tuple[tuple[Seat | None, str], ...]
    events: tuple[Any, ...]


class Secret:
    """What only the dealer of a table knows: the seed. The dice that were made of it last are kept at hand."""

    def __init__(self, seed: bytes) -> None:
        self.seed = seed
        self._made: tuple[tuple[str, str, list[dice.Contribution]], dice.Dice] | None = None

    def dice(self, table: "Table") -> dice.Dice:
        """The dice of the table, with what the players added."""
        given = (table.dice_id, table.terms.rules, table.contributions)
        if self._made is None or self._made[0] != given:
            self._made = (given, dice.Dice(self.seed, *given))
        return self._made[1]


class Table:
    """One table and its game, as its log has made them."""

    def __init__(self, game_id: str, opened: Opened, at: float, outages: Sequence[Outage] = ()) -> None:
        self.id = game_id
        self.terms = opened
        self.dice_id = opened.dice or game_id
        self.shown = not opened.dice
        """Whether the dice may be seen once the game is over; those of a match only when all its tables are."""
        self.opened_at = at
        self.outages = outages
        self.number = 1
        self.game: AnyGame = GAMES[opened.rules.partition("/")[0]]
        self.config = record.read_rules(self.game, opened.rules)
        self.state: AnyState = self.game.setup(self.config)
        self.turn: Turn = self.game.turn(self.state)
        self.chairs = [Chair() for _ in range(self.config.seats)]
        self.clock: Clock = clock.fresh(opened.pace, self.config.seats)
        self.acts: list[str] = []
        self.status: Status = "open"
        self.asked: tuple[str, frozenset[Seat]] | None = None
        self.end: End | None = None
        self.next_game = ""
        self._future: Future | None = None

    # What the table says of itself

    @property
    def contributions(self) -> list[dice.Contribution]:
        """What the players added to the dice."""
        return [
            dice.Contribution(seat, bytes.fromhex(chair.pledge), bytes.fromhex(chair.number))
            for seat, chair in enumerate(self.chairs)
            if chair.number
        ]

    @property
    def movers(self) -> tuple[Seat, ...]:
        """The seats that may move now."""
        return self.turn.seats if self.status == "playing" and isinstance(self.turn, Choose) else ()

    @property
    def people(self) -> list[Seat]:
        """The seats of persons, also where a bot plays for them now."""
        return [seat for seat, chair in enumerate(self.chairs) if chair.who and not chair.is_bot]

    def bots_to_move(self) -> list[tuple[Seat, str]]:
        """The seats that a bot must move now, and its level."""
        return [(seat, self.chairs[seat].level) for seat in self.movers if self.chairs[seat].level]

    def seat_of(self, who: str) -> Seat | None:
        """Where somebody sits."""
        for seat, chair in enumerate(self.chairs):
            if who and chair.who == who:
                return seat
        return None

    def may_watch(self, seat: Seat | None) -> bool:
        """Whether a viewer may look: the tables of a running match would tell its players what comes next."""
        return seat is not None or self.shown

    def deadline(self, now: float) -> float | None:
        """When the first running clock runs out."""
        return self.clock.deadline(now, self.outages) if self.status == "playing" else None

    def record(self) -> record.Record:
        """The game so far, whole: only for those who may know all, or when it is over."""
        end, turn = self.end, self.turn
        return record.Record(
            rules=self.terms.rules,
            acts=tuple(self.acts),
            id=self.dice_id,
            names=tuple(chair.name or f"Seat {seat}" for seat, chair in enumerate(self.chairs)),
            commitment=bytes.fromhex(self.terms.commitment),
            contributions=tuple(self.contributions),
            scores=turn.scores if isinstance(turn, Over) else (),
            places=turn.places if isinstance(turn, Over) else (),
            seed=bytes.fromhex(end.seed) if end else b"",
            seal=bytes.fromhex(end.seal) if end else b"",
        )

    # The log

    def fork(self) -> "Table":
        """A table that can go on by itself while this one stays as it is."""
        other = Table.__new__(Table)
        vars(other).update(vars(self))
        other.chairs = list(self.chairs)
        other.clock = self.clock.fork()
        other.acts = list(self.acts)
        return other

    def fold(self, entry: Entry, at: float) -> Happening:
        """Let an entry of the log have happened at its time."""
        happening = self.happen(entry)
        self.tick(entry, at)
        return happening

    def happen(self, entry: Entry) -> Happening:
        """What an entry changes, apart from the clocks."""
        number, self.number = self.number, self.number + 1
        match entry:
            case Started(acts=texts) | Played(acts=texts):
                return self._happen_in_game(number, entry, texts)
            case _:
                self._happen_at_table(entry)
                return Happening(number, entry)

    def allowance(self, entry: Entry, now: float) -> float | None:
        """How long those who may move next will have, if this entry is stored now."""
        running = self.clock.fork()
        self._tick(running, entry, now)
        deadline = running.deadline(now, self.outages) if self.status == "playing" else None
        return None if deadline is None else deadline - now

    def tick(self, entry: Entry, at: float) -> None:
        """What an entry changes of the clocks, by the time at which it was stored."""
        self._tick(self.clock, entry, at)

    def _tick(self, clocks: Clock, entry: Entry, at: float) -> None:
        clocks.turn_to(self.movers, at, self.outages, entry.seat if isinstance(entry, Played) else None)
        if isinstance(entry, TookOver | Returned):
            clocks.grant(entry.seat)

    def _happen_in_game(self, number: int, entry: Started | Played, texts: Sequence[str]) -> Happening:
        future = self._future if self._future and self._future.entry is entry else self._foresee(entry, texts)
        self.state, self.turn, self._future, self.asked = future.state, future.turn, None, None
        self.acts += texts
        self.status = "playing"
        if isinstance(entry, Played) and entry.end:
            self._end(entry.end)
        return Happening(number, entry, future.acts, future.events)

    def _foresee(self, entry: Started | Played, texts: Sequence[str]) -> Future:
        state, acts, events = self.state, list[tuple[Seat | None, str]](), list[Any]()
        for text in texts:
            act = record.read_act(self.game, state, text)
            state, happened = self.game.apply(state, act)
            acts.append((self.game.owner(act), text))
            events.extend(happened)
        return Future(entry, state, self.game.turn(state), tuple(acts), tuple(events))

    def _happen_at_table(self, entry: Entry) -> None:  # noqa: C901  one case an entry
        match entry:
            case Sat(seat=seat, who=who, name=name, level=level):
                self.chairs[seat] = Chair(who, name, level, is_bot=bool(level))
                self._when_seated()
            case Left(seat=seat):
                self.chairs[seat] = Chair()
                self._forget_dice()
            case Pledged(seat=seat, pledge=pledge):
                self._reseat(seat, pledge=pledge)
            case Revealed(seat=seat, number=number):
                self._reseat(seat, number=number)
            case TookOver(seat=seat, level=level, reason=reason):
                resigned = self.chairs[seat].resigned or reason == "resigned"
                self._reseat(seat, level=level, left=True, resigned=resigned)
            case Returned(seat=seat):
                self._reseat(seat, level="")
            case Asked(seat=seat, what=what):
                self._ask(seat, what)
            case Declined():
                self.asked = None
            case Ended(end=end):
                self._end(end)
            case Followed(game=game):
                self.next_game = game
            case Shown():
                self.shown = True
            case Opened() | Started() | Played():
                raise AssertionError(f"{entry} has its own place")

    def _reseat(self, seat: Seat, **changes: str | bool) -> None:
        self.chairs[seat] = replace(self.chairs[seat], **changes)

    def _when_seated(self) -> None:
        if all(chair.who for chair in self.chairs):
            self.status = "dice"

    def _forget_dice(self) -> None:
        """Who sits anew has seen the numbers of the others, so all pledge again."""
        self.status = "open"
        self.chairs = [replace(chair, pledge="", number="") for chair in self.chairs]

    def _ask(self, seat: Seat, what: str) -> None:
        before = self.asked[1] if self.asked and self.asked[0] == what else frozenset[Seat]()
        agreed = before | {seat}
        self.asked = (what, agreed)
        if what in ("pause", "resume") and self.agreed(what):
            self.asked = None
            self.status = "paused" if what == "pause" else "playing"

    def _end(self, end: End) -> None:
        self.end = end
        self.status = "over"
        self.clock.running = ()

    # What may be written next

    def agreed(self, what: str) -> bool:
        """Whether all persons at the table have asked for this."""
        present = {seat for seat in self.people if not self.chairs[seat].level}
        return self.asked is not None and self.asked[0] == what and self.asked[1] >= present

    def sit(self, seat: Seat, who: str, name: str, level: str = "") -> Sat:
        """Somebody sits down on a free seat."""
        self._require("open", "dice")
        if not 0 <= seat < len(self.chairs):
            raise Refused("seat", "there is no such seat")
        if self.chairs[seat].who:
            raise Refused("taken", "somebody sits there")
        if not level and self.seat_of(who) is not None:
            raise Refused("seated", "you already sit at this table")
        return Sat(seat, who, name, level)

    def leave(self, seat: Seat) -> Left | TookOver:
        """A person gets up: before the game the seat is free; later a bot plays on."""
        if self.status in ("open", "dice"):
            return Left(seat)
        self._require("playing", "paused")
        return self._take_over(seat, "left")

    def pledge(self, seat: Seat, promised: str) -> Pledged:
        """A person promises a number for the dice."""
        self._require("dice")
        if self.terms.dice:
            raise Refused("match", "the dice of a match are shared: nobody adds to them")
        if self.chairs[seat].pledge or not _is_hex(promised, 32):
            raise Refused("pledge", "one pledge of 32 bytes, once")
        return Pledged(seat, promised)

    def reveal(self, seat: Seat, number: str) -> Revealed:
        """A person shows the number, after all have pledged."""
        self._require("dice")
        if not all(self.chairs[seat].pledge for seat in self.people):
            raise Refused("early", "not everybody has pledged yet")
        if self.chairs[seat].number or not _is_hex(number, 32):
            raise Refused("reveal", "one number of 32 bytes, once")
        if dice.pledge(self.dice_id, seat, bytes.fromhex(number)).hex() != self.chairs[seat].pledge:
            raise Refused("reveal", "this is not the number that was pledged")
        return Revealed(seat, number)

    def ready(self) -> bool:
        """Whether everybody sits and all numbers are shown: the game can start."""
        return self.status == "dice" and all(self.chairs[seat].number for seat in self.people)

    def start(self, secret: Secret) -> Started:
        """The first deals. Who has not added a number by now plays with the others' dice."""
        self._require("dice")
        state, turn, acts, events = self._deals(self.state, secret)
        entry = Started(tuple(text for _, text in acts))
        self._future = Future(entry, state, turn, tuple(acts), tuple(events))
        return entry

    def play(self, seat: Seat, text: str, secret: Secret) -> Played:
        """A move of a seat that may move, with the deals that follow it."""
        self._require("playing")
        if seat not in self.movers:
            raise Refused("turn", "it is not your turn")
        try:
            move = self.game.read_move(self.state, seat, text)
            moved, happened = self.game.apply(self.state, move)
        except IllegalMove as wrong:
            raise Refused(wrong.rule, wrong.why) from None
        except BadNotation as wrong:
            raise Refused("notation", str(wrong)) from None
        first = (self.game.owner(move), record.write_act(self.game, self.state, move))
        state, turn, deals, events = self._deals(moved, secret)
        acts = (first, *deals)
        entry = Played(seat, tuple(text for _, text in acts), self._natural_end(turn, acts, secret))
        self._future = Future(entry, state, turn, acts, (*happened, *events))
        return entry

    def _natural_end(self, turn: Turn, acts: Sequence[tuple[Seat | None, str]], secret: Secret) -> End | None:
        if not isinstance(turn, Over):
            return None
        seal = secret.dice(self).seal([*self.acts, *(text for _, text in acts)])
        return End(secret.seed.hex(), seal.hex(), "over", turn.scores, self._placed(turn))

    def resign(self, seat: Seat, secret: Secret) -> TookOver | Ended:
        """Give up: with one opponent the game ends; with more a bot plays on, for the last place."""
        self._require("playing", "paused")
        if self.config.seats > 2:
            return self._take_over(seat, "resigned")
        ranks = [(int(other != seat),) for other in range(2)]
        return Ended(self._early_end(secret, "resigned", places(ranks)))

    def abort(self, secret: Secret) -> Ended:
        """The game ends without a result, by consent or by the host."""
        if self.status == "over":
            raise Refused("over", "the game is over")
        return Ended(self._early_end(secret, "aborted", ()))

    def flag(self, now: float) -> TookOver:
        """A clock has run out: a bot plays on."""
        self._require("playing")
        for seat in self.clock.running:
            left = self.clock.left(seat, now, self.outages)
            if left is not None and left <= 0 and not self.chairs[seat].level:
                return self._take_over(seat, "time")
        raise Refused("time", "there is still time")

    def come_back(self, seat: Seat) -> Returned:
        """The person takes the seat again from the bot."""
        self._require("playing", "paused")
        if not self.chairs[seat].level or self.chairs[seat].is_bot or self.chairs[seat].resigned:
            raise Refused("return", "there is no seat to come back to")
        return Returned(seat)

    def ask(self, seat: Seat, what: Literal["pause", "resume", "abort", "rematch"]) -> Asked:
        """Ask for something that needs everybody's consent, or give one's own."""
        wanted: dict[str, tuple[Status, ...]] = {
            "pause": ("playing",),
            "resume": ("paused",),
            "abort": ("playing", "paused"),
            "rematch": ("over",),
        }
        self._require(*wanted[what])
        if self.asked and self.asked[0] == what and seat in self.asked[1]:
            raise Refused("asked", "you have asked already")
        return Asked(seat, what)

    def follow(self, game_id: str) -> Followed:
        """The players play again at another table; only once."""
        self._require("over")
        if self.next_game:
            raise Refused("followed", "there is a rematch already")
        return Followed(game_id)

    def show(self) -> Shown:
        """All tables of the match are over; only once."""
        self._require("over")
        if self.shown:
            raise Refused("shown", "the dice have been shown already")
        return Shown()

    def decline(self, seat: Seat) -> Declined:
        """Do not agree."""
        if self.asked is None:
            raise Refused("asked", "nobody asked for anything")
        return Declined(seat)

    # Small print

    def _require(self, *statuses: Status) -> None:
        if self.status not in statuses:
            raise Refused(self.status, f"not while the table is {self.status}")

    def _take_over(self, seat: Seat, reason: Literal["left", "time", "resigned"]) -> TookOver:
        if self.chairs[seat].level:
            raise Refused("bot", "a bot plays there already")
        return TookOver(seat, takeover_level(self.game), reason)

    def _deals(
        self, state: AnyState, secret: Secret
    ) -> tuple[AnyState, Turn, list[tuple[Seat | None, str]], list[AnyEvent]]:
        """Deal while chance is to act."""
        acts: list[tuple[Seat | None, str]] = []
        events: list[AnyEvent] = []
        while isinstance(turn := self.game.turn(state), Chance):
            dealt = sum(act.startswith("*") for act in self.acts)
            deal = self.game.deal(state, secret.dice(self).stream(dealt + len(acts)))
            acts.append((self.game.owner(deal), record.write_act(self.game, state, deal)))
            state, happened = self.game.apply(state, deal)
            events.extend(happened)
        return state, turn, acts, events

    def _placed(self, turn: Over) -> tuple[int, ...]:
        """Who resigned comes last, whatever the bot has made of it."""
        if not any(chair.resigned for chair in self.chairs):
            return turn.places
        return places([(not chair.resigned, -place) for chair, place in zip(self.chairs, turn.places, strict=True)])

    def _early_end(self, secret: Secret, reason: Literal["resigned", "aborted"], ranks: tuple[int, ...]) -> End:
        return End(secret.seed.hex(), secret.dice(self).seal(self.acts).hex(), reason, (), ranks)


def _is_hex(text: str, size: int) -> bool:
    try:
        return len(bytes.fromhex(text)) == size
    except ValueError:
        return False
