"""A confirmed move is never lost, duplicated or changed: the real tables and sockets in a simulated world.

Each seed is a world of three workers in which a few games are played while workers crash, stall and are cut off, the
store and the bus become unavailable, clocks jump, and messages are late, lost or duplicated. People reload their page
while a bot searches, others read by HTTP only, and some worlds hold an unreadable game. After every step, what was seen
or confirmed is compared with the log; when the faults are over, every game must end, and no player may be present any
more.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Coroutine, Generator, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from random import Random
from typing import Any

from msgspec import Struct
from sqlalchemy import insert, select

from proofs import Ask, Figure, Report
from proofs.client_model import Player
from proofs.sim.oracle import Broken, Oracle
from proofs.sim.world import FarStore, Life, Link, Stuck, Worker, World
from tessella.core import dice, record
from tessella.core.game import Seat
from tessella.games import GAMES
from tessella.progress import progress_of
from tessella.protocol.messages import Ack, Command, FromClient, Ping, Pong, Update
from tessella.server.admin import games as admin_games
from tessella.server.cluster import heartbeats
from tessella.server.cluster.bus import LocalBus
from tessella.server.cluster.heartbeats import HEARTBEAT_SECONDS, SILENCE_SECONDS
from tessella.server.people.identity import Person
from tessella.server.rooms.host import EXPIRY_SECONDS, Host
from tessella.server.services.housekeeping import SWEEP_SECONDS
from tessella.server.store.schema import entries, games, jobs, outages
from tessella.server.store.sqlite import compile_all
from tessella.table.clock import Outage
from tessella.table.log import Entry, Live, Opened, write_entry
from tessella.table.table import Secret, Table

FAULTS = 6
TROUBLED_SECONDS = 30.0
"""How long faults happen; afterwards every game must end."""

END_SECONDS = 4_000.0
"""Simulated time for every game to end."""

SILENT_SECONDS = 4.0
"""After this much silence a client sends a ping, and then connects to another worker."""

READ_SECONDS = 10.0
"""How long an HTTP client waits for an answer."""

MARGIN = SILENCE_SECONDS + HEARTBEAT_SECONDS + 4.0
"""How much of an outage may be missed: the moment of a crash is not known to the second."""

RELOADS = 0.1
"""How often a person reloads the page while a bot searches."""

LATEST = SILENCE_SECONDS + MARGIN
"""Time for an expired clock to be noticed."""

QUIET_SECONDS = EXPIRY_SECONDS + 3 * SWEEP_SECONDS
"""After this much time without clients, every worker must have noticed."""

FEW = 10
"""Fewer worlds are run in this process."""

UNREADABLE = "unreadable"
"""The id of an unreadable game."""

SEATS = {"azul": (2, 3), "blockers": (3,), "duel": (2,)}


class Tally(Struct):
    """What happened in a world, and what went wrong."""

    games: int = 0
    acks: int = 0
    resent: int = 0
    reloads: int = 0
    reads: int = 0
    unreadable: int = 0
    faults: int = 0
    outages: int = 0
    failures: tuple[str, ...] = ()


def prove(ask: Ask) -> Report:
    """Run `ask.size` worlds, on all processors if they are many; if interrupted, report those that ended."""
    seeds = range(ask.seed, ask.seed + ask.size)
    tallies: list[Tally] = []
    with _mapping(ask.size) as mapped, suppress(KeyboardInterrupt):
        tallies.extend(progress_of(mapped(run_world, seeds), ask.size, "worlds"))
    failures = [failure for tally in tallies for failure in tally.failures]
    return Report(
        (
            Figure("worlds", len(tallies), at_least=ask.size, note="simulated"),
            Figure("broken", len(failures), at_most=0, note="worlds in which a promise was broken"),
            Figure("games", sum(tally.games for tally in tallies), note="all played to their end"),
            Figure("acks", sum(tally.acks for tally in tallies), note="confirmed, each found in the log once"),
            Figure("resent", sum(tally.resent for tally in tallies), note="sent again on a new connection"),
            Figure("reloads", sum(tally.reloads for tally in tallies), note="of a page while a bot searched"),
            Figure("reads", sum(tally.reads for tally in tallies), note="by HTTP, each as recent as the store"),
            Figure("unreadable", sum(tally.unreadable for tally in tallies), note="unreadable games"),
            Figure(
                "faults", sum(tally.faults for tally in tallies), note="crashes, pauses, partitions, wrong clocks …"
            ),
            Figure(
                "outages", sum(tally.outages for tally in tallies), note="of all workers, during which no clock ran"
            ),
        ),
        tuple(failures),
    )


@contextmanager
def _mapping(size: int) -> Generator[Callable[..., Iterable[Tally]]]:
    """Return a `map` over worlds: in this process, or in a pool whose pending work is cancelled at the end."""
    if size < FEW:
        yield map
        return
    with ProcessPoolExecutor() as pool:
        try:
            yield pool.map
        finally:
            pool.shutdown(cancel_futures=True)


def run_world(seed: int) -> Tally:
    """Run one world from beginning to end."""
    tally = Tally()
    try:
        with silence():
            Play(seed, tally).run()
    except (Broken, Stuck) as exc:
        tally.failures = (f"{exc}; again: scripts/prove sim --size 1 --seed {seed}",)
    return tally


@contextmanager
def silence() -> Generator[None]:
    """Silence the log: workers that cannot reach their store keep reporting it."""
    log = logging.getLogger("tessella.server")
    before = log.level
    log.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        log.setLevel(before)


class Play:
    """What happens in one world."""

    def __init__(self, seed: int, tally: Tally) -> None:
        self.world = World(seed)
        self.rng = self.world.dice("play")
        self.tally = tally
        self.oracles: dict[str, Oracle] = {}
        self.committed_at: dict[str, float] = {}
        self._quiet_since = float("inf")
        self.players: list[tuple[str, Player]] = []
        self.broken: Broken | None = None
        self.world.committed = self._committed
        self.world.failed = self._failed

    @property
    def is_quiet(self) -> bool:
        """Whether all faults have been over for a while."""
        return self.world.now() - self._quiet_since > LATEST

    def run(self) -> None:
        """Run the world."""
        self.world.run(self._play())

    async def _play(self) -> None:
        clerk = Host(FarStore(self.world, Life(self.world, "clerk")), LocalBus(), [], self.world.now)
        self.world.is_noisy = False
        if self.rng.random() < 0.5:
            self._plant_unreadable()
        people = [client for number in range(self.rng.choice([1, 1, 2])) for client in await self._set(clerk, number)]
        self.world.is_noisy = True
        for worker in self.world.workers:
            worker.start()
        troubles = asyncio.create_task(self._trouble())
        clients = [asyncio.create_task(client.go()) for client in people]
        readers = [asyncio.create_task(self._read(game)) for game in self.oracles]
        try:
            async with asyncio.timeout(END_SECONDS):
                await asyncio.gather(troubles, *clients, *readers)
        except TimeoutError:
            unfinished = [oracle.game for oracle in self.oracles.values() if not oracle.is_over]
            raise Broken(f"{unfinished or 'clients'} did not come to an end") from None
        await self._judge(clerk)

    # Tables

    async def _set(self, clerk: Host, number: int) -> list["Client"]:
        """Open a table with people and bots; some people have two windows open, and there may be a spectator."""
        rng, game_id = self.rng, f"game{number}"
        title = rng.choice(sorted(GAMES))
        config = GAMES[title].Config(seats=rng.choice(SEATS[title])) if title != "duel" else GAMES[title].Config()
        seed = rng.randbytes(32)
        promise = dice.commitment(game_id, seed).hex()
        pace = rng.choice([None, Live(30, 1), Live(15, 0.5)]) if not self.tally.unreadable else Live(15, 0.5)
        self.oracles[game_id] = Oracle(game_id)
        rules = record.write_rules(GAMES[title], config)
        room = await clerk.open(game_id, Opened(rules, promise, pace), seed, listed=False)
        people = [Person(f"p{number}{seat}", f"Person {seat}", "guest") for seat in range(config.seats)]
        for seat, person in enumerate(people):
            level = "random" if seat and rng.random() < 0.3 else ""
            who = f"bot:random:{seat}" if level else person.id
            await clerk.append(room, f"sit-{seat}", partial(_sit, seat, who, person.name, level))
        await clerk.append(room, "start", lambda table, secret: table.start(secret))
        seated = [people[seat] for seat in room.table.people]
        return list(self._clients(game_id, seated))

    def _plant_unreadable(self) -> None:
        """Add a game of an edition that no longer exists, whose clock has expired and whose bot is to move."""
        self.tally.unreadable += 1
        row = {"id": UNREADABLE, "game": "azul", "rules": "azul/99", "number": 0, "status": "playing", "movers": "0"}
        when = {"deadline": self.world.now() - 1, "opened": self.world.now(), "touched": self.world.now()}
        job = {"game": UNREADABLE, "number": 0, "kind": "quick", "priority": 0, "made": 0, "leased": 0, "worker": ""}
        body = write_entry(Opened("azul/99 seats=2", ""))
        self.world.file.run(
            compile_all(
                [
                    insert(games).values({**row, **when, "pace": "live", "rated": False, "listed": False}),
                    insert(entries).values(game=UNREADABLE, number=0, key="opened", body=body, at=self.world.now()),
                    insert(jobs).values(job),
                ]
            )
        )

    async def _read(self, game_id: str) -> None:
        """Read by HTTP only, now from one worker and now from another."""
        oracle, rng = self.oracles[game_id], self.world.dice(f"reader {game_id}")
        while not oracle.is_over and self.broken is None:
            await asyncio.sleep(rng.uniform(0.2, 4))
            self._check_clock(game_id)
            stored = len(oracle.moments)
            try:  # a worker that dies in the middle of it never answers
                seen = await asyncio.wait_for(rng.choice(self.world.workers).read(game_id), READ_SECONDS)
            except TimeoutError:
                continue
            if seen is None:
                continue
            self.tally.reads += 1
            try:
                oracle.check_seen(seen)
                if seen.number < stored:
                    raise Broken(f"{game_id}: who asked was shown {seen.number} entries of {stored}")
            except Broken as exc:
                self.note(exc)

    def _check_clock(self, game_id: str) -> None:
        """Check that an expired clock is flagged soon, at least when nothing else goes wrong."""
        late = self.world.now() - LATEST
        if self.is_quiet and self._deadline(game_id) < late:
            self.note(Broken(f"{game_id}: a clock ran out {LATEST:g} s ago, and nobody was flagged"))

    def _deadline(self, game_id: str) -> float:
        """Return when the clock of a game expires, by its log and all known outages."""
        known = heartbeats.merge(self.world.file.run(compile_all([select(outages).order_by(outages.c.began)])))
        again = Oracle(game_id, known)
        again.read(self.world.file.log(game_id, -1))
        deadline = again.table.deadline(self.world.now()) if again.table is not None else None
        return float("inf") if deadline is None else deadline

    def _clients(self, game_id: str, people: list[Person]) -> Iterable["Client"]:
        self.tally.games += 1
        windows: list[Person | None] = [*people]
        windows += [person for person in people if self.rng.random() < 0.2]
        windows += [None] if self.rng.random() < 0.5 else []
        for number, person in enumerate(windows):
            rng = self.world.dice(f"player {game_id} {number}")
            player = Player(f"{game_id}-{number}", rng, windows[:number].count(person))
            self.players.append((game_id, player))
            yield Client(self, game_id, person, player)

    # Faults

    async def _trouble(self) -> None:
        """Cause some faults, one after another or together; then repair everything."""
        world, began = self.world, self.world.now()
        tasks: list[asyncio.Task[None]] = []
        for moment in sorted(self.rng.uniform(1, TROUBLED_SECONDS) for _ in range(FAULTS)):
            await asyncio.sleep(max(0.0, began + moment - world.now()))
            fault = self.rng.choice(FAULT_KINDS)
            self.tally.faults += 1
            tasks.append(asyncio.create_task(fault(world, self.rng)))
        await asyncio.gather(*tasks)
        world.is_noisy = False
        self._quiet_since = world.now()

    # Judgement

    def _committed(self, game: str) -> None:
        """Check the log after every step."""
        oracle = self.oracles[game]
        self.committed_at[game] = self.world.now()
        try:
            oracle.read(self.world.file.log(game, len(oracle.moments) - 1))
        except Broken as exc:
            self.note(exc)

    def note(self, failure: Broken) -> None:
        """Record a broken promise; the first one counts."""
        self.broken = self.broken or failure

    def _failed(self, failure: BaseException) -> None:
        """Record an exception: a worker must survive every fault."""
        self.note(Broken(f"a worker raised {failure!r}"))

    async def _judge(self, clerk: Host) -> None:
        """Check everything at the end: what clients received, every deal, and every clock."""
        if self.broken is not None:
            raise self.broken
        await asyncio.sleep(max(MARGIN, QUIET_SECONDS))  # so that somebody has looked who was there
        self._judge_memory()
        known = await heartbeats.read_outages(clerk.store)
        for game_id, player in self.players:
            self.oracles[game_id].check_player(player)
            self.tally.acks += len(player.acks)
        for game_id in self.oracles:
            again = Oracle(game_id, known)
            again.read(self.world.file.log(game_id, -1))
        verified = await admin_games.verify(clerk.store, self._readable())
        for failure in verified.wrong:
            raise Broken(f"{failure.game}: {failure.message}")
        self._judge_outages(known)

    async def _readable(self) -> AsyncIterator[str]:
        for game_id in self.oracles:
            yield game_id

    def _judge_memory(self) -> None:
        """Check that no worker takes anyone for connected at the end, and that no bot has anything left to do."""
        for worker in self.world.workers:
            for room in worker.life.host.rooms.values() if worker.life.host is not None else ():
                if room.present or room.spectators:
                    raise Broken(f"{room.table.id}: {worker.name} takes {set(room.present)} for present")
        left = {row["game"] for row in self.world.file.run(compile_all([select(jobs.c.game)]))} - {UNREADABLE}
        if left:
            raise Broken(f"a bot is still to move in {sorted(left)}")

    def _judge_outages(self, found: list[Outage]) -> None:
        """Check that long outages are recorded, and nothing else is."""
        self.tally.outages += len(found)
        for began, ended in self.world.downtimes[1:]:
            known = sum(max(0.0, min(ended, each.ended) - max(began, each.began)) for each in found)
            if ended - began - known > MARGIN:
                raise Broken(f"nobody was there for {ended - began:.1f} s, and {known:.1f} s of it are known")
        for each in found:
            away = sum(max(0.0, min(end, each.ended) - max(began, each.began)) for began, end in self.world.downtimes)
            if each.ended - each.began - away > MARGIN:
                raise Broken(f"{each} was no outage: somebody was there for all but {away:.1f} s of it")


def _sit(seat: Seat, who: str, name: str, level: str, table: Table, _secret: Secret) -> Entry:
    return table.sit(seat, who, name, level)


class Client:
    """A browser: connects to some worker, and to another when it receives nothing."""

    def __init__(self, play: Play, game_id: str, person: Person | None, player: Player) -> None:
        self.play, self.game_id, self.person, self.player = play, game_id, person, player
        self.oracle = play.oracles[game_id]
        self.rng = play.world.dice(f"client {player.name}")

    async def go(self) -> None:
        """Stay until the game is over."""
        reloads: Worker | None = None
        while not self.player.is_done and self.play.broken is None:
            worker = reloads or self.rng.choice(self.play.world.workers)
            link = self.play.world.connect(worker, self.game_id, self.person)
            try:
                reloads = worker if await self._talk(link) else None
            finally:
                link.cut()
            await asyncio.sleep(self.rng.uniform(0.001, 0.05) if reloads else self.rng.uniform(0.05, 1.0))

    async def _talk(self, link: Link) -> bool:
        """Talk until the connection ends or is left; return whether the page is reloaded."""
        self.play.tally.resent += self.player.pending is not None
        self._say(link, self.player.arrive())
        asked = False
        while not self.player.is_done:
            try:
                message = await asyncio.wait_for(link.hear(), SILENT_SECONDS)
            except TimeoutError:
                if asked or self.player.pending is not None:
                    return False
                asked = True
                link.say(Ping())
                continue
            if message is None:
                return False
            if asked and isinstance(message, Pong):
                self._check_news()
            asked = False
            self._check(message)
            answers = self.player.hear(message)
            if answers:
                await asyncio.sleep(self._think())
            self._say(link, answers)
            if self._wants_to_reload(message):
                return True
            if self.rng.random() < 0.01:
                return False
        return False

    def _wants_to_reload(self, message: object) -> bool:
        """Whether to reload the page, now and then while a bot searches, and connect to the same worker again."""
        if not isinstance(message, Update) or self.rng.random() >= RELOADS:
            return False
        is_bots_turn = any(message.table.seats[seat].level for seat in message.table.movers)
        self.play.tally.reloads += is_bots_turn
        return is_bots_turn

    def _think(self) -> float:
        """Return the seconds before a move: mostly few, sometimes many, more so where an unreadable game is stored."""
        is_quick = self.rng.random() < (0.95 if self.play.tally.unreadable else 0.985)
        return self.rng.uniform(0.02, 0.5) if is_quick else self.rng.uniform(5, 25)

    def _say(self, link: Link, messages: list[FromClient]) -> None:
        for message in messages:
            link.say(message)
        if self.person is not None and self.player.pending is None and self.rng.random() < 0.004:
            link.say(self.player.request(Command(self.player.fresh_key(), "leave")))

    def _check_news(self) -> None:
        """Check that a client of a responsive worker receives the news, at least when nothing else goes wrong."""
        seen = self.player.table.number if self.player.table else 0
        stored, late = len(self.oracle.moments), self.play.world.now() - self.play.committed_at.get(self.game_id, 0.0)
        if self.play.is_quiet and seen < stored and late > SILENT_SECONDS:
            self.play.note(Broken(f"{self.game_id}: {self.player.name} was told of {seen} entries of {stored}"))

    def _check(self, message: object) -> None:
        try:
            if isinstance(message, Update):
                self.oracle.check_seen(message.table)
            elif isinstance(message, Ack):
                self.oracle.check_ack(self.player, message.key, message.number)
        except Broken as exc:
            self.play.note(exc)


# Faults


async def crash(world: World, rng: Random) -> None:
    """Crash a worker, and start another."""
    await _crash([rng.choice(world.workers)], rng)


async def crash_all(world: World, rng: Random) -> None:
    """Crash all workers."""
    await _crash(world.workers, rng)


async def _crash(workers: Sequence[Worker], rng: Random) -> None:
    for worker in workers:
        worker.crash()
    await asyncio.sleep(rng.choice([rng.uniform(0.2, 3), rng.uniform(8, 20)]))
    for worker in workers:
        if worker.life.is_dead:
            worker.start()


async def stop(world: World, rng: Random) -> None:
    """Suspend a worker for a while."""
    life = rng.choice(world.workers).life
    life.asleep_until = world.now() + rng.uniform(1, 15)
    world.notice()
    await asyncio.sleep(life.asleep_until - world.now())
    world.notice()


async def cut_off(world: World, rng: Random) -> None:
    """Cut a worker off from the store."""
    life = rng.choice(world.workers).life
    life.is_cut_off = True
    world.notice()
    await asyncio.sleep(rng.uniform(1, 15))
    life.is_cut_off = False
    world.notice()


async def lose_store(world: World, rng: Random) -> None:
    """Make the store unavailable for all workers."""
    world.store_is_away = True
    world.notice()
    await asyncio.sleep(rng.choice([rng.uniform(0.2, 3), rng.uniform(8, 20)]))
    world.store_is_away = False
    world.notice()


async def lose_bus(world: World, rng: Random) -> None:
    """Drop all notifications."""
    world.bus_is_away = True
    await asyncio.sleep(rng.uniform(5, 20))
    world.bus_is_away = False


async def jump_clock(world: World, rng: Random) -> None:
    """Set the clock of a worker wrong."""
    rng.choice(world.workers).life.skew = rng.choice([-1, 1]) * rng.uniform(1, 100)


async def cut_links(world: World, rng: Random) -> None:
    """Cut the connections of all clients of a worker."""
    rng.choice(world.workers).cut_links()


async def deafen_links(world: World, rng: Random) -> None:
    """Make the connections of a worker half-open."""
    for link in rng.choice(world.workers).life.links:
        link.is_half_open = True


FAULT_KINDS: tuple[Callable[[World, Random], Coroutine[Any, Any, None]], ...] = (
    crash,
    crash_all,
    stop,
    cut_off,
    lose_store,
    lose_bus,
    jump_clock,
    cut_links,
    deafen_links,
)
