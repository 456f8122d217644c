"""Delivery of news: a worker leases channels that are due, sends each one message, and stores what became of it.

A message is visible at most once. Before a request leaves, the store knows that it is under way. If its outcome is
unknown (no answer, or the worker died), it is sent again only where the receiver recognises its id: Matrix, JSON hooks
and browsers, where the second replaces the first. Elsewhere it counts as uncertain and is not repeated. Everything else
that fails is tried again with back-off, and given up visibly. A receiver that does not answer is left alone for a
while: all that is due there is moved back, so that it holds up no other.
"""

import asyncio
import logging
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from itertools import count
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct
from sqlalchemy import ColumnElement, Executable, case, delete, func, select, tuple_, update

from tessella.server.base64url import read64
from tessella.server.rooms.host import Host
from tessella.server.services.background import Background
from tessella.server.services.news.channels import (
    Channel,
    ChannelKind,
    confirm_token,
    read_channel,
    remove_expired,
    unsubscribe_token,
    vapid_key,
)
from tessella.server.services.news.mail import Busy, MailServer, Rejected, compose
from tessella.server.services.news.timing import (
    GIVE_UP_SECONDS,
    MOST_ATTEMPTS,
    Item,
    back_off,
    reminder_time,
    send_time,
)
from tessella.server.services.news.turns import GRACE_SECONDS, Turn, Turns, invitations_at, lock, turns_at, write_news
from tessella.server.services.news.webhooks import TEMPLATES, Message, Table
from tessella.server.services.outgoing import Door, NotPublic, OutcomeUnknown, Outgoing, Reply
from tessella.server.store import Row
from tessella.server.store.errors import STORE_ERRORS
from tessella.server.store.schema import channels, news
from tessella.text.i18n import Translations
from tessella.text.news import (
    TurnLine,
    Words,
    confirmation_in_words,
    footer_in_words,
    test_in_words,
    turns_in_words,
)

log = logging.getLogger(__name__)

TICK_SECONDS = 1.0
"""How often a worker looks for channels that are due."""

PLAN_SECONDS = 10.0
"""How often the news of new turns are written down."""

LOOKBACK_SECONDS = 86_400.0
"""How far back a worker looks for turns when it starts."""

OVERLAP_SECONDS = 60.0
"""How far back it looks each time: a move may be stored a moment after its time."""

CLEAN_UP_EVERY = 360
"""Expired channels are removed after this many rounds of planning."""

LEASE_SECONDS = 50.0
"""Longer than any delivery takes; a worker that dies keeps a channel for this long."""

MOST_CONCURRENT = 64
MOST_PER_RECEIVER = 8
"""Messages under way from one worker: in total, and to one receiver."""

BREAK_SECONDS = 30.0
"""How long a receiver that does not answer is left alone."""

PRESENT_SECONDS = 60.0
"""How long to wait while a player is at the table."""

TTL_SECONDS = 86_400
"""How long a push service keeps a message for a browser that is off."""

MOST_FAILURES = 5
"""After this many messages in a row that were given up, a channel gets no more until its owner changes it."""

REPEATABLE: frozenset[ChannelKind] = frozenset({"push", "matrix", "json"})
"""Receivers that recognise a message that they have got already."""

GONE = (404, 410)

State: TypeAlias = Literal["sent", "uncertain", "failed", "retry"]


class TurnNotification(Struct, frozen=True):
    """The message to a browser: at how many tables it is the player's turn, and one of them."""

    title: str
    table: str
    tables: int
    language: str
    invitation: bool = False
    """Whether it is an invitation to the table instead."""


class Outcome(Struct, frozen=True):
    """What became of one attempt. `is_silent`: the receiver did not answer at all."""

    state: State
    reason: str = ""
    retry_after: float | None = None
    is_silent: bool = False
    is_gone: bool = False


class Job(Struct, frozen=True):
    """A leased channel, with its unfinished news."""

    channel: Channel
    items: tuple[Item, ...]
    message: str
    attempts: int
    in_flight: bool
    sent: float
    failures: int


