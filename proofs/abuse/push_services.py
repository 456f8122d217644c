"""Malicious push services: slow ones must not delay others, and none is on a private network.

The services are real ones, with TLS on loopback: the address of a browser's service is what the browser claims it to
be, so a test only has to resolve its name differently.
"""

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Protocol, TypeAlias

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from sqlalchemy import update

from proofs.databases import folder_in_memory
from proofs.in_process_server import InProcessServer
from proofs.play import Client, sit_down
from tessella.server.addresses import is_public
from tessella.server.base64url import write64
from tessella.server.services import webpush
from tessella.server.services.news.delivery import Notifier
from tessella.server.services.news.turns import GRACE_SECONDS
from tessella.server.services.outgoing import Door
from tessella.server.store.schema import channels, games

Answer: TypeAlias = Callable[[asyncio.StreamWriter], Awaitable[None]]
"""How a service answers a request that it has read."""

DOMAIN = "push.example.org"
SLOW, PROMPT = ("slow-a", "slow-b"), tuple(f"prompt-{number}" for number in range(6))
DEADLINE_SECONDS = 15.0
"""Deadline of one message, to keep this short; the server's own is longer."""

HELD_SECONDS = 180.0
"""When everything hangs."""

PRIVATE = (
    *("0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "127.0.0.1", "169.254.169.254", "172.16.0.1"),  # noqa: S104
    *(
        "172.31.255.255",
        "192.0.0.8",
        "192.0.2.1",
        "192.88.99.1",
        "192.168.1.1",
        "198.18.0.1",
        "198.51.100.1",
        "203.0.113.1",
    ),
    *("224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255"),
    *("::", "::1", "::7f00:1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:1.1.1.1", "64:ff9b::a00:1"),
    *("64:ff9b::7f00:1", "64:ff9b:1::a00:1", "100::1", "2001::1", "2001:0:a00:1::", "2001:10::1", "2001:20::1"),
    *("2001:db8::1", "2002:a00:1::1", "2002:7f00:1::", "3fff::1", "5f00::1", "fc00::1", "fd00::1", "fe80::1"),
    *("fe80::1%eth0", "fec0::1", "ff02::1", "4000::1", "2606:4700::1%1"),
)
PUBLIC = (
    "1.1.1.1",
    "8.8.8.8",
    "93.184.216.34",
    "172.32.0.1",
    "192.0.1.1",
    "2606:4700:4700::1111",
    "2a00:1450:4001::8a",
)


class Scene(Protocol):
    """What this attack needs of its scene."""

    server: InProcessServer


async def prompt(writer: asyncio.StreamWriter) -> None:
    """Answer as a real service does."""
    writer.write(b"HTTP/1.1 201 Created\r\ncontent-length: 0\r\n\r\n")
    await writer.drain()


async def dripping(writer: asyncio.StreamWriter) -> None:
    """Answer one byte at a time, without end."""
    for byte in b"HTTP/1.1 201 Created" + b"." * 100_000:
        writer.write(bytes([byte]))
        await writer.drain()
        await asyncio.sleep(0.5)


async def endless(writer: asyncio.StreamWriter) -> None:
    """Answer with a line that never ends."""
    while True:
        writer.write(b"HTTP/1.1 201 Created" * 1_000)
        await writer.drain()


class Services:
    """Push services on loopback, each with its own name; their events are kept in order."""

    def __init__(self) -> None:
        self.events: list[tuple[str, str]] = []
        """`delivered` or `given up`, and the name of the service."""
        self.requests: list[bytes] = []
        self._ports: dict[str, int] = {}
        self._stack = AsyncExitStack()
        self._serving = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.trusting = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)

    async def __aenter__(self) -> "Services":
        certified, key = certificate(self._stack.enter_context(folder_in_memory()))
        self._serving.load_cert_chain(certified, key)
        self.trusting.load_verify_locations(certified)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    async def add(self, name: str, answer: Answer) -> None:
        """Open a service."""
        server = await asyncio.start_server(partial(self._serve, name, answer), "127.0.0.1", 0, ssl=self._serving)
        self._ports[f"{name}.{DOMAIN}"] = server.sockets[0].getsockname()[1]
        self._stack.callback(server.close)

    async def resolve(self, host: str, _port: int) -> Sequence[tuple[str, int]]:
        """Resolve the name of a service to loopback."""
        return [("127.0.0.1", self._ports[host])]

    def door(self, seconds: float) -> Door:
        """Return a door to these services, with a deadline."""
        return Door(resolve=self.resolve, context=self.trusting, seconds=seconds)

    async def _serve(
        self, name: str, answer: Answer, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        with suppress(OSError, asyncio.IncompleteReadError):
            head = await reader.readuntil(b"\r\n\r\n")
            length = next(int(line[15:]) for line in head.splitlines() if line.startswith(b"content-length:"))
            self.requests.append(head + await reader.readexactly(length))
            answering = asyncio.create_task(_quietly(answer(writer)))
            await reader.read()
            answering.cancel()
        self.events.append(("delivered" if answer is prompt else "given up", name))
        writer.transport.abort()


async def _quietly(answering: Awaitable[None]) -> None:
    with suppress(OSError):
        await answering


def certificate(folder: Path) -> tuple[Path, Path]:
    """Return a certificate for all our services, and its key."""
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    names = x509.SubjectAlternativeName([x509.DNSName(f"*.{DOMAIN}"), x509.DNSName("localhost")])
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, DOMAIN)])
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(names, critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    files = folder / "certificate.pem", folder / "key.pem"
    files[0].write_bytes(made.public_bytes(Encoding.PEM))
    files[1].write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return files


# The attack


async def push_services(scene: Scene) -> AsyncIterator[str]:
    """Claim services on private networks, and let others answer slowly before those of honest people."""
    for address in PRIVATE:
        if is_public(address):
            yield f"{address} passes for an address of the open Internet"
    for address in PUBLIC:
        if not is_public(address):
            yield f"{address} does not pass for an address of the open Internet"
    async with Services() as services:
        scene.server.app.state.notifier.door = services.door(DEADLINE_SECONDS)
        tables: list[str] = []
        for name in (*SLOW, *PROMPT):
            await services.add(name, dripping if name in SLOW else prompt)
            tables.append(await _wait_for_a_turn(scene.server, name))
        try:
            async with asyncio.timeout(HELD_SECONDS):
                notifier: Notifier = scene.server.app.state.notifier
                await _let_time_pass(scene.server, tables)
                await notifier.plan()
                while len(services.events) < len(SLOW) + len(PROMPT):
                    await asyncio.sleep(0.05)
        except TimeoutError:
            yield f"after {HELD_SECONDS:g} s it was only {services.events}"
            return
        told = sum(what == "delivered" for what, _ in services.events)
        if told != len(PROMPT):
            yield f"{told} of {len(PROMPT)} browsers were told"
        first = next(index for index, (what, _) in enumerate(services.events) if what == "given up")
        if "delivered" in {what for what, _ in services.events[first:]}:
            yield f"others waited for a slow service: {services.events}"


async def _wait_for_a_turn(server: InProcessServer, name: str) -> str:
    """Return a table at which it is the turn of an absent player whose browser uses this service."""
    players = [await Client.arrive(server, name) for _ in range(2)]
    point, auth = write64(webpush.public_point(webpush.private_key(webpush.new_private_value()))), "A" * 22
    game_id = await sit_down(players, "azul", pace={"days": 3})
    mover: int = (await players[0].ask("GET", f"/api/games/{game_id}"))["movers"][0]
    browser = {"endpoint": f"https://{name}.{DOMAIN}/a", "p256dh": point, "auth": auth}
    await players[mover].ask("POST", "/api/me/push", browser)
    return game_id


async def _let_time_pass(server: InProcessServer, tables: Sequence[str]) -> None:
    """Let all these turns be due, one after the other."""
    now = await server.host.store.now()
    turns = [
        update(games).where(games.c.id == game_id).values(touched=now - GRACE_SECONDS - 100 + rank)
        for rank, game_id in enumerate(tables)
    ]
    await server.host.store.run(update(channels).values(made=now - 1_000), *turns)
