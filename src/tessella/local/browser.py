"""The Python end of a browser tab: the API routes and sockets of a server, answered by games in this process.

The tab's Web Worker calls a `Tab` with JSON text and gets JSON text; what comes at another time (updates after the move
of a bot, games to be kept) goes to `post`. Nothing here waits: `step` makes one move of a bot or reviews one act, and
the worker calls it between messages until there is nothing left to do.
"""

import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from random import Random
from typing import Annotated, Any, Literal, TypeAlias
from urllib.parse import parse_qsl, unquote

import msgspec
from msgspec import Meta, Struct

from tessella.bots import AnyView, Budget, bot
from tessella.coach.hints import hint
from tessella.coach.lines import line_after, line_of
from tessella.coach.puzzles import views as puzzle_views
from tessella.coach.puzzles.puzzle import shipped
from tessella.coach.report import Report, ReviewView
from tessella.coach.review import Part, assemble, evaluate_acts, record_id
from tessella.core import link, record, wire
from tessella.core.game import AnyGame, BadNotation, Chance, Choose, Over, Public, Seat
from tessella.core.record import Record
from tessella.games import GAMES
from tessella.lessons import views as lesson_views
from tessella.lessons.course import OpenStep
from tessella.local.game import LocalGame, LocalPlayer, branch_game, choose_move, open_game, resume_game
from tessella.local.hot_seat import HotSeat
from tessella.protocol.messages import (
    EntriesView,
    ErrorBody,
    FromClient,
    Hello,
    RecordView,
    Update,
)
from tessella.protocol.texts import texts_view
from tessella.protocol.titles import list_titles
from tessella.table.log import End, Ended
from tessella.table.replay import game_named, log_of, opened_of, replay_record
from tessella.table.table import Refused, Table

Post: TypeAlias = Callable[[str, str, str], None]
"""Receives what the tab sends unasked: its kind (`message` or `keep`), the link or game it is for, and JSON."""

GAME_ID = re.compile("[a-z0-9]{4,20}")
MEASURED_SECONDS = 8.0
"""The longest that a level is measured for."""
CUT = 0.6
"""A search ends before its deadline if another round of it might not fit; from this share on it was cut short."""
REVIEW_NODES = {"azul": 60, "duel": 8, "blockers": 4}
"""Positions, or games, that the coach searches per evaluation in a tab: a review ends within a minute."""
OTHER_NODES = 12
"""The same for installed games."""


# What a tab sends and receives beyond the messages of a server


class Sit(Struct, frozen=True, tag="sit", forbid_unknown_fields=True):
    """Open the curtain for this person, who has the screen now."""

    seat: Seat


class Handover(Public, frozen=True, tag="handover"):
    """The person to whom the screen must be passed before it may show anything hidden; null if it stays where it is.

    If `hidden` is true, the next viewer may not see what the screen showed until now.
    """

    to: Seat | None
    hidden: bool


class HerePlayer(Struct, frozen=True, forbid_unknown_fields=True):
    """A player of a new game at this device: a person, or a bot of some level."""

    name: Annotated[str, Meta(max_length=30)]
    level: Annotated[str, Meta(max_length=20)] = ""


class HereBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A new game at this device."""

    title: Annotated[str, Meta(max_length=20)]
    players: Annotated[tuple[HerePlayer, ...], Meta(min_length=2, max_length=5)]
    options: dict[str, str] = msgspec.field(default_factory=dict[str, str])


class HereBranch(Struct, frozen=True, forbid_unknown_fields=True):
    """A new game at this device that begins with the first acts of another one."""

    record: Annotated[str, Meta(max_length=20_000)]
    acts: int
    players: Annotated[tuple[HerePlayer, ...], Meta(min_length=2, max_length=5)]


class HereMade(Public, frozen=True):
    """The id of a game at this device."""

    id: str


class HereGame(Public, frozen=True):
    """A game that is kept at this device."""

    id: str
    title: str
    names: tuple[str, ...]
    levels: tuple[str, ...]
    """The level of the bot in each seat; empty for people."""
    acts: int
    over: bool
    places: tuple[int, ...]
    touched: float


class HereListed(Public, frozen=True):
    """The games that are kept at this device, the latest first."""

    games: tuple[HereGame, ...]


class SpeedBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A level to be measured."""

    title: str
    level: str