class Decision(Struct, frozen=True):
    """What to do with a leased channel now."""

    send: tuple[Item, ...] = ()
    drop: tuple[Item, ...] = ()
    give_up: tuple[Item, ...] = ()
    look: float | None = None
    """When to look again, if nothing is sent."""


Send: TypeAlias = Callable[[Outgoing], Awaitable[Reply]]


# Deciding, without input or output


def decide(job: Job, turns: Turns, present: frozenset[tuple[str, str]], now: float) -> Decision:
    """Return which news of a channel are sent now, dropped or given up, and when to look at it again."""
    alive = [item for item in job.items if _is_true(job.channel, item, turns, now)]
    dropped = tuple(item for item in job.items if item not in alive)
    late = tuple(item for item in alive if now > item.due + GIVE_UP_SECONDS)
    left = [_timed(job.channel, item, turns, now) for item in alive if item not in late]
    if begun := [item for item in left if item.is_begun]:
        return Decision(tuple(begun), dropped, late)
    away = [item for item in left if (job.channel.person, item.game) not in present]
    at = send_time(job.channel.preferences, away, job.sent)
    if at is not None and at <= now:
        return Decision(tuple(item for item in away if item.due <= now), dropped, late)
    later = [time for time in (at, now + PRESENT_SECONDS if len(away) < len(left) else None) if time is not None]
    return Decision(drop=dropped, give_up=late, look=min(later, default=None))


def _is_true(channel: Channel, item: Item, turns: Turns, now: float) -> bool:
    """Return whether a piece of news is still true and wanted."""
    if item.kind == "confirm":
        return not channel.is_confirmed
    if item.kind == "test":
        return True
    turn, wanted = turns.get((channel.person, item.game)), channel.preferences
    if turn is None or turn.number != item.number or not channel.is_confirmed:
        return False
    if item.kind in ("turn", "invitation"):
        return wanted.turns
    return wanted.reminder_hours > 0 and turn.deadline is not None and turn.deadline > now


def _timed(channel: Channel, item: Item, turns: Turns, now: float) -> Item:
    """Return an item with its present due time: a deadline may have moved, or the preferences."""
    if item.kind != "reminder" or item.is_begun:
        return item
    deadline = turns[channel.person, item.game].deadline
    assert deadline is not None
    return msgspec.structs.replace(item, due=reminder_time(channel.preferences, deadline, now))


def after_failure(job: Job, outcome: Outcome) -> Outcome:
    """Return what an attempt means for the message: unknown outcomes are repeated only where that is not seen."""
    if outcome.state == "uncertain" and job.channel.kind in REPEATABLE:
        outcome = msgspec.structs.replace(outcome, state="retry")
    if outcome.state == "retry" and job.attempts + 1 >= MOST_ATTEMPTS:
        return msgspec.structs.replace(outcome, state="failed")
    return outcome


# Words


def message_of(job: Job, items: Sequence[Item], turns: Turns, confirm_url: str, now: float) -> Message:
    """Return the message with these items, in the language of the channel."""
    channel = job.channel
    tables = tuple(_table(channel, turns[channel.person, item.game], item) for item in items if item.game)
    words = _words(channel, items, tables, confirm_url, now)
    url = tables[0].url if len({table.id for table in tables}) == 1 else f"{channel.site}/games"
    kind = "reminder" if any(table.is_reminder for table in tables) else items[0].kind
    return Message(job.message or _message_id(channel, items), kind, now, words.subject, words.lines, url, tables)


def _table(channel: Channel, turn: Turn, item: Item) -> Table:
    is_invitation = item.kind == "invitation"
    url = f"{channel.site}/{'join' if is_invitation else 'table'}/{turn.game}"
    return Table(turn.game, turn.title, url, turn.deadline, item.kind == "reminder", is_invitation)


