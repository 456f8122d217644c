"""CPU time of writing a step as JSON: checked by us, and by msgspec alone."""

import time
from collections.abc import Callable, Sequence
from statistics import mean

import msgspec
from msgspec import Struct

from tessella.bench.server.figures import Figure, Pair
from tessella.bench.server.paths import MOST_MOVES, SEATS, Nowhere, play, start, write_script
from tessella.core import wire
from tessella.core.game import Public, Seat
from tessella.games import azul
from tessella.server import messages, seen
from tessella.server.bus import LocalBus
from tessella.server.host import Host, Room
from tessella.server.table import Happening

_bare = msgspec.json.Encoder()


class Sample(Struct, frozen=True):
    """A step as one viewer gets it, and what is embedded in it."""

    step: messages.Step
    embedded: tuple[Public, ...]


class Encoding:
    """Steps as JSON: everything checked and embedded by us, and the same written by msgspec alone."""

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
            lambda room, happenings: samples.extend(_sample(room, happenings, seat) for seat in (*SEATS, None))
        )
        await play(host, room, script)
        return cls(budget, samples)

    async def measure(self, number: int) -> None:  # noqa: ARG002
        """Encode as often as the time allows."""
        self._pair.add(self._cost(_encode), self._cost(_encode_bare))

    def figures(self) -> Sequence[Figure]:
        """The one figure."""
        size = mean(len(wire.encode(sample.step)) for sample in self._samples)
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
    return wire.encode(sample.step)


def _encode_bare(sample: Sample) -> bytes:
    return _bare.encode(sample.step)


def _sample(room: Room, happenings: Sequence[Happening], seat: Seat | None) -> Sample:
    """All that is encoded for one viewer."""
    films = tuple(seen.film(room.table, happening, seat) for happening in happenings)
    step = messages.Step(films, room.see(seat, time.time()))
    events = (azul.witness(event, seat) for happening in happenings for event in happening.events)
    return Sample(step, (azul.view(room.table.state, seat), *events))
