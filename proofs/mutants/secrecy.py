"""Mutants that leak hidden information."""

# pyright: reportUnknownLambdaType=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false
# A patched attribute may have any type.

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any
from zlib import crc32

from msgspec.structs import replace

from proofs.mutants.mutant import Mutant, patch


def _leaky_view() -> None:
    from tessella.games import blockers

    def leaky(view: Any) -> Any:
        def new(state: Any, seat: Any) -> Any:
            visible = view(state, seat)
            hands = zip(visible.hands, state.stocks, strict=True)
            return replace(visible, hands=tuple(replace(hand, rack=stock.rack) for hand, stock in hands))

        return new

    patch(blockers, "view", leaky)


def _slot_index() -> None:
    from tessella.games import blockers

    def leaky(apply: Any) -> Any:
        def new(state: Any, act: Any) -> Any:
            after, events = apply(state, act)
            if isinstance(act, blockers.Place):
                rack = state.stocks["byrgv".index(act.colour)].rack
                events = [
                    replace(event, group=rack.index(act.face)) if hasattr(event, "group") else event for event in events
                ]
            return after, events

        return new

    patch(blockers, "apply", leaky)


def _leaky_error() -> None:
    from tessella.core.game import IllegalMove
    from tessella.games import blockers

    def leaky(apply: Any) -> Any:
        def new(state: Any, act: Any) -> Any:
            try:
                return apply(state, act)
            except IllegalMove as exc:
                raise IllegalMove(exc.rule, f"{exc.why}; {[stock.rack for stock in state.stocks]}") from None

        return new

    patch(blockers, "apply", leaky)


def _readable_acts() -> None:
    from tessella.games import blockers, duel

    for game in (blockers, duel):
        patch(game, "owner", lambda _: lambda _act: None)


def _outline_with(**changes: Callable[[Any, Any], Any]) -> Callable[[], None]:
    """Return a plant that leaks something in fields of a table's outline."""

    def plant() -> None:
        from tessella.table import views

        def leaky(spectator_view: Any) -> Any:
            def new(table: Any, *more: Any) -> Any:
                outline = spectator_view(table, *more)
                return replace(outline, **{name: change(table, outline) for name, change in changes.items()})

            return new

        patch(views, "spectator_view", leaky)

    return plant


def _text(table: Any) -> str:
    return str(table.game.write_state(table.state))


def _slow_title(table: Any, outline: Any) -> str:
    """Return the title after a delay that depends on the whole state."""
    for _ in range(crc32(_text(table).encode()) % 16 * 2_000):
        pass
    return str(outline.title)


def _legal_move_count(table: Any, _outline: Any) -> int:
    return sum(len(table.game.legal_moves(table.state, seat)) for seat in table.movers)


def _open_record() -> None:
    from tessella.core import record
    from tessella.protocol.messages import RecordView
    from tessella.server.http import app
    from tessella.server.http.api.games import find_room
    from tessella.server.http.api.routes import Answer, Request

    async def get_record(request: Request) -> Answer:
        return Answer(RecordView(record.write((await find_room(request)).table.record())))

    patch(
        app,
        "ROUTES",
        lambda routes: [
            replace(each, handler=get_record) if each.path.endswith("/record") else each for each in routes
        ],
    )


def _peeking_bot() -> None:
    from tessella.server.services.bot_runner import BotRunner

    async def one_move(runner: Any, room: Any) -> None:
        table = room.table
        seat, _ = table.bots_to_move()[0]
        moves = table.game.legal_moves(table.state, seat)
        text = table.game.write_move(table.state, moves[hash(_text(table)) % len(moves)])
        await runner.host.append(room, f"peek-{table.number}", lambda now, secret: now.play(seat, text, secret))

    patch(BotRunner, "_one_move", lambda _: one_move)


def _seed_in_answer() -> None:
    from tessella.server.rooms.host import Host

    async def secret(host: Any, room: Any) -> Any:
        return (await host.store.seed(room.table.id)).hex()

    def leaky(room_of: Any) -> Any:
        async def new(host: Any, game_id: str) -> Any:
            room = await room_of(host, game_id)
            if room is not None:
                room.table.next_game = await secret(host, room)
            return room

        return new

    patch(Host, "room", leaky)


MUTANTS: Mapping[str, Mutant] = {
    "leaky-view": Mutant("a view holds only what its seat may see", "noninterference", 2, _leaky_view),
    "slot-index": Mutant("an event does not reveal the position on the rack", "noninterference", 4, _slot_index),
    "leaky-error": Mutant("an error message reveals nothing hidden", "noninterference", 4, _leaky_error),
    "readable-acts": Mutant("private acts are null for others", "noninterference", 2, _readable_acts),
    "length": Mutant(
        "the length of a message reveals nothing",
        "noninterference",
        4,
        _outline_with(title=lambda table, outline: outline.title + " " * (crc32(_text(table).encode()) % 16)),
    ),
    "answer-time": Mutant("the response time reveals nothing", "noninterference", 24, _outline_with(title=_slow_title)),
    "move-count": Mutant(
        "the number of an opponent's legal moves stays hidden",
        "noninterference",
        6,
        _outline_with(spectators=_legal_move_count),
    ),
    "state-digest": Mutant(
        "no digest of a whole state is sent",
        "noninterference",
        2,
        _outline_with(next_game=lambda table, _: sha256(_text(table).encode()).hexdigest()),
    ),
    "open-record": Mutant("the record of a running game is withheld", "noninterference", 2, _open_record),
    "peeking-bot": Mutant("a bot is given a view, never a state", "bot-blind", 12, _peeking_bot),
    "seed-in-answer": Mutant("the seed of a running game stays secret", "canary", 1, _seed_in_answer),
}