def _words(channel: Channel, items: Sequence[Item], tables: Sequence[Table], confirm_url: str, now: float) -> Words:
    texts = Translations(channel.language)
    if any(item.kind == "confirm" for item in items):
        return confirmation_in_words(texts, confirm_url)
    if not tables:
        return test_in_words(texts, f"{channel.site}/account")
    shown = {(table.id, table.is_reminder): table for table in tables}
    lines = [
        TurnLine(each.game, each.url, (each.deadline or now) - now if each.is_reminder else None, each.is_invitation)
        for each in shown.values()
        if each.is_reminder or (each.id, True) not in shown
    ]
    return turns_in_words(texts, lines)


def _message_id(channel: Channel, items: Sequence[Item]) -> str:
    """Return the id of a message, which follows from what it says."""
    said = sorted(f"{item.kind} {item.game} {item.number}" for item in items)
    return sha256("\n".join([channel.id, *said]).encode()).hexdigest()[:32]


# Sending


class Notifier(Background):
    """Writes down news and delivers them while the block runs; several workers share the work."""

    def __init__(self, host: Host, door: Door, mail: MailServer | None = None) -> None:
        self.host = host
        self.store = host.store
        self.door = door
        self.mail = mail
        self._written_until: float | None = None
        self._under_way: dict[asyncio.Task[tuple[Job, Outcome]], str] = {}
        self._finished: list[tuple[Job, Outcome]] = []
        """What is not stored yet."""

    async def run(self) -> None:
        """Write down news every `PLAN_SECONDS` and deliver what is due all the time; never return."""
        await asyncio.gather(self._plan_forever(), self._deliver_forever())

    async def _plan_forever(self) -> None:
        for times in count(1):
            await asyncio.sleep(PLAN_SECONDS)
            try:
                await self.plan()
                if times % CLEAN_UP_EVERY == 0:
                    await remove_expired(self.store)
            except STORE_ERRORS:
                log.warning("news of turns postponed", exc_info=True)
            except Exception:
                log.exception("news of turns not written")

    async def _deliver_forever(self) -> None:
        try:
            while True:
                await asyncio.sleep(TICK_SECONDS)
                try:
                    await self.deliver()
                except STORE_ERRORS:
                    log.warning("deliveries postponed", exc_info=True)
                except Exception:
                    log.exception("deliveries failed")
        finally:
            for task in self._under_way:
                task.cancel()

    async def plan(self) -> int:
        """Write down the news of turns that began since the last time."""
        until = await self.store.now() - GRACE_SECONDS
        since = until - LOOKBACK_SECONDS if self._written_until is None else self._written_until - OVERLAP_SECONDS
        written = await write_news(self.store, since, until)
        self._written_until = until
        return written

    async def deliver(self) -> int:
        """Deliver everything that is due now; return how many messages arrived."""
        arrived = 0
        while True:
            if await self._begin_some():
                continue
            if not self._under_way and not self._finished:
                return arrived
            arrived += await self._finish_some()

    async def _begin_some(self) -> bool:
        """Lease channels for the free slots and start sending; return whether there may be more to lease."""
        free = MOST_CONCURRENT - len(self._under_way)
        if not free:
            return False
        at_work = Counter(self._under_way.values())
        full = [receiver for receiver, number in at_work.items() if number >= MOST_PER_RECEIVER]
        now = await self.store.now()
        rows = await self.store.run(_lease(now, self.host.worker, min(free, MOST_PER_RECEIVER), full))
        if not rows:
            return False
        await self._begin(rows, now)
        return True

    async def _begin(self, rows: Sequence[Row], now: float) -> None:
        jobs = await self._jobs(rows)
        items = [(job.channel.person, item) for job in jobs for item in job.items if item.game]
        turns = {
            **await turns_at(self.store, (item.game for _, item in items)),
            **await invitations_at(
                self.store, {(whose, item.game) for whose, item in items if item.kind == "invitation"}
            ),
        }
        decisions = [_fresh(job, self._decide(job, turns, now)) for job in jobs]
        await self._record_decisions(decisions, now)
        for job, decision in decisions:
            if decision.send:
                task = asyncio.create_task(self._attempt(job, decision.send, turns, now))
                self._under_way[task] = job.channel.receiver

    async def _jobs(self, rows: Sequence[Row]) -> list[Job]:
        items: dict[str, list[Item]] = defaultdict(list)
        mine = news.c.channel.in_([row["id"] for row in rows]) & news.c.done.is_(None)
        for row in await self.store.run(select(news).where(mine).order_by(news.c.due)):
            is_begun = row["state"] == "sending"
            item = Item(row["kind"], row["game"], row["number"], row["due"], is_begun)
            items[row["channel"]].append(item)
        return [_job(row, items[row["id"]]) for row in rows]

    def _decide(self, job: Job, turns: Turns, now: float) -> Decision:
        if job.in_flight and job.channel.kind not in REPEATABLE:
            return Decision()  # another worker died while it was sending
        if job.failures >= MOST_FAILURES:
            return Decision(give_up=job.items)
        at_tables = frozenset(
            (turn.person, turn.game)
            for (person, _), turn in turns.items()
            if person == job.channel.person and self._is_here(turn)
        )
        return decide(job, turns, at_tables, now)

    def _is_here(self, turn: Turn) -> bool:
        room = self.host.rooms.get(turn.game)
        return room is not None and turn.seat in room.present

    async def _record_decisions(self, decisions: Sequence[tuple[Job, Decision]], now: float) -> None:
        """Store, before anything is sent, what will be, and what becomes of the rest."""
        statements: list[Executable] = [lock(sorted(job.channel.id for job, _ in decisions))]
        lost = [job for job, decision in decisions if job.in_flight and decision == Decision()]
        if lost:
            begun = [(job, item) for job in lost for item in job.items if item.is_begun]
            statements += [_finish(begun, "uncertain", "lost", now), _release(lost, now)]
        for state, reason, chosen in (
            ("dropped", "", [(job, item) for job, decision in decisions for item in decision.drop]),
            ("failed", "unreachable", [(job, item) for job, decision in decisions for item in decision.give_up]),
        ):
            statements += [_finish(chosen, state, reason, now)] if chosen else []
        sending = [(job, item) for job, decision in decisions for item in decision.send]
        if sending:
            statements.append(update(news).where(_among(sending)).values(state="sending"))
            statements += [_begin_message(job, d.send) for job, d in decisions if d.send and not job.message]
            known = [job.channel.id for job, decision in decisions if decision.send]
            statements.append(
                update(channels)
                .where(channels.c.id.in_(known))
                .values(in_flight=True, attempts=channels.c.attempts + 1)
            )
        statements += [
            _wait(job, decision, now) for job, decision in decisions if not decision.send and job not in lost
        ]
        self._count(Counter(state for _, d in decisions for state in ["failed"] * len(d.give_up)))
        await self.store.run(*statements)

    async def _attempt(self, job: Job, items: Sequence[Item], turns: Turns, now: float) -> tuple[Job, Outcome]:
        """Send a message and return what became of it; one that fails in any way does not stop the others."""
        job = msgspec.structs.replace(job, items=tuple(items), message=job.message or _message_id(job.channel, items))
        try:
            outcome = await self._send(job, items, turns, now)
        except Rejected:
            outcome = Outcome("failed", "rejected")
        except Busy:
            outcome = Outcome("retry", "busy")
        except OutcomeUnknown:
            outcome = Outcome("uncertain", "silent", is_silent=True)
        except NotPublic:
            outcome = Outcome("failed", "private")
        except OSError as exc:
            log.info("news not delivered", exc_info=exc.with_traceback(None))
            outcome = Outcome("retry", "unreachable", is_silent=True)
        except Exception:
            log.exception("news not sent")
            outcome = Outcome("failed", "error")
        return job, after_failure(job, outcome)

    async def _send(self, job: Job, items: Sequence[Item], turns: Turns, now: float) -> Outcome:
        channel = job.channel
        confirm_url = ""
        if any(item.kind == "confirm" for item in items):
            confirm_url = f"{channel.site}/confirm/{await confirm_token(self.store, channel, now)}"
        message = message_of(job, items, turns, confirm_url, now)
        if channel.kind == "email":
            await self._mail(channel, message)
            return Outcome("sent")
        request = (
            await self._push(channel, message, now)
            if channel.kind == "push"
            else TEMPLATES[channel.kind](channel, message)
        )
        return _outcome(await self.door.send(request))

    async def _mail(self, channel: Channel, message: Message) -> None:
        if self.mail is None:
            raise Rejected("this server sends no mail")
        why, leave = footer_in_words(Translations(channel.language), is_confirmed=channel.is_confirmed)
        link = f"{channel.site}/unsubscribe/{await unsubscribe_token(self.store, channel.id)}"
        mail = compose(message, self.mail.sender, channel.address, why=why, unsubscribe=link, leave=leave)
        await self.mail.send(mail)

    async def _push(self, channel: Channel, message: Message, now: float) -> Outgoing:
        from tessella.server.services import webpush

        point, auth = (read64(part) for part in channel.secret.split("."))
        first = message.tables[0] if message.tables else None
        ids = {table.id for table in message.tables}
        is_invitation = bool(message.tables) and all(table.is_invitation for table in message.tables)
        about = (first.game, first.id) if first else ("", "")
        told = TurnNotification(*about, len(ids), channel.language, is_invitation)
        key = webpush.private_key(await vapid_key(self.store))
        headers = {
            "authorization": webpush.authorization(channel.address, channel.site, key, now),
            "content-encoding": "aes128gcm",
            "content-type": "application/octet-stream",
            "topic": message.id,
            "ttl": str(TTL_SECONDS),
            "urgency": "normal",
        }
        return Outgoing(channel.address, headers, webpush.encrypt(msgspec.json.encode(told), point, auth))

    async def _finish_some(self) -> int:
        """Wait until some messages are finished, store what became of them all, and return how many arrived."""
        if self._under_way:
            done, _ = await asyncio.wait(self._under_way, return_when=asyncio.FIRST_COMPLETED)
            self._finished += [task.result() for task in done]
            for task in done:
                del self._under_way[task]
        results, now = list(self._finished), await self.store.now()
        await self.store.run(*_results(results, now))
        del self._finished[: len(results)]  # not before: without the store they are kept
        self._count(Counter(outcome.state for _, outcome in results))
        if silent := sorted({job.channel.receiver for job, outcome in results if outcome.is_silent}):
            await self.store.run(_leave_alone(silent, now))
        return sum(outcome.state == "sent" for _, outcome in results)

    def _count(self, states: Mapping[str, int]) -> None:
        for state, number in states.items():
            self.host.metrics.news.labels(state).inc(number)


