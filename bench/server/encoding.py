"""CPU time of encoding a step as JSON: with our checks, and with msgspec alone."""

import time
from collections.abc import Callable, Sequence
from statistics import mean

import msgspec
from msgspec import Struct

from bench.server.figures import Figure, Pair
from bench.server.paths import MOST_MOVES, SEATS, Nowhere, play, start, write_script
from tessella.core import wire
from tessella.core.game import Public, Seat
from tessella.games import azul
from tessella.protocol import messages
from tessella.server.cluster.bus import LocalBus
from tessella.server.rooms.host import Host
from tessella.server.rooms.room import Room
from tessella.table import views
from tessella.table.table import AppliedEntry

_bare = msgspec.json.Encoder()


class Sample(Struct, frozen=True):
    """A step as one viewer gets it, and what is embedded in it."""

    update: messages.Update
    embedded: tuple[Public, ...]


class Encoding:
    """Steps as JSON: checked and embedded by us, and the same encoded by msgspec alone."""

    def __init__(self, budget: float, samples: Sequence[Sample]) -> None:
        self._budget = budget
        self._samples = samples
        self._pair = Pair()

    @classmethod
    async def prepare(cls, budget: float) -> "Encoding":
        """Take every step of a game, for every viewer."""
        host = Host(Nowhere(), LocalBus(), [], time.time)
        samples: list[Sample] = []
        script = await write_script("encoding", MOST_MOVES)
        room = await start(host, script)
        host.listeners.append(
            lambda room, entries: samples.extend(_sample(room, entries, seat) for seat in (*SEATS, None))
        )
        await play(host, room, script)
        return cls(budget, samples)

    async def measure(self, number: int) -> None:  # noqa: ARG002
        """Encode as often as the time allows."""
        self._pair.add(self._cost(_encode), self._cost(_encode_bare))

    def figures(self) -> Sequence[Figure]:
        """Return the one figure."""
        size = mean(len(wire.encode(sample.update)) for sample in self._samples)
        words = f"{{:.1f}} µs a step of {size:,.0f} bytes; {{:.1f}} µs by bare msgspec"
        return (self._pair.figure("view_encode", words),)

    def _cost(self, encode: Callable[[Sample], object]) -> float:
        began, count = time.process_time(), 0
        while time.process_time() - began < self._budget:
            for sample in self._samples:
                encode(sample)
            count += len(self._samples)
        return (time.process_time() - began) * 1e6 / count


def _encode(sample: Sample) -> bytes:
    for part in sample.embedded:
        wire.embed(part)
    return wire.encode(sample.update)


def _encode_bare(sample: Sample) -> bytes:
    return _bare.encode(sample.update)


def _sample(room: Room, entries: Sequence[AppliedEntry], seat: Seat | None) -> Sample:
    """All that is encoded for one viewer."""
    seen = tuple(views.entry_view(room.table, applied, seat) for applied in entries)
    update = messages.Update(seen, room.view_for(seat, time.time()))
    events = (azul.witness(event, seat) for applied in entries for event in applied.events)
    return Sample(update, (azul.view(room.table.state, seat), *events))