class Speed(Public, frozen=True):
    """How long a level takes for a move at this device, in seconds; at least that if it was `cut` short."""

    seconds: float
    cut: bool


class ImportBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The text of a `.game` file."""

    record: Annotated[str, Meta(max_length=20_000)]


class MoveBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A move in notation, or nothing to ask for the solution."""

    move: Annotated[str, Meta(max_length=40)] = ""


class Kept(Struct, frozen=True):
    """A game as the browser keeps it: the record with its seed and, for a game that is over, how it ended.

    The review is read when it is asked for: one by another edition may be unreadable, and hides no game.
    """

    id: str
    record: str
    touched: float
    end: End | None = None
    review: msgspec.Raw = msgspec.Raw(b"null")


class Asked(Struct, frozen=True):
    """A request as over HTTP: the parts of its path that vary, its query and its body."""

    path: Sequence[str]
    query: Mapping[str, str]
    body: str


class Problem(Exception):
    """A request cannot be answered; the status is that of HTTP."""

    def __init__(self, status: int, rule: str, message: str) -> None:
        super().__init__(message)
        self.status, self.rule, self.message = status, rule, message


_from_page: msgspec.json.Decoder[FromClient | Sit] = msgspec.json.Decoder(FromClient | Sit)


class OpenGame:
    """A game that a page shows, or has shown."""

    def __init__(self, local: LocalGame) -> None:
        self.local = local
        self.hot_seat = HotSeat(local)
        self.links: dict[str, int] = {}
        """The number of the last entry that each page has."""
        self.shown_to: Seat | None = self.viewer

    @property
    def viewer(self) -> Seat | None:
        """Whose view the page may draw now: None, for what everyone may see, from the moment the curtain closes."""
        return None if self.hot_seat.next_to_sit is not None else self.hot_seat.shown_to

    def settle(self) -> None:
        """Give the screen to the person to move, unless a curtain must close first."""
        seat = self.hot_seat
        if seat.mover is not None and seat.mover in seat.people and seat.next_to_sit is None:
            seat.sit(seat.mover)


class Reviewing:
    """A review in progress, or one that was kept."""

    def __init__(self, review_id: str, whole: Record, report: Report | None) -> None:
        self.id, self.whole, self.report = review_id, whole, report
        self.game = GAMES[whole.game]
        self.budget = Budget(nodes=REVIEW_NODES.get(whole.game, OTHER_NODES))
        self.parts: list[Part] = []
        self._ahead: Iterator[Part] = evaluate_acts(self.game, whole, self.budget)

    def step(self) -> None:
        """Review one more act; after the last one write the report."""
        if len(self.parts) < len(self.whole.acts):
            self.parts.append(next(self._ahead))
        else:
            self.report = assemble(self.game, self.whole, self.parts, self.budget)

    def view(self) -> ReviewView:
        """Return the progress."""
        total = len(self.whole.acts)
        if self.report is not None:
            return ReviewView(self.id, "done", total, total, self.report)
        return ReviewView(self.id, "working" if self.parts else "waiting", len(self.parts), total)