def _fresh(job: Job, decision: Decision) -> tuple[Job, Decision]:
    """Return a job as it begins a new message, if nothing is left of the one that was tried before."""
    is_same = any(item.is_begun for item in decision.send)
    return (job if is_same else msgspec.structs.replace(job, message="", attempts=0)), decision


def _job(row: Row, items: Sequence[Item]) -> Job:
    return Job(
        read_channel(row),
        tuple(items),
        row["message"],
        row["attempts"],
        bool(row["in_flight"]),
        row["sent"],
        row["failures"],
    )


def _outcome(reply: Reply) -> Outcome:
    if 200 <= reply.status < 300:
        return Outcome("sent")
    if reply.status == 429 or reply.status >= 500:
        return Outcome("retry", f"status {reply.status}", reply.retry_after)
    return Outcome("failed", f"status {reply.status}", is_gone=reply.status in GONE)


# Statements


def _results(results: Sequence[tuple[Job, Outcome]], now: float) -> list[Executable]:
    """Return the statements that store what became of messages."""
    statements: list[Executable] = []
    over: dict[tuple[str, str], list[Job]] = defaultdict(list)
    for job, outcome in results:
        if outcome.state == "retry":
            statements.append(_try_again(job, now + back_off(job.attempts + 1, outcome.retry_after)))
        else:
            over[outcome.state, outcome.reason].append(job)
    for (state, reason), jobs in over.items():
        about = [(job, item) for job in jobs for item in job.items]
        statements += [_finish(about, state, reason, now), _release(jobs, now, is_sent=state != "failed")]
    if gone := [job.channel.id for job, outcome in results if outcome.is_gone and job.channel.kind == "push"]:
        statements += [delete(news).where(news.c.channel.in_(gone)), delete(channels).where(channels.c.id.in_(gone))]
    return statements


