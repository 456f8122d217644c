"""A proof that cannot fail proves nothing: guards are switched off one by one, and some proof must notice each time.

Each mutant is a small change of the running program, made in a process of its own and nowhere else; then the proof that
should catch it runs there.
"""

# pyright: reportUnknownLambdaType=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false
# What is exchanged may be anything.

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from hashlib import sha256
from typing import Any
from zlib import crc32

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tessella.prove import Ask, Figure, Report, proving
from tessella.terminal.progress import progress

LEAST_GUARDS = 15
PATIENCE = 600.0
"""Seconds that a proof may take to catch a mutant."""


class Mutant(Struct, frozen=True):
    """A guard that is switched off, and the proof that must notice it."""

    guard: str
    proof: str
    size: int
    plant: Callable[[], None]


class Verdict(Struct):
    """What the proof said of a mutant."""

    passed: bool
    failures: list[str]


def prove(ask: Ask) -> Report:
    """Plant as many mutants as are asked for, each in a process of its own."""
    names = list(MUTANTS)[: ask.size]
    verdicts = {name: _run(name, ask) for name in progress(names, "mutants")}
    escaped = [name for name, verdict in verdicts.items() if verdict is None or verdict.passed]
    return Report(
        (
            Figure("guards", len(names), at_least=min(ask.size, LEAST_GUARDS), words="switched off in turn"),
            Figure("caught", len(names) - len(escaped), words="by the proof that answers for them"),
            Figure("escaped", len(escaped), at_most=0, words="mutants that nobody noticed"),
        ),
        tuple(f"{MUTANTS[name].proof} does not notice: {MUTANTS[name].guard} ({name})" for name in escaped),
    )


def _run(name: str, ask: Ask) -> Verdict | None:
    """Let the proof run with the mutant; None if it did not come to a verdict."""
    program = "import sys; from tessella.prove.mutants import let_loose; let_loose(*sys.argv[1:])"
    arguments = [sys.executable, "-c", program, name, str(ask.seed), ask.database, ask.bus]
    done = subprocess.run(arguments, capture_output=True, text=True, check=False, timeout=PATIENCE)  # noqa: S603
    *_, last = done.stdout.splitlines() or [""]
    try:
        return msgspec.json.decode(last, type=Verdict)
    except msgspec.DecodeError:
        sys.stderr.write(done.stderr)
        return None


def let_loose(name: str, seed: str, database: str, bus: str) -> None:
    """In a process of its own: switch the guard off, run the proof, and write the verdict."""
    mutant = MUTANTS[name]
    mutant.plant()
    try:
        report = proving(mutant.proof)(Ask(mutant.size, int(seed), database, bus))
    except (ValueError, AssertionError) as stumbled:  # over what the mutant has left: the command fails too
        report = Report((), (repr(stumbled),))
    sys.stdout.write(json.dumps({"passed": report.passed, "failures": report.failures[:3]}) + "\n")


def _exchange(where: object, name: str, new: Callable[[Any], Any]) -> None:
    """Put in the place of something what is made of it."""
    setattr(where, name, new(getattr(where, name)))


# What is hidden


def _leaky_view() -> None:
    from tessella.games import blockers

    def leaky(view: Any) -> Any:
        def new(state: Any, seat: Any) -> Any:
            seen = view(state, seat)
            hands = zip(seen.hands, state.stocks, strict=True)
            return replace(seen, hands=tuple(replace(hand, rack=stock.rack) for hand, stock in hands))

        return new

    _exchange(blockers, "view", leaky)


def _slot_index() -> None:
    from tessella.games import blockers

    def telling(apply: Any) -> Any:
        def new(state: Any, act: Any) -> Any:
            after, events = apply(state, act)
            if isinstance(act, blockers.Place):
                rack = state.stocks["byrgv".index(act.colour)].rack
                events = [
                    replace(event, group=rack.index(act.face)) if hasattr(event, "group") else event for event in events
                ]
            return after, events

        return new

    _exchange(blockers, "apply", telling)


