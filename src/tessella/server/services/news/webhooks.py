"""Messages as requests to chat services and programs: Discord, Matrix, ntfy, and plain JSON.

JSON follows the Standard Webhooks specification: an id by which a receiver recognises a repeated message, the time, and
a signature of both and the body by the secret of the hook. Matrix recognises the id too.
"""

import hmac
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from typing import TypeAlias

import msgspec
from msgspec import Struct

from tessella.server.services.news.channels import Channel, ChannelKind
from tessella.server.services.outgoing import Outgoing

JSON = {"content-type": "application/json", "user-agent": "Tessella"}


class Table(Struct, frozen=True):
    """A table that a message names; `deadline` is a time in seconds since 1970."""

    id: str
    game: str
    url: str
    deadline: float | None
    is_reminder: bool = False
    is_invitation: bool = False


class Message(Struct, frozen=True):
    """A message in words and as data."""

    id: str
    kind: str
    at: float
    subject: str
    lines: tuple[str, ...]
    """One line per table."""
    url: str
    """The page that the message is about: a table, or the list of games."""
    tables: tuple[Table, ...] = ()

    @property
    def text(self) -> str:
        """The message as plain text."""
        return "\n".join([self.subject, *self.lines])


def _discord(channel: Channel, message: Message) -> Outgoing:
    no_mentions: dict[str, list[str]] = {"parse": []}
    body = {"content": message.text, "allowed_mentions": no_mentions}
    return Outgoing(channel.address, JSON, msgspec.json.encode(body))


def _matrix(channel: Channel, message: Message) -> Outgoing:
    body = {"msgtype": "m.text", "body": message.text}
    headers = {**JSON, "authorization": f"Bearer {channel.secret}"}
    return Outgoing(f"{channel.address}/{message.id}", headers, msgspec.json.encode(body), "PUT")


def _ntfy(channel: Channel, message: Message) -> Outgoing:
    """Publish as JSON to the root of the server: headers could not carry every letter."""
    server, _, topic = channel.address.rstrip("/").rpartition("/")
    body = {"topic": topic, "title": message.subject, "message": message.text, "click": message.url}
    headers = {**JSON, "authorization": f"Bearer {channel.secret}"} if channel.secret else JSON
    return Outgoing(f"{server}/", headers, msgspec.json.encode(body))


def _json(channel: Channel, message: Message) -> Outgoing:
    body = msgspec.json.encode(
        {
            "type": message.kind,
            "id": message.id,
            "timestamp": int(message.at),
            "text": message.subject,
            "url": message.url,
            "tables": [
                {"id": table.id, "game": table.game, "url": table.url, "deadline": table.deadline}
                for table in message.tables
            ],
        }
    )
    stamp = str(int(message.at))
    headers = {"webhook-id": message.id, "webhook-timestamp": stamp, "webhook-signature": sign(channel, message, body)}
    return Outgoing(channel.address, {**JSON, **headers}, body)


def sign(channel: Channel, message: Message, body: bytes) -> str:
    """Return the signature of a message (Standard Webhooks, symmetric)."""
    key = b64decode(channel.secret.removeprefix("whsec_"))
    signed = f"{message.id}.{int(message.at)}.".encode() + body
    return "v1," + b64encode(hmac.digest(key, signed, "sha256")).decode()


Template: TypeAlias = Callable[[Channel, Message], Outgoing]

TEMPLATES: Mapping[ChannelKind, Template] = {"discord": _discord, "matrix": _matrix, "ntfy": _ntfy, "json": _json}
