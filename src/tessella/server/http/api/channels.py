"""Channels for news of turns: e-mail addresses and webhooks, their preferences, and the links in messages."""

from collections.abc import Sequence
from typing import Annotated, TypeAlias
from urllib.parse import urlsplit

from msgspec import Meta, Struct

from tessella.core.game import Public
from tessella.protocol.texts import Language
from tessella.server.http.api.people import Done, answering, members_session, own_session
from tessella.server.http.api.routes import Answer, Problem, Request, Route
from tessella.server.people.identity import Person, digest
from tessella.server.services.news import channels
from tessella.server.services.news.channels import Channel, ChannelKind, Hook, HookKind, LastNews
from tessella.server.services.news.timing import MINUTES_IN_A_DAY, Preferences, Quiet, is_zone

Minute: TypeAlias = Annotated[int, Meta(ge=0, lt=MINUTES_IN_A_DAY)]
Text: TypeAlias = Annotated[str, Meta(max_length=300, pattern="^[!-~]*$")]
MOST_REMINDER_HOURS = 72
MOST_DIGEST_MINUTES = 1_440


class QuietHours(Public, frozen=True, forbid_unknown_fields=True):
    """Hours without messages, in minutes since midnight of a time zone such as Europe/Brussels."""

    begins: Minute
    ends: Minute
    zone: Annotated[str, Meta(max_length=60)] = "UTC"


class EmailBody(Struct, frozen=True, forbid_unknown_fields=True):
    """An e-mail address, and the language of the mails."""

    address: Annotated[str, Meta(min_length=3, max_length=channels.LONGEST_EMAIL)]
    language: Language = "en"


class HookBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A webhook; `room` and `token` are for Matrix, where the URL is that of the server; `token` also for ntfy."""

    kind: HookKind
    url: Annotated[str, Meta(max_length=1_000, pattern="^https?://[!-~]+$")]
    room: Text = ""
    token: Text = ""
    language: Language = "en"


class PreferencesBody(Struct, frozen=True, forbid_unknown_fields=True):
    """What a channel reports, and when. 0 means no reminder, or no digest."""

    turns: bool = True
    reminder_hours: Annotated[float, Meta(ge=0, le=MOST_REMINDER_HOURS)] = 0
    digest_minutes: Annotated[float, Meta(ge=0, le=MOST_DIGEST_MINUTES)] = 0
    quiet: QuietHours | None = None
    language: Language = "en"


class LinkBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The token of a link."""

    token: Annotated[str, Meta(max_length=200, pattern="^[A-Za-z0-9_-]+$")]


class LastMessage(Public, frozen=True):
    """What became of the last message: `sent`, `uncertain` or `failed`, and why."""

    state: str
    reason: str
    done: float


class ChannelView(Public, frozen=True):
    """One of your channels; of a webhook only the host is shown, because its address is a secret."""

    id: str
    kind: ChannelKind
    name: str
    is_confirmed: bool
    is_here: bool
    """Whether it is the browser of this session."""
    turns: bool
    reminder_hours: float
    digest_minutes: float
    quiet: QuietHours | None
    language: str
    last: LastMessage | None


class ChannelsView(Public, frozen=True):
    """Your channels, and whether this server sends e-mail."""

    has_mail: bool
    channels: tuple[ChannelView, ...]


class ChannelMade(Public, frozen=True):
    """A new channel; `secret` verifies the signatures of a JSON hook, and is shown only once."""

    id: str
    secret: str = ""


async def get_channels(request: Request) -> Answer:
    """List where you get news of your turns."""
    session, store = own_session(request), request.host.store
    last = await channels.last_news(store, session.person)
    browser = await channels.browser_of(store, session)
    found = await channels.channels_of(store, session.person)
    views = tuple(_see(each, last.get(each.id), is_here=each.id == browser) for each in found)
    return Answer(ChannelsView(request.messaging.has_mail, views))


def _see(channel: Channel, last: LastNews | None, *, is_here: bool) -> ChannelView:
    wanted = channel.preferences
    quiet = wanted.quiet
    return ChannelView(
        channel.id,
        channel.kind,
        channel.address if channel.kind == "email" else urlsplit(channel.address).netloc,
        channel.is_confirmed,
        is_here,
        wanted.turns,
        wanted.reminder_hours,
        wanted.digest_minutes,
        QuietHours(quiet.begins, quiet.ends, quiet.zone) if quiet else None,
        channel.language,
        LastMessage(last.state, last.reason, last.done) if last else None,
    )


