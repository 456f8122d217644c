"""The bridge: it seats an engine at a server, with the token of a bot account, and plays wherever it is its turn.

The server keeps the games, the bridge remembers nothing but its numbers for the dice: after a lost connection, a killed
worker or its own restart it asks for the tables that wait, and goes on. Every request has a key that follows from the
table, so a move that is sent twice counts once.
"""

import hashlib
import secrets
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Generator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from random import Random
from typing import TypeVar
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from tessella.bots import Budget
from tessella.core import dice, wire
from tessella.core.game import Seat
from tessella.engine.process import EngineError, EngineProcess, find_move, started
from tessella.games import GAMES
from tessella.protocol.messages import Command, FromClient, Play, Pledge, Reveal, TableView
from tessella.protocol.views import view_type
from tessella.terminal.http import SavedServers, Server, ServerError, send

POLL_SECONDS = 1.0
"""How often the server is asked for turns while there are none."""
LADDER_POLL_SECONDS = 3.0
"""How often the server is asked whether a game of the ladder is found or over."""
PAIRING_SECONDS = 20.0
"""How long a bot waits for another one before it plays against a level."""
GAME_SECONDS = 3600.0
"""After this time another game is begun, whatever the last one waits for."""
RETRY_SECONDS = 60.0
"""When a bot that the server refused a game, such as the eleventh of a day, asks for one again."""
CONFLICT, NOT_FOUND = 409, 404
FIRST_BACKOFF_SECONDS, MAX_BACKOFF_SECONDS = 0.5, 30.0
MAX_FAILURES = 3
"""An engine that fails this often at one turn resigns, so that the others need not wait."""

Log = Callable[[str], object]
T = TypeVar("T")


class Turns(Struct, frozen=True):
    """The tables that wait for the bot."""

    tables: tuple[TableView, ...]


class Found(Struct, frozen=True):
    """The state of quick pairing, and the game that was found; empty while the bot waits."""

    state: str
    game: str


class Left(Struct, frozen=True):
    """Whether the bot has left the queue."""

    done: int


class LevelGame(Struct, frozen=True):
    """A game against a level."""

    id: str
    level: str


class Status(Struct, frozen=True):
    """Of a table, whether it is over."""

    status: str


class BotServer:
    """A server, as a bot account uses it."""

    def __init__(self, address: str, token: str, numbers: SavedServers | None = None) -> None:
        name = hashlib.sha256(token.encode()).hexdigest()[:16]
        file = numbers or SavedServers(SavedServers().path.with_name(f"bridge-{name}.json"))
        self._saved = Server(address, file)
        self._lock = threading.Lock()
        self.origin = self._saved.origin
        self._token = token
        self._headers: Mapping[str, str] = {"authorization": f"Bearer {token}"}

    def turns(self) -> tuple[TableView, ...]:
        """Return the tables at which it is the bot's turn."""
        return self._decode("GET", "/api/bot/turns", None, Turns).tables

    def join(self, link: str) -> TableView:
        """Take the seat of an invitation link, and return the table."""
        parts = urlsplit(link)
        game = parts.path.rpartition("/")[2]
        return self._decode("POST", f"/api/games/{game}/join", {"secret": parts.fragment}, TableView)

    def request(self, game: str, request: FromClient) -> None:
        """Send a client message to a table."""
        send(self.origin, "POST", f"/api/games/{game}/act", self._headers, {"request": request})

    def wait_for_bot(self, title: str, *, again: bool) -> str:
        """Wait, or go on waiting, to be paired with another bot, and return the game that was found, if any."""
        found = self._decode("GET", "/api/pairing", None, Found) if again else None
        if found is None or found.state == "none":
            found = self._decode("POST", "/api/pairing", {"title": title}, Found)
        return found.game

    def stop_waiting(self) -> bool:
        """Leave the queue; return False if a game was found meanwhile."""
        return bool(self._decode("DELETE", "/api/pairing", None, Left).done)

    def meet_level(self, title: str) -> LevelGame:
        """Open a rated game against a level of the server."""
        return self._decode("POST", "/api/bot/ladder", {"title": title}, LevelGame)

    def is_over(self, game: str) -> bool:
        """Return whether a game is over, or was never begun and is gone."""
        try:
            return self._decode("GET", f"/api/games/{game}", None, Status).status in ("over", "closed")
        except ServerError as exc:
            if exc.status == NOT_FOUND:
                return True
            raise

    def key(self, table: TableView) -> str:
        """Return the idempotency key of the only request that this bot makes while the table has this number."""
        return hashlib.sha256(f"{self._token} {table.id} {table.seat} {table.number}".encode()).hexdigest()[:32]

    def own_number(self, game: str, seat: int) -> str:
        """Return the number for the dice of a game, drawn once and saved."""
        with self._lock:
            return self._saved.own_number(game, seat)

    def forget_number(self, game: str, seat: int) -> None:
        """Forget a number that was revealed: another game at this table needs a new one."""
        with self._lock:
            self._saved.forget_number(game, seat)

    def _decode(self, method: str, path: str, body: object | None, kind: type[T]) -> T:
        _, answer = send(self.origin, method, path, self._headers, body)
        try:
            return msgspec.json.decode(answer, type=kind)
        except msgspec.DecodeError as exc:
            raise ServerError("network", f"{self.origin} answers something else ({exc})") from None