def _lease(now: float, worker: str, most: int, full: Sequence[str]) -> Executable:
    """Lease channels that are due, the first ones first, but none whose receiver has enough to do."""
    free = (channels.c.due <= now) & (channels.c.leased < now) & channels.c.receiver.not_in(full)
    due = select(channels.c.id).where(free).order_by(channels.c.due).limit(most)
    chosen = due.with_for_update(skip_locked=True).cte("chosen")
    taken = update(channels).where(channels.c.id.in_(select(chosen.c.id)))
    return taken.values(leased=now + LEASE_SECONDS, worker=worker).returning(channels)


def _among(about: Iterable[tuple[Job, Item]]) -> ColumnElement[bool]:
    key = tuple_(news.c.channel, news.c.kind, news.c.game, news.c.number)
    return key.in_([(job.channel.id, item.kind, item.game, item.number) for job, item in about])


def _finish(about: Sequence[tuple[Job, Item]], state: str, reason: str, now: float) -> Executable:
    return update(news).where(_among(about)).values(state=state, reason=reason, done=now)


def _begin_message(job: Job, items: Sequence[Item]) -> Executable:
    mine = update(channels).where(channels.c.id == job.channel.id)
    return mine.values(message=_message_id(job.channel, items), attempts=0)


def _release(jobs: Sequence[Job], now: float, *, is_sent: bool = True) -> Executable:
    """End the messages of channels, and look at them again at once: other news may wait."""
    these = update(channels).where(channels.c.id.in_([job.channel.id for job in jobs]))
    failures = 0 if is_sent else channels.c.failures + 1
    sent = {"sent": now} if is_sent else {}
    over = {"message": "", "attempts": 0, "in_flight": False, "leased": 0.0, "due": now}
    return these.values({**over, **sent, "failures": failures})


