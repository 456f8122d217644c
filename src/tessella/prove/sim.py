"""A move that was confirmed is never lost, doubled or changed: the real tables and sockets in an invented world.

Each seed is a world of three workers in which a few games are played while workers crash, sleep and are cut off, the
store and the bus go away, clocks jump, and messages are late, lost or doubled. After every step what was seen or
confirmed is held against the log; when the faults are over, every game must come to its end.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Generator, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from random import Random
from typing import Any

from msgspec import Struct

from tessella.core import dice, record
from tessella.core.game import Seat
from tessella.games import GAMES
from tessella.prove import Ask, Figure, Report
from tessella.prove.player import Player
from tessella.prove.simulated import FarStore, Life, Link, Stuck, Worker, World
from tessella.prove.truth import Broken, Truth
from tessella.server import admin, beats
from tessella.server.beats import BEAT_SECONDS, SILENCE
from tessella.server.bus import LocalBus
from tessella.server.clock import Outage
from tessella.server.entries import Entry, Live, Opened
from tessella.server.host import Host
from tessella.server.messages import Ack, FromClient, Ping, Step, Wish
from tessella.server.people import Person
from tessella.server.table import Secret, Table
from tessella.terminal.progress import progress_of

FAULTS = 6
TROUBLED_SECONDS = 30.0
"""How long faults happen; afterwards every game must come to its end."""

PATIENCE = 4_000.0
"""Seconds of the invented world in which every game must have ended."""

SILENT_SECONDS = 4.0
"""After so much silence a client asks whether anybody is there, and then looks for another worker."""

MARGIN = SILENCE + BEAT_SECONDS + 4.0
"""How much of an outage may be missed: nobody knows to the second when somebody died."""

FEW = 10
"""Fewer worlds are not worth starting processes for."""

SEATS = {"azul": (2, 3), "blockers": (3,), "duel": (2,)}


class Tally(Struct):
    """What happened in a world, and what went wrong in it."""

    games: int = 0
    acks: int = 0
    resent: int = 0
    faults: int = 0
    outages: int = 0
    failures: tuple[str, ...] = ()


def prove(ask: Ask) -> Report:
    """Let so many worlds go by, on all processors if they are many; if interrupted, tell of those that went by."""
    seeds = range(ask.seed, ask.seed + ask.size)
    tallies: list[Tally] = []
    with _mapping(ask.size) as mapped, suppress(KeyboardInterrupt):
        tallies.extend(progress_of(mapped(let_go_by, seeds), ask.size, "worlds"))
    failures = [failure for tally in tallies for failure in tally.failures]
    return Report(
        (
            Figure("worlds", len(tallies), at_least=ask.size, words="went by"),
            Figure("broken", len(failures), at_most=0, words="worlds in which a promise was broken"),
            Figure("games", sum(tally.games for tally in tallies), words="all played to their end"),
            Figure("acks", sum(tally.acks for tally in tallies), words="confirmed, each found in the log once"),
            Figure("resent", sum(tally.resent for tally in tallies), words="said again on a new connection"),
            Figure(
                "faults", sum(tally.faults for tally in tallies), words="crashes, pauses, partitions, wrong clocks …"
            ),
            Figure("outages", sum(tally.outages for tally in tallies), words="when nobody was there, and no clock ran"),
        ),
        tuple(failures),
    )


@contextmanager
def _mapping(size: int) -> Generator[Callable[..., Iterable[Tally]]]:
    """What lets worlds go by: one after the other, or many at a time; what has not begun at the end never does."""
    if size < FEW:
        yield map
        return
    with ProcessPoolExecutor() as pool:
        try:
            yield pool.map
        finally:
            pool.shutdown(cancel_futures=True)


def let_go_by(seed: int) -> Tally:
    """One world from its beginning to its end."""
    tally = Tally()
    try:
        with _silence():
            Play(seed, tally).run()
    except (Broken, Stuck) as wrong:
        tally.failures = (f"{wrong}; again: tessella prove sim --size 1 --seed {seed}",)
    return tally


@contextmanager
def _silence() -> Generator[None]:
    """Workers that cannot reach their store say so, again and again."""
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
        self.truths: dict[str, Truth] = {}
        self.players: list[tuple[str, Player]] = []
        self.broken: Broken | None = None
        self.world.committed = self._committed
        self.world.failed = self._failed

    def run(self) -> None:
        """All of it."""
        self.world.run(self._play())

    async def _play(self) -> None:
        clerk = Host(FarStore(self.world, Life(self.world, "clerk")), LocalBus(), [], self.world.now)
        self.world.is_noisy = False
        people = [client for number in range(self.rng.choice([1, 1, 2])) for client in await self._set(clerk, number)]
        self.world.is_noisy = True
        for worker in self.world.workers:
            worker.start()
        troubles = asyncio.create_task(self._trouble())
        clients = [asyncio.create_task(client.go()) for client in people]
        try:
            async with asyncio.timeout(PATIENCE):
                await asyncio.gather(troubles, *clients)
        except TimeoutError:
            unfinished = [truth.game for truth in self.truths.values() if not truth.is_over]
            raise Broken(f"{unfinished or 'clients'} did not come to an end") from None
        await self._judge(clerk)

    # Tables

    async def _set(self, clerk: Host, number: int) -> list["Client"]:
        """Set a table with people and bots; some people have two windows open, and somebody may watch."""
        rng, game_id = self.rng, f"game{number}"
        title = rng.choice(sorted(GAMES))
        config = GAMES[title].Config(seats=rng.choice(SEATS[title])) if title != "duel" else GAMES[title].Config()
        seed = rng.randbytes(32)
        promise = dice.commitment(game_id, seed).hex()
        pace = rng.choice([None, Live(30, 1), Live(15, 0.5)])
        self.truths[game_id] = Truth(game_id)
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

    def _clients(self, game_id: str, people: list[Person]) -> Iterable["Client"]:
        self.tally.games += 1
        windows: list[Person | None] = [*people]
        windows += [person for person in people if self.rng.random() < 0.2]
        windows += [None] if self.rng.random() < 0.5 else []
        for number, person in enumerate(windows):
            player = Player(f"{game_id}-{number}", self.world.dice(f"player {game_id} {number}"))
            self.players.append((game_id, player))
            yield Client(self, game_id, person, player)

    # Faults

    async def _trouble(self) -> None:
        """Some faults, one after another or together; then everything is well again."""
        world, began = self.world, self.world.now()
        tasks: list[asyncio.Task[None]] = []
        for moment in sorted(self.rng.uniform(1, TROUBLED_SECONDS) for _ in range(FAULTS)):
            await asyncio.sleep(max(0.0, began + moment - world.now()))
            fault = self.rng.choice(FAULT_KINDS)
            self.tally.faults += 1
            tasks.append(asyncio.create_task(fault(world, self.rng)))
        await asyncio.gather(*tasks)
        world.is_noisy = False

    # Judgement

    def _committed(self, game: str) -> None:
        """After every step: the log must go on as it should."""
        truth = self.truths[game]
        try:
            truth.read(self.world.file.log(game, len(truth.moments) - 1))
        except Broken as wrong:
            self.broken = self.broken or wrong

    def _failed(self, wrong: BaseException) -> None:
        """No fault may be more than a worker can bear."""
        self.broken = self.broken or Broken(f"a worker raised {wrong!r}")

    async def _judge(self, clerk: Host) -> None:
        """When all is over: what everybody was told, every deal, and every clock."""
        if self.broken is not None:
            raise self.broken
        await asyncio.sleep(MARGIN)  # so that somebody has looked who was there
        outages = await beats.read_outages(clerk.store)
        for game_id, player in self.players:
            self.truths[game_id].check_player(player)
            self.tally.acks += len(player.acks)
        for game_id in self.truths:
            again = Truth(game_id, outages)
            again.read(self.world.file.log(game_id, -1))
        verified = await admin.verify(clerk.store, admin.all_games(clerk.store))
        for wrong in verified.wrong:
            raise Broken(f"{wrong.game}: {wrong.why}")
        self._judge_outages(outages)

    def _judge_outages(self, outages: list[Outage]) -> None:
        """When nobody could be served for long, it is known; and nothing else is taken for an outage."""
        self.tally.outages += len(outages)
        for began, ended in self.world.downtimes[1:]:
            known = sum(max(0.0, min(ended, each.ended) - max(began, each.began)) for each in outages)
            if ended - began - known > MARGIN:
                raise Broken(f"nobody was there for {ended - began:.1f} s, and {known:.1f} s of it are known")
        for each in outages:
            away = sum(max(0.0, min(end, each.ended) - max(began, each.began)) for began, end in self.world.downtimes)
            if each.ended - each.began - away > MARGIN:
                raise Broken(f"{each} was no outage: somebody was there for all but {away:.1f} s of it")


def _sit(seat: Seat, who: str, name: str, level: str, table: Table, _secret: Secret) -> Entry:
    return table.sit(seat, who, name, level)


class Client:
    """A browser: connects to some worker, and to another when it hears nothing."""

    def __init__(self, play: Play, game_id: str, person: Person | None, player: Player) -> None:
        self.play, self.game_id, self.person, self.player = play, game_id, person, player
        self.truth = play.truths[game_id]
        self.rng = play.world.dice(f"client {player.name}")

    async def go(self) -> None:
        """Be there until the game is over."""
        while not self.player.is_done and self.play.broken is None:
            link = self.play.world.connect(self.rng.choice(self.play.world.workers), self.game_id, self.person)
            try:
                await self._talk(link)
            finally:
                link.cut()
            await asyncio.sleep(self.rng.uniform(0.05, 1.0))

    async def _talk(self, link: Link) -> None:
        self.play.tally.resent += self.player.pending is not None
        self._say(link, self.player.arrive())
        asked = False
        while not self.player.is_done:
            try:
                message = await asyncio.wait_for(link.hear(), SILENT_SECONDS)
            except TimeoutError:
                if asked or self.player.pending is not None:
                    return
                asked = True
                link.say(Ping())
                continue
            if message is None:
                return
            asked = False
            self._check(message)
            answers = self.player.hear(message)
            if answers:
                await asyncio.sleep(self._think())
            self._say(link, answers)
            if self.rng.random() < 0.01:
                return

    def _think(self) -> float:
        """Most move at once, some think long."""
        return self.rng.uniform(0.02, 0.5) if self.rng.random() < 0.985 else self.rng.uniform(5, 25)

    def _say(self, link: Link, messages: list[FromClient]) -> None:
        for message in messages:
            link.say(message)
        if self.person is not None and self.player.pending is None and self.rng.random() < 0.004:
            link.say(self.player.wish(Wish(self.player.fresh_key(), "leave")))

    def _check(self, message: object) -> None:
        try:
            if isinstance(message, Step):
                self.truth.check_seen(message.table)
            elif isinstance(message, Ack):
                self.truth.check_ack(message.key, message.number)
        except Broken as wrong:
            self.play.broken = self.play.broken or wrong


# Faults


async def crash(world: World, rng: Random) -> None:
    """A worker dies, and another takes its place."""
    await _crash([rng.choice(world.workers)], rng)


async def crash_all(world: World, rng: Random) -> None:
    """All workers die."""
    await _crash(world.workers, rng)


async def _crash(workers: Sequence[Worker], rng: Random) -> None:
    for worker in workers:
        worker.crash()
    await asyncio.sleep(rng.choice([rng.uniform(0.2, 3), rng.uniform(8, 20)]))
    for worker in workers:
        if worker.life.is_dead:
            worker.start()


async def stop(world: World, rng: Random) -> None:
    """A worker stands still for a while, and knows nothing of it."""
    life = rng.choice(world.workers).life
    life.asleep_until = world.now() + rng.uniform(1, 15)
    world.notice()
    await asyncio.sleep(life.asleep_until - world.now())
    world.notice()


async def cut_off(world: World, rng: Random) -> None:
    """A worker cannot reach the store."""
    life = rng.choice(world.workers).life
    life.is_cut_off = True
    world.notice()
    await asyncio.sleep(rng.uniform(1, 15))
    life.is_cut_off = False
    world.notice()


async def lose_store(world: World, rng: Random) -> None:
    """The store is away for everybody."""
    world.store_is_away = True
    world.notice()
    await asyncio.sleep(rng.choice([rng.uniform(0.2, 3), rng.uniform(8, 20)]))
    world.store_is_away = False
    world.notice()


async def lose_bus(world: World, rng: Random) -> None:
    """No hint arrives anywhere."""
    world.bus_is_away = True
    await asyncio.sleep(rng.uniform(5, 20))
    world.bus_is_away = False


async def jump_clock(world: World, rng: Random) -> None:
    """The clock of a worker goes wrong, and stays so."""
    rng.choice(world.workers).life.skew = rng.choice([-1, 1]) * rng.uniform(1, 100)


async def cut_links(world: World, rng: Random) -> None:
    """All clients of a worker lose their connections."""
    rng.choice(world.workers).cut_links()


async def deafen_links(world: World, rng: Random) -> None:
    """The connections of a worker look alive, and nothing passes."""
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