async def post_email(request: Request) -> Answer:
    """Add an e-mail address; it gets a link by which its owner confirms it, and nothing else before that."""
    person, body = members_session(request).person, request.body
    if not request.messaging.has_mail:
        raise Problem(501, "mail", "this server sends no mail; a webhook or your browser can tell you of your turns")
    _limit_confirmations(request, person, body.address)
    with answering():
        made = await channels.add_email(request.host.store, person, body.address, body.language, request.messaging.site)
    await channels.announce(request.host.store, made, "confirm")
    return Answer(ChannelMade(made.id), 201)


def _limit_confirmations(request: Request, person: Person, address: str) -> None:
    """Raise `Problem` if an address was asked to confirm too often, or by one person."""
    for key in (person.id, digest(address.casefold())):
        if wait := request.limits.confirmations.take(key, request.host.clock()):
            raise Problem(429, "busy", "too many mails to confirm an address; try again later", wait)


async def post_hook(request: Request) -> Answer:
    """Add a webhook: Discord, Matrix, ntfy, or signed JSON (Standard Webhooks)."""
    person, body, messaging = members_session(request).person, request.body, request.messaging
    hook = Hook(body.kind, body.url, body.room, body.token)
    site = messaging.site or request.origin
    with answering():
        made = await channels.add_hook(request.host.store, person, hook, body.language, site, messaging.door)
    return Answer(ChannelMade(made.id, made.secret if made.kind == "json" else ""), 201)


async def post_preferences(request: Request) -> Answer:
    """Choose what a channel reports to you, and when."""
    session, body = own_session(request), request.body
    quiet = Quiet(body.quiet.begins, body.quiet.ends, body.quiet.zone) if body.quiet else None
    if quiet is not None and not is_zone(quiet.zone):
        raise Problem(422, "zone", "not a time zone; expected a name such as Europe/Brussels")
    wanted = Preferences(body.turns, body.reminder_hours, body.digest_minutes, quiet)
    if not await channels.prefer(request.host.store, session.person, request.path["id"], wanted, body.language):
        raise _missing()
    return Answer(Done(1))


async def post_test(request: Request) -> Answer:
    """Send a test message; an address that is not confirmed gets the link to confirm it again."""
    session, store = own_session(request), request.host.store
    found = await channels.channels_of(store, session.person)
    channel = next((each for each in found if each.id == request.path["id"] and each.kind != "push"), None)
    if channel is None:
        raise _missing()
    if channel.is_confirmed:
        if wait := request.limits.tests.take(session.person.id, request.host.clock()):
            raise Problem(429, "busy", "too many test messages; try again later", wait)
    else:
        _limit_confirmations(request, session.person, channel.address)
    await channels.announce(store, channel, "test" if channel.is_confirmed else "confirm")
    return Answer(Done(1))


async def delete_channel(request: Request) -> Answer:
    """Remove a channel; what waits there is not sent."""
    if not await channels.remove(request.host.store, own_session(request).person, request.path["id"]):
        raise _missing()
    return Answer(Done(1))


def _missing() -> Problem:
    return Problem(404, "channel", "you have no channel with this id")


async def post_confirm(request: Request) -> Answer:
    """Confirm an e-mail address by the link in the mail."""
    if not await channels.confirm(request.host.store, request.body.token):
        raise Problem(404, "link", "this link is not valid any more; have another one sent")
    return Answer(Done(1))


async def post_unsubscribe(request: Request) -> Answer:
    """End the mails of a channel by the link in one of them: one click, without a session (RFC 8058)."""
    if not await channels.end_by_link(request.host.store, request.path["token"]):
        raise Problem(404, "link", "this link is not valid")
    return Answer(Done(1))


ROUTES: Sequence[Route] = (
    Route("GET", "/api/me/channels", get_channels, ChannelsView),
    Route("POST", "/api/me/channels/email", post_email, ChannelMade, EmailBody, status=201),
    Route("POST", "/api/me/channels/hooks", post_hook, ChannelMade, HookBody, status=201),
    Route("POST", "/api/me/channels/{id}", post_preferences, Done, PreferencesBody),
    Route("POST", "/api/me/channels/{id}/test", post_test, Done),
    Route("DELETE", "/api/me/channels/{id}", delete_channel, Done),
    Route("POST", "/api/confirm", post_confirm, Done, LinkBody, guess=True),
    Route("POST", "/unsubscribe/{token}", post_unsubscribe, Done, guess=True),
)
