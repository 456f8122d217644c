"""A table without sockets, timers or stores: its state as computed from the log, and which entries may follow.

`fold` applies an entry of the log; it never refuses, because what is in the log has happened. One method per request
(`sit`, `play`, `resign` and so on) checks it and returns the entry to be appended, or raises `Refused`; the table
itself changes only when that entry is folded.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from tessella.bots import names
from tessella.core import dice, record
from tessella.core.game import AnyGame, BadNotation, Chance, Choose, IllegalMove, Over, Seat, Turn, places
from tessella.games import GAMES
from tessella.table.clock import Clock, Outage, new_clock
from tessella.table.log import (
    Asked,
    Days,
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

_NOT_NOW: Mapping[Status, str] = {
    "open": "the table is still waiting for players",
    "dice": "the game has not started yet",
    "playing": "the game is in progress",
    "paused": "the game is paused",
    "over": "the game is over",
}
"""Why a request is refused at a table of this status."""

TAKEOVER_LEVELS = ("4", "greedy")
"""The bot levels that take over abandoned seats; the first that the game has. Level 4 thinks for milliseconds."""


def takeover_level(game: AnyGame) -> str:
    """Return the level of the bot that takes over abandoned seats in this game."""
    return next(level for level in TAKEOVER_LEVELS if level in names(game))


class Refused(Exception):
    """A request is not allowed. `rule` names the rule of the game, or is a one-word reason; players read `message`."""

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(f"{message} ({rule})")
        self.rule = rule
        self.message = message


class Occupant(Struct, frozen=True):
    """The occupant of a seat: `player` is empty if it is free; `level` is that of the bot that plays it now, if any."""

    player: str = ""
    name: str = ""
    level: str = ""
    is_bot: bool = False
    resigned: bool = False
    left: bool = False
    pledge: str = ""
    number: str = ""


class AppliedEntry(Struct, frozen=True):
    """A log entry and its events. `acts` are pairs of the only seat that may read the act (None: all) and its text."""

    number: int
    entry: Entry
    acts: tuple[tuple[Seat | None, str], ...] = ()
    events: tuple[Any, ...] = ()


class Outcome(Struct, frozen=True):
    """What an entry does to the game: computed when the entry is made, used when it is folded."""

    entry: Entry
    state: AnyState
    turn: Turn
    acts: tuple[tuple[Seat | None, str], ...]
    events: tuple[Any, ...]


class Secret:
    """The seed of a table, which only the server knows; caches the dice last made from it."""

    def __init__(self, seed: bytes) -> None:
        self.seed = seed
        self._made: tuple[tuple[str, str, list[dice.Contribution]], dice.Dice] | None = None

    def dice(self, table: "Table") -> dice.Dice:
        """Return the dice of the table, including the numbers that the players contributed."""
        given = (table.dice_id, table.terms.rules, table.contributions)
        if self._made is None or self._made[0] != given:
            self._made = (given, dice.Dice(self.seed, *given))
        return self._made[1]


class Table:
    """One table and its game, as computed from its log."""

    def __init__(self, game_id: str, opened: Opened, at: float, outages: Sequence[Outage] = ()) -> None:
        self.id = game_id
        self.terms = opened
        self.dice_id = opened.dice or game_id
        self.shown = not opened.dice
        """Whether the dice are public once the game is over; in a match, only after all its tables are over."""
        self.opened_at = at
        self.outages = outages
        self.number = 1
        self.game: AnyGame = GAMES[opened.rules.partition("/")[0]]
        self.config = record.read_rules(self.game, opened.rules)
        self.state: AnyState = self.game.setup(self.config)
        self.turn: Turn = self.game.turn(self.state)
        self.seats = [Occupant() for _ in range(self.config.seats)]
        self.clock: Clock = new_clock(opened.pace, self.config.seats)
        self.acts: list[str] = []
        self.status: Status = "open"
        self.started = False
        self.acted_at = at
        """When a person last acted at this table."""
        self.asked: tuple[str, frozenset[Seat]] | None = None
        self.first_asker: Seat | None = None
        """The seat that asked for it; the others agreed."""
        self.end: End | None = None
        self.next_game = ""
        self._outcome: Outcome | None = None

    # Properties

    @property
    def contributions(self) -> list[dice.Contribution]:
        """The numbers that the players contributed to the dice."""
        return [
            dice.Contribution(seat, bytes.fromhex(occupant.pledge), bytes.fromhex(occupant.number))
            for seat, occupant in enumerate(self.seats)
            if occupant.number
        ]

    @property
    def movers(self) -> tuple[Seat, ...]:
        """The seats that may move now."""
        return self.turn.seats if self.status == "playing" and isinstance(self.turn, Choose) else ()

    @property
    def people(self) -> list[Seat]:
        """The seats taken by people, including those where a bot stands in."""
        return [seat for seat, occupant in enumerate(self.seats) if occupant.player and not occupant.is_bot]

    @property
    def stored_status(self) -> str:
        """The status in the store: `closed` if the table ended before its game started."""
        return "closed" if self.status == "over" and not self.started else self.status

    @property
    def is_public(self) -> bool:
        """Whether everyone may read all acts: the game is over, and does not go on from before a move."""
        return self.end is not None and self.end.reason != "taken back"

    @property
    def is_deserted(self) -> bool:
        """Whether bots play all seats."""
        return all(occupant.level for occupant in self.seats if occupant.player)

    @property
    def daily(self) -> str:
        """The date of the daily deal that is played here; empty if it is none."""
        start = f"daily-{self.game.NAME}-"
        return self.terms.dice.removeprefix(start) if self.terms.dice.startswith(start) else ""

    def is_by_person(self, entry: Entry) -> bool:
        """Return whether a person caused an entry, rather than a bot, a clock or the host."""
        match entry:
            case Played(seat=seat):
                return not self.seats[seat].level
            case Sat(level=level):
                return not level
            case Left() | Pledged() | Revealed() | Started() | Asked() | Declined() | Returned():
                return True
            case TookOver(reason=reason):
                return reason != "time"
            case Opened() | Ended() | Followed() | Shown():
                return False

    def bots_to_move(self) -> list[tuple[Seat, str]]:
        """Return the seats that bots must move now, each with the level of its bot."""
        return [(seat, self.seats[seat].level) for seat in self.movers if self.seats[seat].level]

    def seat_of(self, player: str) -> Seat | None:
        """Return the seat of a player, or None."""
        for seat, occupant in enumerate(self.seats):
            if player and occupant.player == player:
                return seat
        return None

    def may_watch(self, seat: Seat | None) -> bool:
        """Return whether a viewer may watch; in a running match, watching another table would reveal coming deals."""
        return seat is not None or self.shown

    def deadline(self, now: float) -> float | None:
        """Return when the first running clock runs out, or None."""
        return self.clock.deadline(now, self.outages) if self.status == "playing" else None

    def record(self) -> record.Record:
        """Return the complete game so far. It holds secrets until the game is over."""
        end, turn, branch = self.end, self.turn, self.terms.branch
        return record.Record(
            rules=self.terms.rules,
            acts=tuple(self.acts),
            id=self.dice_id,
            names=tuple(occupant.name or f"Seat {seat}" for seat, occupant in enumerate(self.seats)),
            branch=record.Branch(branch.game, len(branch.acts)) if branch and self.acts else None,
            commitment=bytes.fromhex(self.terms.commitment),
            contributions=tuple(self.contributions),
            scores=turn.scores if isinstance(turn, Over) else (),
            places=turn.places if isinstance(turn, Over) else (),
            seed=bytes.fromhex(end.seed) if end else b"",
            seal=bytes.fromhex(end.seal) if end else b"",
        )

    # The log

    def fork(self) -> "Table":
        """Return an independent copy."""
        other = Table.__new__(Table)
        vars(other).update(vars(self))
        other.seats = list(self.seats)
        other.clock = self.clock.fork()
        other.acts = list(self.acts)
        return other

    def fold(self, entry: Entry, at: float) -> AppliedEntry:
        """Apply an entry of the log that was stored at this time, and return it with its events."""
        applied = self.apply(entry)
        self.update_clocks(entry, at)
        return applied

    def apply(self, entry: Entry) -> AppliedEntry:
        """Apply an entry to everything but the clocks, and return it with its events."""
        number, self.number = self.number, self.number + 1
        match entry:
            case Started(acts=texts) | Played(acts=texts):
                return self._apply_acts(number, entry, texts)
            case _:
                self._apply_change(entry)
                return AppliedEntry(number, entry)

    def allowance(self, entry: Entry, now: float) -> float | None:
        """Return the seconds until the next deadline if this entry is stored now, or None."""
        running = self.clock.fork()
        self._switch(running, entry, now)
        deadline = running.deadline(now, self.outages) if self.status == "playing" else None
        return None if deadline is None else deadline - now

    def update_clocks(self, entry: Entry, at: float) -> None:
        """Update the clocks for an entry that was stored at this time."""
        self._switch(self.clock, entry, at)
        if self.is_by_person(entry):
            self.acted_at = at

    def _switch(self, clocks: Clock, entry: Entry, at: float) -> None:
        clocks.switch_to(self.movers, at, self.outages, entry.seat if isinstance(entry, Played) else None)
        if isinstance(entry, TookOver | Returned):
            clocks.grant_grace(entry.seat)

    def _apply_acts(self, number: int, entry: Started | Played, texts: Sequence[str]) -> AppliedEntry:
        known = self._outcome
        outcome = known if known and known.entry is entry else self._compute_outcome(entry, texts)
        self.state, self.turn, self._outcome, self.asked = outcome.state, outcome.turn, None, None
        self.acts += texts
        self.status = "playing"
        self.started = True
        if isinstance(entry, Played) and entry.end:
            self._end(entry.end)
        return AppliedEntry(number, entry, outcome.acts, outcome.events)

    def _compute_outcome(self, entry: Started | Played, texts: Sequence[str]) -> Outcome:
        """Return what the acts of an entry do; what happened before a branch is no event of this table."""
        state, acts, events = self.state, list[tuple[Seat | None, str]](), list[Any]()
        before = len(self._first_acts) if isinstance(entry, Started) else 0
        for number, text in enumerate(texts):
            act = record.read_act(self.game, state, text)
            state, happened = self.game.apply(state, act)
            acts.append((self.game.owner(act), text))
            events.extend(happened if number >= before else ())
        return Outcome(entry, state, self.game.turn(state), tuple(acts), tuple(events))

    @property
    def _first_acts(self) -> tuple[str, ...]:
        return self.terms.branch.acts if self.terms.branch else ()

    def _apply_change(self, entry: Entry) -> None:  # noqa: C901  one case per entry
        match entry:
            case Sat(seat=seat, player=player, name=name, level=level):
                self.seats[seat] = Occupant(player, name, level, is_bot=bool(level))
                self._when_seated()
            case Left(seat=seat):
                self.seats[seat] = Occupant()
                self._forget_dice()
            case Pledged(seat=seat, pledge=pledge):
                self._reseat(seat, pledge=pledge)
            case Revealed(seat=seat, number=number):
                self._reseat(seat, number=number)
            case TookOver(seat=seat, level=level, reason=reason):
                resigned = self.seats[seat].resigned or reason == "resigned"
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
                raise AssertionError(f"{type(entry).__name__} is not applied here")

    def _reseat(self, seat: Seat, **changes: str | bool) -> None:
        self.seats[seat] = replace(self.seats[seat], **changes)

    def _when_seated(self) -> None:
        if all(occupant.player for occupant in self.seats):
            self.status = "dice"

    def _forget_dice(self) -> None:
        """Drop all pledges: a new player has seen the numbers of the others."""
        self.status = "open"
        self.seats = [replace(occupant, pledge="", number="") for occupant in self.seats]

    def _ask(self, seat: Seat, what: str) -> None:
        before = self.asked[1] if self.asked and self.asked[0] == what else frozenset[Seat]()
        self.first_asker = self.first_asker if before else seat
        agreed = before | {seat}
        self.asked = (what, agreed)
        if what in ("pause", "resume") and self.agreed(what):
            self.asked = None
            self.status = "paused" if what == "pause" else "playing"

    def _end(self, end: End) -> None:
        self.end = end
        self.asked = None
        self.status = "over"
        self.clock.running = ()

    # Requests: each returns the entry to append, or raises Refused

    def agreed(self, what: str) -> bool:
        """Return whether all people present at the table have asked for this."""
        present = {seat for seat in self.people if not self.seats[seat].level}
        return self.asked is not None and self.asked[0] == what and self.asked[1] >= present

    def sit(self, seat: Seat, player: str, name: str, level: str = "") -> Sat:
        """Seat a person or a bot on a free seat."""
        self._require("open", "dice")
        if not 0 <= seat < len(self.seats):
            raise Refused("seat", "there is no such seat")
        if self.seats[seat].player:
            raise Refused("taken", "this seat is taken")
        if not level and self.seat_of(player) is not None:
            raise Refused("seated", "you already sit at this table")
        return Sat(seat, player, name, level)

    def leave(self, seat: Seat) -> Left | TookOver:
        """Leave a seat: before the game it becomes free, later a bot takes over."""
        if self.status in ("open", "dice"):
            return Left(seat)
        self._require("playing", "paused")
        return self._take_over(seat, "left")

    def pledge(self, seat: Seat, promised: str) -> Pledged:
        """Commit to a number for the dice."""
        self._require("dice")
        if self.terms.dice:
            raise Refused("match", "the dice of a match are shared, so players cannot add to them")
        if self.seats[seat].pledge or not _is_hex(promised, 32):
            raise Refused("pledge", "a pledge is 32 bytes in hexadecimal, sent once")
        return Pledged(seat, promised)

    def reveal(self, seat: Seat, number: str) -> Revealed:
        """Reveal the number, after all players have committed to theirs."""
        self._require("dice")
        if not all(self.seats[seat].pledge for seat in self.people):
            raise Refused("early", "not all players have pledged yet")
        if self.seats[seat].number or not _is_hex(number, 32):
            raise Refused("reveal", "the number is 32 bytes in hexadecimal, sent once")
        if dice.pledge(self.dice_id, seat, bytes.fromhex(number)).hex() != self.seats[seat].pledge:
            raise Refused("reveal", "this is not the number you pledged")
        return Revealed(seat, number)

    def ready(self) -> bool:
        """Return whether the game can start: all seats are taken and all numbers revealed.

        A game that goes on from another one starts at once, by the dice of the host alone.
        """
        revealed = all(self.seats[seat].number for seat in self.people)
        return self.status == "dice" and (revealed or self.terms.branch is not None)

    def start(self, secret: Secret) -> Started:
        """Start the game with its first deals; players who have revealed no number add nothing to the dice."""
        self._require("dice")
        begun = self._compute_outcome(Started(()), self._first_acts)
        state, turn, deals, events = self._deals(begun.state, secret, self._first_acts)
        acts = (*begun.acts, *deals)
        entry = Started(tuple(text for _, text in acts))
        self._outcome = Outcome(entry, state, turn, acts, tuple(events))
        return entry

    def play(self, seat: Seat, text: str, secret: Secret) -> Played:
        """Play a move for a seat, with the deals that follow it."""
        self._require("playing")
        if seat not in self.movers:
            raise Refused("turn", "it is not your turn")
        try:
            move = self.game.read_move(self.state, seat, text)
            moved, happened = self.game.apply(self.state, move)
        except IllegalMove as exc:
            raise Refused(exc.rule, exc.why) from None
        except BadNotation as exc:
            raise Refused("notation", str(exc)) from None
        first = (self.game.owner(move), record.write_act(self.game, self.state, move))
        state, turn, deals, events = self._deals(moved, secret, self.acts)
        acts = (first, *deals)
        entry = Played(seat, tuple(text for _, text in acts), self._natural_end(turn, acts, secret))
        self._outcome = Outcome(entry, state, turn, acts, (*happened, *events))
        return entry

    def _natural_end(self, turn: Turn, acts: Sequence[tuple[Seat | None, str]], secret: Secret) -> End | None:
        if not isinstance(turn, Over):
            return None
        seal = secret.dice(self).seal([*self.acts, *(text for _, text in acts)])
        return End(secret.seed.hex(), seal.hex(), "over", turn.scores, self._placed(turn))

    def resign(self, seat: Seat, secret: Secret) -> TookOver | Ended:
        """Resign: with one opponent the game ends; with more a bot takes over, and the seat is ranked last."""
        self._require("playing", "paused")
        if self.config.seats > 2:
            return self._take_over(seat, "resigned")
        ranks = [(int(other != seat),) for other in range(2)]
        return Ended(self._early_end(secret, "resigned", places(ranks)))

    def abort(self, secret: Secret) -> Ended:
        """End the game without a result, by consent or by the host."""
        if self.status == "over":
            raise Refused("over", "the game is over")
        return Ended(self._early_end(secret, "aborted", ()))

    def take_back(self) -> Ended:
        """End the game here, because it goes on at another table from before a move; its dice stay hidden."""
        self._require("playing", "paused")
        return Ended(End("", "", "taken back"))

    def close(self, secret: Secret) -> Ended:
        """Close the table before its game starts."""
        if self.started:
            raise Refused("started", "the game has already started")
        return self.abort(secret)

    def flag(self, now: float) -> TookOver:
        """Hand a seat whose clock has run out to a bot."""
        self._require("playing")
        for seat in self.clock.running:
            left = self.clock.seconds_left(seat, now, self.outages)
            if left is not None and left <= 0 and not self.seats[seat].level:
                return self._take_over(seat, "time")
        raise Refused("time", "no clock has run out")

    def substitute(self, absent: Collection[Seat]) -> TookOver:
        """Hand the seat of a player who is to move, and among those who have been away long enough, to a bot.

        Where the clock decides (with days for a move, and in rated games with a clock) it stays theirs.
        """
        self._require("playing")
        if isinstance(self.terms.pace, Days) or (self.terms.rated and self.terms.pace is not None):
            raise Refused("clock", "the clock decides how long the others must wait")
        for seat in self.movers:
            if seat in absent and not self.seats[seat].level:
                return self._take_over(seat, "left")
        raise Refused("away", "whoever is to move has not been away for a minute yet")

    def come_back(self, seat: Seat) -> Returned:
        """Take the seat back from the bot."""
        self._require("playing", "paused")
        if not self.seats[seat].level or self.seats[seat].is_bot or self.seats[seat].resigned:
            raise Refused("return", "you have no seat to return to")
        return Returned(seat)

    def ask(self, seat: Seat, what: Literal["pause", "resume", "abort", "rematch", "takeback"]) -> Asked:
        """Ask for something that needs everybody's consent, or consent to it."""
        wanted: dict[str, tuple[Status, ...]] = {
            "pause": ("playing",),
            "resume": ("paused",),
            "abort": ("playing", "paused"),
            "rematch": ("over",),
            "takeback": ("playing", "paused"),
        }
        self._require(*wanted[what])
        if what == "takeback":
            self._require_takeback()
        if what == "rematch" and not (self.started and self.is_public):
            raise Refused("nothing", "no game was played at this table")
        if what == "rematch" and self.next_game:
            raise Refused("followed", "there is already a rematch")
        if self.asked and self.asked[0] == what and seat in self.asked[1]:
            raise Refused("asked", "you have already asked")
        return Asked(seat, what)

    def _require_takeback(self) -> None:
        if self.terms.rated or self.terms.dice:
            raise Refused("takeback", "no move is taken back in a rated game or in a match")
        if any(self.seats[seat].level for seat in self.people):
            raise Refused("takeback", "no move is taken back while a bot plays for somebody who left")

    def follow(self, game_id: str) -> Followed:
        """Point to the table where the players go on; there is one at most."""
        self._require("over")
        if self.next_game:
            raise Refused("followed", "there is already a rematch")
        return Followed(game_id)

    def show(self) -> Shown:
        """Make the dice of a match public, once."""
        self._require("over")
        if self.shown:
            raise Refused("shown", "the dice are already public")
        return Shown()

    def decline(self, seat: Seat) -> Declined:
        """Decline what another player asked for."""
        if self.asked is None:
            raise Refused("asked", "there is nothing to decline")
        return Declined(seat)

    # Helpers

    def _require(self, *statuses: Status) -> None:
        if self.status not in statuses:
            raise Refused(self.status, _NOT_NOW[self.status])

    def _take_over(self, seat: Seat, reason: Literal["left", "time", "resigned"]) -> TookOver:
        if self.seats[seat].level:
            raise Refused("bot", "a bot already plays this seat")
        return TookOver(seat, takeover_level(self.game), reason)

    def _deals(
        self, state: AnyState, secret: Secret, before: Sequence[str]
    ) -> tuple[AnyState, Turn, list[tuple[Seat | None, str]], list[AnyEvent]]:
        """Return the state after dealing for as long as chance is to act, with the turn, the acts and the events.

        `before` are the acts that led to the state.
        """
        acts: list[tuple[Seat | None, str]] = []
        events: list[AnyEvent] = []
        while isinstance(turn := self.game.turn(state), Chance):
            dealt = sum(act.startswith("*") for act in before)
            deal = self.game.deal(state, secret.dice(self).stream(dealt + len(acts)))
            acts.append((self.game.owner(deal), record.write_act(self.game, state, deal)))
            state, happened = self.game.apply(state, deal)
            events.extend(happened)
        return state, turn, acts, events

    def _placed(self, turn: Over) -> tuple[int, ...]:
        """Return the places; seats that resigned come last, whatever the bot achieved."""
        if not any(occupant.resigned for occupant in self.seats):
            return turn.places
        return places(
            [(not occupant.resigned, -place) for occupant, place in zip(self.seats, turn.places, strict=True)]
        )

    def _early_end(self, secret: Secret, reason: Literal["resigned", "aborted"], ranks: tuple[int, ...]) -> End:
        return End(secret.seed.hex(), secret.dice(self).seal(self.acts).hex(), reason, (), ranks)


def _is_hex(text: str, size: int) -> bool:
    try:
        return len(bytes.fromhex(text)) == size
    except ValueError:
        return False
