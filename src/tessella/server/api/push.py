"""Being told of one's turns while the browser is closed."""

from collections.abc import Sequence
from typing import Annotated, Literal

from msgspec import Meta, Struct

from tessella.core.game import Public
from tessella.server import nudges
from tessella.server.api.people import Done, answering, own_session
from tessella.server.api.routes import Answer, Request, Route
from tessella.server.letters import write64
from tessella.server.nudges import Browser


class PushBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A subscription, as a browser's `toJSON` writes its parts, and the language to be told in."""

    endpoint: Annotated[str, Meta(max_length=1_000, pattern="^https://")]
    p256dh: Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{87}$")]
    auth: Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{22}$")]
    language: Literal["en", "nl", "fr"] = "en"


class PushKey(Public, frozen=True):
    """The key by which push services know us, for `pushManager.subscribe`."""

    key: str


async def get_key(request: Request) -> Answer:
    """Give the key by which push services know us."""
    from tessella.server import push

    number = await nudges.our_number(request.host.store)
    return Answer(PushKey(write64(push.public_point(push.private_key(number)))))


async def post_push(request: Request) -> Answer:
    """Have this browser told when it is your turn in a game of days."""
    session, body = own_session(request), request.body
    browser = Browser(body.endpoint, body.p256dh, body.auth, body.language, request.origin)
    with answering():
        await nudges.listen(request.host.store, session, browser)
    return Answer(Done(1))


async def delete_push(request: Request) -> Answer:
    """Have this browser told nothing any more."""
    return Answer(Done(int(await nudges.hush(request.host.store, own_session(request)))))


ROUTES: Sequence[Route] = (
    Route("GET", "/api/push", get_key, PushKey),
    Route("POST", "/api/me/push", post_push, Done, PushBody),
    Route("DELETE", "/api/me/push", delete_push, Done),
)