def _told_in_the_refusal() -> None:
    from tessella.core.game import IllegalMove
    from tessella.games import blockers

    def chatty(apply: Any) -> Any:
        def new(state: Any, act: Any) -> Any:
            try:
                return apply(state, act)
            except IllegalMove as wrong:
                raise IllegalMove(wrong.rule, f"{wrong.why}; {[stock.rack for stock in state.stocks]}") from None

        return new

    _exchange(blockers, "apply", chatty)


def _readable_acts() -> None:
    from tessella.games import blockers, duel

    for game in (blockers, duel):
        _exchange(game, "owner", lambda _: lambda _act: None)


def _seen_with(**changes: Callable[[Any, Any], Any]) -> Callable[[], None]:
    """A table that tells something more, in one of its fields."""

    def plant() -> None:
        from tessella.server import seen

        def telling(from_outside: Any) -> Any:
            def new(table: Any, *more: Any) -> Any:
                outside = from_outside(table, *more)
                return replace(outside, **{name: change(table, outside) for name, change in changes.items()})

            return new

        _exchange(seen, "from_outside", telling)

    return plant


def _text(table: Any) -> str:
    return str(table.game.write_state(table.state))


def _slowly(table: Any, outside: Any) -> str:
    """The title, after a while that depends on everything on the table."""
    for _ in range(crc32(_text(table).encode()) % 16 * 2_000):
        pass
    return str(outside.title)


def _count_of_moves(table: Any, _outside: Any) -> int:
    return sum(len(table.game.legal_moves(table.state, seat)) for seat in table.movers)


def _open_record() -> None:
    from tessella.core import record
    from tessella.server import app
    from tessella.server.api.games import RecordSeen, find_room
    from tessella.server.api.routes import Answer, Request

    async def get_record(request: Request) -> Answer:
        return Answer(RecordSeen(record.write((await find_room(request)).table.record())))

    _exchange(
        app,
        "ROUTES",
        lambda routes: [
            replace(each, handler=get_record) if each.path.endswith("/record") else each for each in routes
        ],
    )


def _peeking_bot() -> None:
    from tessella.server.thinker import Thinker

    async def one_move(thinker: Any, room: Any) -> None:
        table = room.table
        seat, _ = table.bots_to_move()[0]
        moves = table.game.legal_moves(table.state, seat)
        text = table.game.write_move(table.state, moves[hash(_text(table)) % len(moves)])
        await thinker.host.append(room, f"peek-{table.number}", lambda now, secret: now.play(seat, text, secret))

    _exchange(Thinker, "_one_move", lambda _: one_move)


def _seed_in_the_answer() -> None:
    from tessella.server.host import Host

    async def secret(host: Any, room: Any) -> Any:
        return (await host.store.seed(room.table.id)).hex()

    def told(room_of: Any) -> Any:
        async def new(host: Any, game_id: str) -> Any:
            room = await room_of(host, game_id)
            if room is not None:
                room.table.next_game = await secret(host, room)
            return room

        return new

    _exchange(Host, "room", told)


# Fair dice


def _bare_remainder() -> None:
    from tessella.core.dice import Stream

    _exchange(Stream, "randrange", lambda _: lambda stream, stop: next(stream._words) % stop)


def _one_stream() -> None:
    from tessella.core.dice import Dice

    _exchange(Dice, "stream", lambda stream: lambda dice, _deal: stream(dice, 0))


def _little_chance() -> None:
    from tessella.core import dice

    _exchange(dice, "fresh_seed", lambda seed: lambda: seed()[:2] * 16)


def _unchecked(field: str) -> Callable[[], None]:
    def plant() -> None:
        from tessella.core import dice, record

        def trusting(verify: Any) -> Any:
            def new(game: Any, whole: Any) -> Any:
                made = {"commitment": dice.commitment(whole.id, whole.seed), "seal": b""}
                return verify(game, replace(whole, **{field: made[field]}))

            return new

        _exchange(record, "verify", trusting)

    return plant


# Who may do what


def _any_origin() -> None:
    from tessella.server import app

    _exchange(app, "_same_origin", lambda _: lambda _scope: True)


def _seat_of_the_client() -> None:
    from tessella.server.table import Table

    def trusting(seat_of: Any) -> Any:
        def new(table: Any, who: str) -> Any:
            seat = seat_of(table, who)
            return seat if seat is not None or not who or not table.movers else table.movers[0]

        return new

    _exchange(Table, "seat_of", trusting)