class Tab:
    """All games of one browser tab."""

    def __init__(self, post: Post, kept: str = "[]", clock: Callable[[], float] = time.time) -> None:
        self._post = post
        self._clock = clock
        self._kept = {each.id: each for each in _read_kept(kept)}
        self._open: dict[str, OpenGame] = {}
        self._reviews: dict[str, Reviewing] = {}
        self._at: dict[str, str] = {}
        """The game of each link."""

    def sync(self, kept: str) -> None:
        """Take over what other tabs have kept since; games that a page of this one shows stay as they are."""
        shown = {each.id: each for each in self._kept.values() if each.id in self._open and self._open[each.id].links}
        now = {each.id: each for each in _read_kept(kept)} | shown
        self._open = {
            game_id: game for game_id, game in self._open.items() if now.get(game_id) == self._kept.get(game_id)
        }
        self._kept = now

    # Requests, as over HTTP

    def request(self, method: str, address: str, body: str) -> str:
        """Answer a request; return JSON with a `status` and a `body`, as the server would."""
        try:
            answer = self._answer(method, address, body)
            status = 200
        except Problem as exc:
            answer, status = ErrorBody(exc.rule, exc.message), exc.status
        except BadNotation as exc:
            answer, status = ErrorBody("replay", str(exc)), 422
        except Refused as exc:
            answer, status = ErrorBody(exc.rule, exc.message), 409
        except msgspec.ValidationError as exc:
            answer, status = ErrorBody("body", str(exc)), 422
        return f'{{"status":{status},"body":{wire.encode(answer).decode()}}}'

    def _answer(self, method: str, address: str, body: str) -> Public:
        path, _, query = address.partition("?")
        for verb, pattern, handle in _ROUTES:
            if verb == method and (found := re.fullmatch(pattern, path)):
                return handle(self, Asked([unquote(part) for part in found.groups()], dict(parse_qsl(query)), body))
        raise Problem(404, "path", "this needs a server")

    def titles(self, _: Asked) -> Public:
        """List the games and the levels of their bots."""
        return list_titles()

    def texts(self, asked: Asked) -> Public:
        """Return the texts of an installed game in a language."""
        found = texts_view(asked.path[0], asked.path[1])
        if found is None:
            raise Problem(404, "title", "there is no installed game of this title, or no such language")
        return found

    def games(self, _: Asked) -> Public:
        """List the games that are kept here, the latest first."""
        listed = [_listed(kept) for kept in self._kept.values()]
        return HereListed(tuple(sorted(listed, key=lambda game: -game.touched)))

    def open(self, asked: Asked) -> Public:
        """Open a game."""
        wanted = msgspec.json.decode(asked.body, type=HereBody)
        players = [LocalPlayer(player.name, player.level) for player in wanted.players]
        opened = open_game(wanted.title, players, [f"{key}={value}" for key, value in wanted.options.items()])
        self._add(opened)
        return HereMade(opened.table.id)

    def branch(self, asked: Asked) -> Public:
        """Open a game that begins with the first acts of another one."""
        wanted = msgspec.json.decode(asked.body, type=HereBranch)
        players = [LocalPlayer(player.name, player.level) for player in wanted.players]
        opened = branch_game(_read_game(wanted.record), wanted.acts, players)
        self._add(opened)
        return HereMade(opened.table.id)

    def bring(self, asked: Asked) -> Public:
        """Keep the game in a record, to go on with it or to look at it."""
        text = msgspec.json.decode(asked.body, type=ImportBody).record
        whole = _read_game(text)
        if not GAME_ID.fullmatch(whole.id):
            raise BadNotation("the record has no id, so it cannot be kept; it can be replayed")
        if not whole.seal:
            self._add(resume_game(whole))
        else:
            record.verify(GAMES[whole.game], whole)
            turn = GAMES[whole.game].turn(list(record.replay(GAMES[whole.game], whole))[-1].after)
            reason: Literal["over", "aborted"] = "over" if isinstance(turn, Over) else "aborted"
            end = End(whole.seed.hex(), whole.seal.hex(), reason, whole.scores, whole.places)
            self._keep(Kept(whole.id, text, self._clock(), end))
        return HereMade(whole.id)

    def drop(self, asked: Asked) -> Public:
        """Delete a game of this device."""
        self._kept.pop(asked.path[0], None)
        self._open.pop(asked.path[0], None)
        self._post("drop", asked.path[0], "")
        return HereMade(asked.path[0])

    def saved(self, asked: Asked) -> Public:
        """Return all that is needed to go on with a game elsewhere."""
        if asked.path[0] not in self._kept:
            raise Problem(404, "game", "there is no such game at this device")
        return RecordView(self._kept[asked.path[0]].record)

    def speed(self, asked: Asked) -> Public:
        """Measure how long a level takes for a move here."""
        wanted = msgspec.json.decode(asked.body, type=SpeedBody)
        return measure(wanted.title, wanted.level)

    def table(self, asked: Asked) -> Public:
        """Return a table as the person at the screen may see it."""
        game = self._game(asked.path[0])
        return game.local.view(game.viewer)

    def hint(self, asked: Asked) -> Public:
        """Return a good move for the person at the screen."""
        game = self._game(asked.path[0])
        return hint(game.local.table, game.viewer)

    def entries(self, asked: Asked) -> Public:
        """Return past entries as the person at the screen may see them."""
        game = self._game(asked.path[0])
        before = int(asked.query.get("before", "99999"))
        return EntriesView(game.local.entries(game.viewer, int(asked.query.get("from", "1")), before), None)

    def record(self, asked: Asked) -> Public:
        """Return the record of a finished game."""
        return RecordView(record.write(self._finished(asked.path[0]).record()))

    def replay(self, asked: Asked) -> Public:
        """Return a finished game, step by step."""
        return self._finished(asked.path[0]).replay(_seat(asked.query))

    def replay_link(self, asked: Asked) -> Public:
        """Return the game in a link, step by step."""
        game = game_named(asked.path[0])
        if game is None:
            raise Problem(404, "title", "there is no such game, or not in this edition")
        return replay_record(link.expand(game, f"{asked.path[0]}.{asked.path[1]}"), _seat(asked.query))

    def replay_text(self, asked: Asked) -> Public:
        """Return the game in a record, step by step."""
        return replay_record(_read_record(asked.body), _seat(asked.query))

    def ask_review(self, asked: Asked) -> Public:
        """Start a review of a finished game."""
        return self._review(asked.path[0], self._finished(asked.path[0]).record())

    def ask_review_of_text(self, asked: Asked) -> Public:
        """Start a review of the game in a record."""
        whole = _read_record(asked.body)
        return self._review(record_id(whole), whole)

    def review(self, asked: Asked) -> Public:
        """Return the progress of a review."""
        if asked.path[0] not in self._reviews:
            raise Problem(404, "review", "this review has not been requested")
        return self._reviews[asked.path[0]].view()

    def line(self, asked: Asked) -> Public:
        """Return the coach's line instead of a move of a reviewed game, step by step."""
        reviewing = self._reviews.get(asked.path[0])
        number = int(asked.path[1])
        line = line_of(reviewing.report, number) if reviewing and reviewing.report else ()
        if reviewing is None or not line:
            raise Problem(404, "review", "this review has no line for this act")
        return line_after(reviewing.whole, number, line, _seat(asked.query))

    def puzzles(self, _: Asked) -> Public:
        """List the puzzles."""
        return puzzle_views.list_puzzles()

    def daily(self, asked: Asked) -> Public:
        """Return the puzzle of today."""
        found = puzzle_views.puzzle_of(datetime.fromtimestamp(self._clock(), UTC).date(), asked.query.get("title", ""))
        if found is None:
            raise Problem(404, "title", "there are no puzzles for a game of this title")
        return found

    def puzzle(self, asked: Asked) -> Public:
        """Return a puzzle."""
        return puzzle_views.see_puzzle(_puzzle(asked.path[0]))

    def puzzle_preview(self, asked: Asked) -> Public:
        """Preview a move of a puzzle."""
        return puzzle_views.preview_move(_puzzle(asked.path[0]), asked.query.get("move", ""))

    def puzzle_answer(self, asked: Asked) -> Public:
        """Check the answer to a puzzle."""
        move = msgspec.json.decode(asked.body or "{}", type=MoveBody).move
        found = puzzle_views.check_answer(_puzzle(asked.path[0]), move)
        if found is None:
            raise Problem(422, "move", "there is no such move in this position")
        return found

    def lessons(self, _: Asked) -> Public:
        """List the lessons."""
        return lesson_views.list_lessons()

    def lesson(self, asked: Asked) -> Public:
        """Return a lesson."""
        found = lesson_views.see_lesson(asked.path[0])
        if found is None:
            raise Problem(404, "lesson", "there is no lesson for a game of this title")
        return found

    def lesson_preview(self, asked: Asked) -> Public:
        """Preview a move of a lesson."""
        return lesson_views.preview_move(_step(asked.path), asked.query.get("move", ""))

    def lesson_answer(self, asked: Asked) -> Public:
        """Answer a move of a lesson."""
        step, move = _step(asked.path), msgspec.json.decode(asked.body or "{}", type=MoveBody).move
        if move not in step.moves():
            raise Problem(422, "move", "there is no such move in this position")
        return lesson_views.answer_move(step, move)

    # Links, as sockets

    def connect(self, link_id: str, game_id: str) -> None:
        """Open a link from a page to a game."""
        self._at[link_id] = game_id

    def disconnect(self, link_id: str) -> None:
        """Close a link."""
        game = self._open.get(self._at.pop(link_id, ""))
        if game is not None:
            game.links.pop(link_id, None)

    def receive(self, link_id: str, text: str) -> None:
        """Handle a message of a page; the replies are posted."""
        game = self._game(self._at[link_id])
        match message := _from_page.decode(text):
            case Sit(seat=seat):
                game.hot_seat.sit(seat)
                self._publish(game)
            case Hello(have=have):
                game.links[link_id] = have
                game.settle()
                self._publish(game)
            case _:
                self._pass_on(game, link_id, message)

    def _pass_on(self, game: OpenGame, link_id: str, message: FromClient) -> None:
        before = game.local.table.number
        viewer = _requester(game)
        for reply in game.local.receive(viewer, message):
            if not isinstance(reply, Update):
                self._send(link_id, reply)
        if game.local.table.number != before:
            self._changed(game)

    def _changed(self, game: OpenGame) -> None:
        if game.local.next_game is not None and game.local.next_game.table.id not in self._kept:
            self._add(game.local.next_game)
        game.settle()
        self._keep_game(game.local)
        self._publish(game)

    def _publish(self, game: OpenGame) -> None:
        """Send every page of a game what it has not seen, and whether the screen must be passed on."""
        seat = game.hot_seat
        changed, game.shown_to = game.shown_to != game.viewer, game.viewer
        handover = Handover(seat.next_to_sit, changed and seat.has_secrets)
        for link_id, have in list(game.links.items()):
            self._send(link_id, handover)
            self._send(link_id, game.local.update(game.viewer, have))
            game.links[link_id] = game.local.table.number - 1

    def _send(self, link_id: str, message: Public) -> None:
        self._post("message", link_id, wire.encode(message).decode())

    # Work between messages

    def step(self) -> bool:
        """Make one move of a bot or review one act; return whether there was anything to do."""
        for game in self._open.values():
            turn = game.local.bot_to_move() if game.links else None
            if turn is not None:
                game.local.play_bot(turn, choose_move(turn))
                self._changed(game)
                return True
        reviewing = next((each for each in self._reviews.values() if each.report is None), None)
        if reviewing is not None:
            reviewing.step()
            self._keep_review(reviewing)
        return reviewing is not None

    def _review(self, review_id: str, whole: Record) -> ReviewView:
        if not whole.acts:
            raise Problem(409, "nothing", "nothing was played at this table")
        if review_id not in self._reviews:
            self._reviews[review_id] = Reviewing(review_id, whole, self._kept_review(review_id))
        return self._reviews[review_id].view()

    def _keep_review(self, reviewing: Reviewing) -> None:
        kept = self._kept.get(reviewing.id)
        if kept is not None and reviewing.report is not None:
            report = msgspec.Raw(msgspec.json.encode(reviewing.report))
            self._keep(msgspec.structs.replace(kept, review=report))

    def _kept_review(self, game_id: str) -> Report | None:
        with suppress(KeyError, msgspec.ValidationError):
            return msgspec.json.decode(self._kept[game_id].review, type=Report | None)
        return None

    # Games

    def _add(self, local: LocalGame) -> None:
        self._open[local.table.id] = OpenGame(local)
        self._keep_game(local)

    def _keep_game(self, local: LocalGame) -> None:
        """Keep a game as it is now; one that goes on from before a move is replaced by the next one."""
        if local.table.end and not local.table.is_public:
            self._kept.pop(local.table.id, None)
            self._post("drop", local.table.id, "")
            return
        kept = Kept(local.table.id, record.write(local.saved()), self._clock(), local.table.end)
        before = self._kept.get(kept.id, kept)
        self._keep(msgspec.structs.replace(kept, review=before.review))

    def _keep(self, kept: Kept) -> None:
        self._kept[kept.id] = kept
        self._post("keep", kept.id, msgspec.json.encode(kept).decode())

    def _game(self, game_id: str) -> OpenGame:
        if game_id not in self._open:
            if game_id not in self._kept:
                raise Problem(404, "game", "there is no such game at this device")
            self._open[game_id] = OpenGame(_reopen(self._kept[game_id]))
        return self._open[game_id]

    def _finished(self, game_id: str) -> LocalGame:
        local = self._game(game_id).local
        if not local.table.is_public:
            raise Problem(403, "running", "the game is not over")
        return local