class Bridge:
    """An engine at a server, at several tables at a time."""

    def __init__(self, server: BotServer, command: str, budget: Budget, games: int, log: Log, ladder: str = "") -> None:
        self._server = server
        self._climber = Climber(server, ladder, log) if ladder else None
        self._budget = budget
        self._log = log
        self._engines = _Engines(command, games)
        self._workers = games
        self._failures: Counter[tuple[str, int]] = Counter()
        self._backoffs: dict[str, Backoff] = {}
        """When a table at which something failed is tried again."""

    def run(self, stop: threading.Event) -> None:
        """Play until the event is set; raise `ServerError` only for what will not pass, such as a revoked token."""
        busy: dict[str, Future[None]] = {}
        backoff = Backoff()
        with self._engines, ThreadPoolExecutor(self._workers) as pool:
            while not stop.is_set():
                busy = {game: future for game, future in busy.items() if not _is_done(future)}
                try:
                    tables = self._server.turns()
                    if self._climber:
                        self._climber.step()
                except ServerError as exc:
                    if not exc.is_passing:
                        raise
                    self._log(f"{exc}; trying again in {backoff.seconds:g} s")
                    stop.wait(backoff.next())
                    continue
                backoff = Backoff()
                for table in tables:
                    if table.id not in busy and self._is_due(table.id):
                        busy[table.id] = pool.submit(self._turn, table)
                self._wait_for_idle_engine(set(busy.values()), stop)

    def _wait_for_idle_engine(self, busy: set[Future[None]], stop: threading.Event) -> None:
        """Wait until another turn could be answered: asking for turns earlier would only cost the server time."""
        if not busy:
            stop.wait(POLL_SECONDS)
        elif len(busy) < self._workers:
            wait(busy, POLL_SECONDS, return_when=FIRST_COMPLETED)
        while len(busy) >= self._workers and not stop.is_set():
            busy = wait(busy, POLL_SECONDS, return_when=FIRST_COMPLETED).not_done

    def _turn(self, table: TableView) -> None:
        """Answer one table; what fails for a passing reason is tried again, since the table stays in the list."""
        assert table.seat is not None
        try:
            request = self._dice(table) if table.status == "dice" else self._choose(table)
            self._server.request(table.id, request)
        except (ServerError, EngineError) as exc:
            self._failures[table.id, table.number] += isinstance(exc, EngineError)
            self._backoffs.setdefault(table.id, Backoff()).postpone()
            self._log(f"{table.id}: {exc}")
        else:
            self._failures.pop((table.id, table.number), None)
            self._backoffs.pop(table.id, None)
            self._after(table.id, table.seat, request)

    def _is_due(self, game: str) -> bool:
        return game not in self._backoffs or self._backoffs[game].is_over

    def _after(self, game: str, seat: Seat, request: FromClient) -> None:
        match request:
            case Play(move=move):
                self._log(f"{game}: {move}")
            case Command():
                self._log(f"{game}: resigned after {MAX_FAILURES} failures")
            case Reveal():
                self._server.forget_number(game, seat)
            case _:
                pass

    def _choose(self, table: TableView) -> FromClient:
        """Return the move of the engine, or a resignation if it has failed too often at this turn."""
        if self._failures[table.id, table.number] >= MAX_FAILURES:
            return Command(self._server.key(table), "resign")
        game, rng = GAMES[table.title], Random()  # noqa: S311  it only imagines
        view = wire.decode(bytes(table.view), view_type(game))
        with self._engines.of(table.id) as engine:
            if engine.rules != table.rules:
                engine.new_game(table.rules)
            engine.show(game, view, rng)
            text, _ = engine.go(self._budget)
            find_move(game, view, text, rng)
        return Play(self._server.key(table), table.number, text)

    def _dice(self, table: TableView) -> FromClient:
        """Return a pledge of the bot's number for the dice or, once everyone has pledged, the number."""
        assert table.seat is not None
        number = self._server.own_number(table.id, table.seat)
        if table.seats[table.seat].pledged:
            return Reveal(self._server.key(table), number)
        digest = dice.pledge(table.id, table.seat, bytes.fromhex(number)).hex()
        return Pledge(self._server.key(table), digest)