def _free_guesses() -> None:
    from tessella.server.limits import Limits

    _exchange(Limits, "wait_to_guess", lambda _: lambda *_more: 0.0)


def _links_for_ever() -> None:
    from sqlalchemy import update

    from tessella.server.api import games
    from tessella.server.store.schema import links

    def forgetful(seat_for: Any) -> Any:
        async def new(request: Any, room: Any, body: Any) -> Any:
            await request.host.store.run(update(links).values(used=False))
            room.table.chairs = [type(chair)() if seat else chair for seat, chair in enumerate(room.table.chairs)]
            return await seat_for(request, room, body)

        return new

    _exchange(games, "_seat_for", forgetful)


def _master_tokens() -> None:
    from tessella.server.api import people

    _exchange(people, "own_session", lambda _: lambda request: (request.person, request.caller.session)[1])


def _easy_passwords() -> None:
    from tessella.server import accounts

    _exchange(accounts, "is_common", lambda _: lambda _password: False)


def _public_metrics() -> None:
    from tessella.server import operations

    _exchange(operations, "_may_read", lambda _: lambda *_more: True)


# Too much


def _endless_queue() -> None:
    from tessella.server import app

    _exchange(app, "WAITING_FRAMES", lambda _: 1_000_000)


def _endless_bodies() -> None:
    from tessella.server import app

    _exchange(app, "LARGEST_BODY", lambda _: 1 << 30)


def _endless_connections() -> None:
    from tessella.server.limits import Limits

    _exchange(Limits, "connection", lambda _: lambda *_more: nullcontext(enter_result=True))


# Who is forgotten


def _names_stay() -> None:
    from tessella.server import privacy

    async def strike(_host: Any, _person: Any) -> None:
        pass

    _exchange(privacy, "_strike_names", lambda _: strike)


def _logs_stay() -> None:
    from tessella.server.store.sqlite import SQLiteStore

    async def scrub(_store: Any) -> None:
        pass

    _exchange(SQLiteStore, "scrub", lambda _: scrub)


def _sockets_stay() -> None:
    from tessella.server import doors

    async def look(_host: Any, _viewers: Any) -> None:
        pass

    _exchange(doors, "_dismiss", lambda _: look)


def _secrets_in_clear() -> None:
    from tessella.server import people

    _exchange(people, "digest", lambda _: lambda secret: secret)


def _half_an_export() -> None:
    from tessella.server import privacy

    async def nothing(_store: Any, _person: Any) -> tuple[()]:
        return ()

    _exchange(privacy, "_pushes", lambda _: nothing)


# What was confirmed


def _ack_first() -> None:
    import asyncio

    from tessella.server.host import Host
    from tessella.server.store import Store

    later: set[Any] = set()

    class Hasty:
        """A store that says yes at once, and writes when it comes to it."""

        def __init__(self, store: Store) -> None:
            self.store = store

        def __getattr__(self, name: str) -> Any:
            return getattr(self.store, name)

        async def append(self, write: Any) -> float:
            task = asyncio.create_task(self.store.append(write))
            later.add(task)
            task.add_done_callback(later.discard)
            return await self.store.now()

    def hasty(init: Any) -> Any:
        def new(host: Any, store: Any, *more: Any) -> None:
            init(host, Hasty(store), *more)

        return new

    _exchange(Host, "__init__", hasty)


def _keys_forgotten() -> None:
    from tessella.server.host import Host

    async def never(_host: Any, _room: Any, _key: str) -> None:
        return None

    _exchange(Host, "_stored_already", lambda _: never)


def _no_primary_key() -> None:
    from sqlalchemy import text

    from tessella.server import store

    def careless(connect: Any) -> Any:
        async def new(url: str) -> Any:
            opened = await connect(url)
            for name in ("entries_pkey", "entries_game_key_key"):
                await opened.run(text(f"ALTER TABLE entries DROP CONSTRAINT IF EXISTS {name}"))
            return opened

        return new

    _exchange(store, "connect", careless)


def _hints_believed() -> None:
    from tessella.server.host import Host

    def believe(_host: Any, room: Any, number: int) -> None:
        room.table.number = max(room.table.number, number + 1)

    _exchange(Host, "hear_number", lambda _: believe)