def measure(title: str, level: str) -> Speed:
    """Return how long a level takes for a move early in a game."""
    game, rng = GAMES[title], Random(1)  # noqa: S311  not for secrets
    state = game.setup(record.read_options(game, ["seats=2"]))
    while isinstance(turn := game.turn(state), Chance):
        state, _ = game.apply(state, game.deal(state, rng))
    assert isinstance(turn, Choose)
    view = game.view(state, turn.seats[0])
    seconds = _timed(game, level, view)
    if seconds < MEASURED_SECONDS / 2:  # the first move of a level also makes its tables
        seconds = min(seconds, _timed(game, level, view))
    return Speed(round(seconds, 3), seconds >= MEASURED_SECONDS * CUT)


def _timed(game: AnyGame, level: str, view: AnyView) -> float:
    began = time.perf_counter()
    bot(game, level)(view, Budget(MEASURED_SECONDS), Random(1))  # noqa: S311
    return time.perf_counter() - began


def _requester(game: OpenGame) -> Seat | None:
    """Return the seat in whose name the screen asks: that of its viewer or, for what concerns all, of any person."""
    seat = game.hot_seat
    if game.viewer is not None:
        return game.viewer
    people = [number for number, occupant in enumerate(game.local.table.seats) if not occupant.is_bot]
    return seat.viewer if seat.viewer is not None else (people[0] if people else None)