class Climber:
    """Rated games for the ladder, one after another: with another bot that waits too, else with a level."""

    def __init__(self, server: BotServer, title: str, log: Log) -> None:
        self._server = server
        self._title = title
        self._log = log
        self._game = ""
        self._since: float | None = None
        """When the game began or, if there is none, when the bot began to wait for another one."""
        self._next_step = 0.0
        self._next_level = 0.0

    def step(self) -> None:
        """Take the next step if it is time: look whether the game is over, or for a new one."""
        if time.monotonic() < self._next_step:
            return
        self._next_step = time.monotonic() + LADDER_POLL_SECONDS
        try:
            self._check_game()
            if not self._game:
                self._seek()
        except ServerError as exc:
            if exc.status != CONFLICT:
                raise
            self._log(f"{exc}; trying again in {RETRY_SECONDS:g} s")
            self._next_step = time.monotonic() + RETRY_SECONDS

    def _check_game(self) -> None:
        """Forget the game if it is over, or takes longer than its clocks allow."""
        if not self._game or self._since is None:
            return
        is_over = self._server.is_over(self._game)
        if is_over or time.monotonic() > self._since + GAME_SECONDS:
            self._log(f"{self._game}: {'over' if is_over else 'not over yet; looking for another game'}")
            self._game, self._since = "", None

    def _seek(self) -> None:
        first = self._since is None
        self._since = self._since or time.monotonic()
        game = self._server.wait_for_bot(self._title, again=not first)
        if game:
            self._begin(game, "another bot")
        elif time.monotonic() > max(self._since + PAIRING_SECONDS, self._next_level) and self._server.stop_waiting():
            self._meet_level()

    def _meet_level(self) -> None:
        """Begin a game against a level; if the server refuses it, wait for other bots for a while."""
        self._since = None
        self._next_level = time.monotonic() + RETRY_SECONDS
        found = self._server.meet_level(self._title)
        self._next_level = 0.0
        self._begin(found.id, f"level {found.level}")

    def _begin(self, game: str, other: str) -> None:
        self._log(f"{game}: rated game against {other}")
        self._game, self._since = game, time.monotonic()


def _is_done(future: Future[None]) -> bool:
    if future.done():
        future.result()  # raise what nothing above expected
        return True
    return False


class Backoff:
    """Waiting times that double up to a limit, with jitter so that many bridges do not return at once."""

    def __init__(self) -> None:
        self.seconds = FIRST_BACKOFF_SECONDS
        self._until = 0.0

    def next(self) -> float:
        """Return the next waiting time in seconds."""
        seconds = self.seconds
        self.seconds = min(MAX_BACKOFF_SECONDS, 2 * seconds)
        return seconds * (0.75 + secrets.randbelow(500) / 1000)

    def postpone(self) -> None:
        """Begin the next waiting time."""
        self._until = time.monotonic() + self.next()

    @property
    def is_over(self) -> bool:
        """Whether the last waiting time is over."""
        return time.monotonic() >= self._until


class _Engines:
    """At most one engine per game, and at most this many: a game whose engine was given away gets another one."""

    def __init__(self, command: str, most: int) -> None:
        self._command = command
        self._most = most
        self._idle: OrderedDict[str, EngineProcess] = OrderedDict()
        self._started = 0
        self._lock = threading.Lock()

    def __enter__(self) -> "_Engines":
        return self

    def __exit__(self, *_: object) -> None:
        while self._idle:
            self._idle.popitem()[1].close()

    @contextmanager
    def of(self, game: str) -> Generator[EngineProcess]:
        """Lend the engine of a game; one that fails is ended, and the next turn gets a new one."""
        engine = self._take(game)
        try:
            yield engine
        except BaseException:
            engine.close()
            with self._lock:
                self._started -= 1
            raise
        with self._lock:
            self._idle[game] = engine

    def _take(self, game: str) -> EngineProcess:
        with self._lock:
            if game in self._idle:
                return self._idle.pop(game)
            if self._started == self._most:  # as many threads use them, and this one has none: another is idle
                _, engine = self._idle.popitem(last=False)
                engine.rules = ""
                return engine
            self._started += 1
        try:
            return started(self._command)
        except BaseException:
            with self._lock:
                self._started -= 1
            raise