def _no_deadline() -> None:
    from tessella.server import host

    _exchange(host, "_due", lambda _: lambda *_more: None)


MUTANTS: Mapping[str, Mutant] = {
    "ack-first": Mutant("a move is confirmed after it is stored, not before", "sim", 4, _ack_first),
    "keys-forgotten": Mutant("a wish that is said again counts once", "sim", 4, _keys_forgotten),
    "no-primary-key": Mutant("of two entries with one number one is stored", "race", 20, _no_primary_key),
    "hints-believed": Mutant("a hint is no truth: the store is read", "sim", 4, _hints_believed),
    "no-deadline": Mutant("the deadline is checked where the move is stored", "clocks", 12, _no_deadline),
    "leaky-view": Mutant("a view shows only what its seat may see", "noninterference", 2, _leaky_view),
    "slot-index": Mutant("an event does not tell from where on the rack", "noninterference", 4, _slot_index),
    "refusal": Mutant("a refusal tells nothing hidden", "noninterference", 4, _told_in_the_refusal),
    "readable-acts": Mutant("private acts are null to others", "noninterference", 2, _readable_acts),
    "length": Mutant(
        "the length of a message tells nothing",
        "noninterference",
        4,
        _seen_with(title=lambda table, seen: seen.title + " " * (crc32(_text(table).encode()) % 16)),
    ),
    "answer-time": Mutant("how long an answer takes tells nothing", "noninterference", 24, _seen_with(title=_slowly)),
    "move-count": Mutant(
        "the number of another's moves is not told", "noninterference", 6, _seen_with(spectators=_count_of_moves)
    ),
    "state-digest": Mutant(
        "no digest of a whole state is sent",
        "noninterference",
        2,
        _seen_with(next_game=lambda table, _: sha256(_text(table).encode()).hexdigest()),
    ),
    "open-record": Mutant("the record of a running game is kept back", "noninterference", 2, _open_record),
    "peeking-bot": Mutant("a bot is given a view, never a state", "bot-blind", 12, _peeking_bot),
    "seed-told": Mutant("the seed of a running game stays secret", "canary", 1, _seed_in_the_answer),
    "bare-remainder": Mutant("words that favour some numbers are thrown away", "shuffle", 500, _bare_remainder),
    "one-stream": Mutant("every deal has dice of its own", "shuffle", 500, _one_stream),
    "little-chance": Mutant("a seed cannot be found by trying", "shuffle", 200, _little_chance),
    "no-commitment": Mutant("the seed must be the promised one", "shuffle", 200, _unchecked("commitment")),
    "no-seal": Mutant("the seal must belong to the acts", "shuffle", 200, _unchecked("seal")),
    "any-origin": Mutant("requests of other sites are refused", "abuse", 1, _any_origin),
    "clients-seat": Mutant("the seat is that of the session", "abuse", 1, _seat_of_the_client),
    "free-guesses": Mutant("guesses are counted", "abuse", 150, _free_guesses),
    "links-for-ever": Mutant("an invitation is for once", "abuse", 1, _links_for_ever),
    "master-tokens": Mutant("a token is no key to the account", "abuse", 1, _master_tokens),
    "easy-passwords": Mutant("common passwords are refused", "abuse", 1, _easy_passwords),
    "public-metrics": Mutant("metrics are not for everybody", "abuse", 1, _public_metrics),
    "endless-queue": Mutant("who does not read is let go", "abuse", 1, _endless_queue),
    "endless-bodies": Mutant("a body has a greatest size", "abuse", 1, _endless_bodies),
    "endless-connections": Mutant("a session holds so many connections", "abuse", 1, _endless_connections),
    "names-stay": Mutant("a name is struck from every log", "privacy", 1, _names_stay),
    "logs-stay": Mutant("what is deleted is in no log of the database", "privacy", 1, _logs_stay),
    "sockets-stay": Mutant("a socket ends with its session", "privacy", 1, _sockets_stay),
    "secrets-in-clear": Mutant("only digests of secrets are kept", "privacy", 1, _secrets_in_clear),
    "half-an-export": Mutant("the export holds everything", "privacy", 1, _half_an_export),
}
"""Every guard that is switched off, and who must notice."""
