"""Subscriptions to turn notifications (Web Push)."""

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta, Struct

from tessella.core.game import Public
from tessella.protocol.texts import Language
from tessella.server.base64url import write64
from tessella.server.http.api.people import Done, answering, own_session
from tessella.server.http.api.routes import Answer, Request, Route
from tessella.server.services.news import channels
from tessella.server.services.news.channels import Browser


class PushBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A subscription, with the parts of the browser's `toJSON`, and the language of the messages."""

    endpoint: Annotated[str, Meta(max_length=1_000, pattern="^https://")]
    p256dh: Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{87}$")]
    auth: Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{22}$")]
    language: Language = "en"


class PushKey(Public, frozen=True):
    """Our public key for `pushManager.subscribe`."""

    key: str


async def get_key(request: Request) -> Answer:
    """Return our public key for push services."""
    from tessella.server.services import webpush

    value = await channels.vapid_key(request.host.store)
    return Answer(PushKey(write64(webpush.public_point(webpush.private_key(value)))))


async def post_push(request: Request) -> Answer:
    """Subscribe this browser to your turns in correspondence games."""
    session, body = own_session(request), request.body
    browser = Browser(body.endpoint, body.p256dh, body.auth, body.language, request.origin)
    with answering():
        await channels.subscribe(request.host.store, session, browser, request.messaging.door)
    return Answer(Done(1))


async def delete_push(request: Request) -> Answer:
    """Unsubscribe this browser."""
    return Answer(Done(int(await channels.unsubscribe(request.host.store, own_session(request)))))


ROUTES: Sequence[Route] = (
    Route("GET", "/api/push", get_key, PushKey),
    Route("POST", "/api/me/push", post_push, Done, PushBody),
    Route("DELETE", "/api/me/push", delete_push, Done),
)
