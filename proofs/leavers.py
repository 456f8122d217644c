"""A player who leaves never ruins a game: a bot takes the seat at once, and the person may return at any moment.

Two workers with a bot each over one database. People leave, resign, run out of time, return or stay away, some with two
windows that want both at once. Every game must end naturally, and no bot may move for a person who is present.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from random import Random

from proofs import Ask, Figure, Report
from proofs.client_model import Player, decoder
from proofs.databases import fresh_postgres
from proofs.load_clients import Diary, Party, Wanted, judge_logs, percentile, set_table
from proofs.sim.oracle import Broken, Oracle
from tessella.bots import names
from tessella.core import wire
from tessella.games import GAMES
from tessella.progress import progress
from tessella.protocol import messages
from tessella.protocol.messages import Command, FromClient, Hello
from tessella.server import store as stores
from tessella.server.cluster.bus import LocalBus
from tessella.server.cluster.bus import connect as connect_bus
from tessella.server.people.identity import Person
from tessella.server.rooms.commands import Caller, perform
from tessella.server.rooms.host import Host
from tessella.server.rooms.room import Viewer
from tessella.server.services.bot_runner import BotRunner
from tessella.server.services.housekeeping import Housekeeper
from tessella.server.settings import Settings
from tessella.server.store import Logged
from tessella.table.log import Live, Played, Returned, TookOver, read_entry
from tessella.table.table import TAKEOVER_LEVELS

WORKERS = 2
AT_ONCE = 6
END_SECONDS = 600.0
TAKEOVER_SECONDS = 2.0
"""Time for a bot to move for a player who left."""

GIVES_UP = (("leave", 0.06), ("resign", 0.004))
"""The probability that a person does this instead of moving."""
COMES_BACK = 0.5
SECOND_WINDOW = 0.3
BANK = 8.0
NEVER_MOVES = 0.1
"""The share of people who let their time run out."""


def prove(ask: Ask) -> Report:
    """Play `ask.size` games with people who leave."""
    return asyncio.run(_prove(ask))


async def _prove(ask: Ask) -> Report:
    async with _workers(ask) as hosts:
        house = House(hosts, Random(ask.seed))
        for start in progress(range(0, ask.size, AT_ONCE), "games"):
            await asyncio.gather(*(house.play(number) for number in range(start, min(ask.size, start + AT_ONCE))))
        house.failures += await judge_logs(hosts[0].store)
    return Report(
        (
            Figure("broken", len(house.failures), at_most=0, note="games that a leaver ruined"),
            Figure("games", ask.size, note="all played to their natural end, or resigned by one of two"),
            Figure("left", house.left, at_least=1, note=f"seats taken over by level {TAKEOVER_LEVELS[0]}"),
            Figure("returned", house.returned, at_least=1, note="people who returned and played on"),
            Figure("bot_moves", house.bot_moves, note="none for a player who was present"),
            Figure(
                "takeover_p99_ms",
                percentile(house.waits, 99) * 1_000,
                at_most=TAKEOVER_SECONDS * 1_000,
                note="from the leave to the first move of the bot",
                timed=True,
            ),
        ),
        tuple(house.failures),
    )


@asynccontextmanager
async def _workers(ask: Ask) -> AsyncGenerator[list[Host]]:
    async with AsyncExitStack() as stack:
        url = await stack.enter_async_context(fresh_postgres(ask.database))
        hosts: list[Host] = []
        for number in range(WORKERS):
            store = await stores.connect(url)
            stack.push_async_callback(store.close)
            host = Host(store, LocalBus(), [], time.time)
            host.bus = await connect_bus(ask.bus, host.receive)
            stack.push_async_callback(host.bus.close)
            thinker = partial(BotRunner, rng=Random(f"{ask.seed} {number}"))
            await stack.enter_async_context(Housekeeper(host, Settings(database=url, bots=1), thinker))
            hosts.append(host)
        yield hosts


class House:
    """Where the games are played, and what was found."""

    def __init__(self, hosts: Sequence[Host], rng: Random) -> None:
        self.hosts, self.rng = hosts, rng
        self.failures: list[str] = []
        self.waits: list[float] = []
        self.left = self.returned = self.bot_moves = 0

    async def play(self, number: int) -> None:
        """Play one game."""
        title = sorted(GAMES)[number % len(GAMES)]
        seats = {"azul": 3, "blockers": 3, "duel": 2}[title]
        assert TAKEOVER_LEVELS[0] in names(GAMES[title])
        party = await set_table(self.hosts[0], Wanted(title, seats, seats, Live(BANK, 1.0)), (), Diary())
        people = await self._people(party)
        windows = [*people, *(person for person in people if self.rng.random() < SECOND_WINDOW)]
        try:
            async with asyncio.timeout(END_SECONDS):
                await asyncio.gather(*(Window(self, party.game, person, n).go() for n, person in enumerate(windows)))
        except TimeoutError:
            self.failures.append(f"{title} {party.game} does not come to its end")
        except Broken as exc:
            self.failures.append(str(exc))
        self._judge(party.game, await self.hosts[0].store.log(party.game, -1))

    async def _people(self, party: Party) -> list[Person]:
        room = await self.hosts[0].room(party.game)
        assert room is not None
        return [Person(occupant.player, occupant.name, "guest") for occupant in room.table.seats]

    def _judge(self, game: str, log: Sequence[Logged]) -> None:
        """Check the log: who left, who returned, and how long the others waited."""
        oracle, left = Oracle(game), dict[int, float]()
        for row in log:
            entry = read_entry(row.body)
            match entry:
                case TookOver(seat=seat):
                    self.left += 1
                    if oracle.table is not None and seat in oracle.table.movers:
                        left[seat] = row.at
                case Returned(seat=seat):
                    self.returned += 1
                    left.pop(seat, None)
                case Played(seat=seat) if seat in left:
                    self.waits.append(row.at - left.pop(seat))
                case _:
                    pass
            oracle.read([row])
        self.bot_moves += oracle.bot_moves


class Window:
    """A person at a table of one of the workers, without a socket."""

    def __init__(self, house: House, game: str, person: Person, number: int) -> None:
        self._rng = Random(f"{game} {number}")
        self._host = self._rng.choice(house.hosts)
        self._game = game
        self._caller = Caller(person)
        self._player = Player(f"{game}-{number}", self._rng, number)
        self._player.comes_back = lambda: self._rng.random() < COMES_BACK
        self._never_moves = self._rng.random() < NEVER_MOVES

    async def go(self) -> None:
        """Stay until the game is over."""
        room = await self._host.room(self._game)
        assert room is not None
        heard: asyncio.Queue[bytes] = asyncio.Queue()
        viewer = Viewer(self._caller.person.id, heard.put_nowait)
        room.viewers[viewer] = None
        room.catch_up(viewer, -1, self._host.clock())
        while not self._player.is_done:
            await self._answer(viewer, self._player.hear(decoder.decode(await heard.get())))
        room.viewers.pop(viewer, None)

    async def _answer(self, viewer: Viewer, requests: Sequence[FromClient]) -> None:
        room = await self._host.room(self._game)
        assert room is not None
        for request in requests:
            if isinstance(request, Hello):
                room.catch_up(viewer, -1, self._host.clock())
            elif not (self._never_moves and isinstance(request, messages.Play)):
                await asyncio.sleep(self._rng.uniform(0, 0.1))
                answer = await perform(self._host, room, self._caller, self._or_a_whim(request))
                await self._answer(viewer, self._player.hear(decoder.decode(wire.encode(answer))))

    def _or_a_whim(self, request: FromClient) -> FromClient:
        """Sometimes leave or resign instead of moving."""
        if isinstance(request, messages.Play):
            for what, chance in GIVES_UP:
                if self._rng.random() < chance:
                    gone = Command(self._player.fresh_key(), what)  # type: ignore[arg-type]
                    return self._player.request(gone)
        return request