def _read_kept(text: str) -> Iterator[Kept]:
    """Return the kept games that this edition can read; the others stay in the browser and are not listed."""
    for raw in msgspec.json.decode(text, type=list[msgspec.Raw]):
        with suppress(msgspec.ValidationError, BadNotation):
            kept = msgspec.json.decode(raw, type=Kept)
            _listed(kept)
            yield kept


def _reopen(kept: Kept) -> LocalGame:
    whole = record.read(kept.record)
    if kept.end is None:
        return resume_game(whole)
    game = LocalGame(Table(whole.id, opened_of(whole), kept.touched), whole.seed)
    game._fold(log_of(GAMES[whole.game], whole))  # pyright: ignore[reportPrivateUsage]
    if game.table.end is None:
        game._fold([Ended(kept.end)])  # pyright: ignore[reportPrivateUsage]
    return game


def _listed(kept: Kept) -> HereGame:
    whole = _read_game(kept.record)
    levels = {each.seat: each.level for each in whole.bots}
    return HereGame(
        id=kept.id,
        title=whole.game,
        names=whole.names,
        levels=tuple(levels.get(seat, "") for seat in range(len(whole.names))),
        acts=len(whole.acts),
        over=kept.end is not None,
        places=kept.end.places if kept.end else (),
        touched=kept.touched,
    )