def _wait(job: Job, decision: Decision, now: float) -> Executable:
    """Release a channel without a message; look again at once if more news were written down meanwhile."""
    left = len(job.items) - len(decision.drop) - len(decision.give_up)
    unfinished = (news.c.channel == job.channel.id) & news.c.done.is_(None)
    found = select(func.count()).select_from(news).where(unfinished).scalar_subquery()
    idle = {"leased": 0.0, "message": "", "attempts": 0, "in_flight": False}
    at = case((found > left, now), else_=decision.look)
    return update(channels).where(channels.c.id == job.channel.id).values({**idle, "due": at})


def _try_again(job: Job, at: float) -> Executable:
    mine = update(channels).where(channels.c.id == job.channel.id)
    return mine.values(in_flight=False, leased=0.0, due=at)


def _leave_alone(receivers: Sequence[str], now: float) -> Executable:
    """Move back everything that is due at receivers that do not answer, but for what others are writing to.

    Nothing is moved beyond the time when it is given up.
    """
    waits = channels.c.receiver.in_(receivers) & (channels.c.due <= now) & (channels.c.leased < now)
    chosen = select(channels.c.id).where(waits).with_for_update(skip_locked=True).cte("chosen")
    unfinished = (news.c.channel == channels.c.id) & news.c.done.is_(None)
    oldest = select(func.min(news.c.due)).where(unfinished).correlate(channels).scalar_subquery()
    end, later = oldest + GIVE_UP_SECONDS, now + BREAK_SECONDS
    at = case((end < later, end), else_=later)
    return update(channels).where(channels.c.id.in_(select(chosen.c.id))).values(due=at)