def _read_record(body: str) -> Record:
    return _read_game(msgspec.json.decode(body, type=ImportBody).record)


def _read_game(text: str) -> Record:
    whole = record.read(text)
    if whole.game not in GAMES:
        raise BadNotation(f"there is no game {whole.game!r} here")
    return whole


def _seat(query: Mapping[str, str]) -> Seat | None:
    return int(query["seat"]) if query.get("seat", "").isdecimal() else None


def _puzzle(puzzle_id: str) -> Any:  # noqa: ANN401
    if puzzle_id not in shipped():
        raise Problem(404, "puzzle", "there is no such puzzle")
    return shipped()[puzzle_id]


def _step(path: Sequence[str]) -> OpenStep:
    found = lesson_views.find_step(path[0], path[1])
    if found is None:
        raise Problem(404, "lesson", "there is no such step of a lesson")
    return found


Handler: TypeAlias = Callable[[Tab, Asked], Public]

_ROUTES: Sequence[tuple[str, str, Handler]] = (
    ("GET", "/api/titles", Tab.titles),
    ("GET", "/api/titles/([^/]+)/texts/([^/]+)", Tab.texts),
    ("GET", "/api/here", Tab.games),
    ("POST", "/api/here", Tab.open),
    ("POST", "/api/here/branch", Tab.branch),
    ("POST", "/api/here/import", Tab.bring),
    ("POST", "/api/here/speed", Tab.speed),
    ("GET", "/api/here/([^/]+)", Tab.saved),
    ("DELETE", "/api/here/([^/]+)", Tab.drop),
    ("GET", "/api/games/([^/]+)", Tab.table),
    ("POST", "/api/games/([^/]+)/hint", Tab.hint),
    ("GET", "/api/games/([^/]+)/entries", Tab.entries),
    ("GET", "/api/games/([^/]+)/record", Tab.record),
    ("GET", "/api/games/([^/]+)/replay", Tab.replay),
    ("POST", "/api/games/([^/]+)/review", Tab.ask_review),
    ("GET", "/api/games/([^/]+)/review", Tab.review),
    ("GET", "/api/replay/([^/]+)/([^/]+)", Tab.replay_link),
    ("POST", "/api/replay", Tab.replay_text),
    ("POST", "/api/reviews", Tab.ask_review_of_text),
    ("GET", "/api/reviews/([^/]+)", Tab.review),
    ("GET", "/api/reviews/([^/]+)/lines/([0-9]+)", Tab.line),
    ("GET", "/api/lessons", Tab.lessons),
    ("GET", "/api/lessons/([^/]+)", Tab.lesson),
    ("GET", "/api/lessons/([^/]+)/([^/]+)/preview", Tab.lesson_preview),
    ("POST", "/api/lessons/([^/]+)/([^/]+)/answer", Tab.lesson_answer),
    ("GET", "/api/puzzles", Tab.puzzles),
    ("GET", "/api/puzzles/daily", Tab.daily),
    ("GET", "/api/puzzles/([^/]+)", Tab.puzzle),
    ("GET", "/api/puzzles/([^/]+)/preview", Tab.puzzle_preview),
    ("POST", "/api/puzzles/([^/]+)/answer", Tab.puzzle_answer),
)
