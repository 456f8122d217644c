"""The tables of the database. Every key of a game's rows starts with the game id, so games can be sharded by it."""

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Computed,
    Double,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
    literal_column,
    text,
)

metadata = MetaData()


def where(condition: str | ColumnElement[bool]) -> dict[str, Any]:
    """Return the options of a partial index, for both databases."""
    clause = text(condition) if isinstance(condition, str) else condition
    return {"postgresql_where": clause, "sqlite_where": clause}


UNFINISHED = "status NOT IN ('over', 'closed')"
LISTED = "status = 'open' AND listed"
WATCHABLE = "status = 'playing' AND match = '' AND (listed OR rated)"
"""Conditions of partial indexes of games; a query with the same condition uses the index."""

games = Table(
    "games",
    metadata,
    Column("id", Text, primary_key=True),
    Column("game", Text, nullable=False),
    Column("rules", Text, nullable=False),
    Column("number", Integer, nullable=False),
    Column("status", Text, nullable=False),
    Column("movers", Text, nullable=False),
    Column("deadline", Double),
    Column("opened", Double, nullable=False),
    Column("touched", Double, nullable=False),
    Column("pace", Text, nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("listed", Boolean, nullable=False),
    Column("match", Text, nullable=False, server_default=""),
    Column("creator", Text, nullable=False, server_default=""),
    Column("origin", Text, nullable=False, server_default=""),
    Column("recorded", Boolean, nullable=False, server_default="0"),
    Column("previous", Text, nullable=False, server_default=""),
    Column("sealed_to", Integer, nullable=False, server_default="-1"),
    Column("names", Text),
    Column("sealed", LargeBinary),
    Index("games_by_status", "status", "touched"),
    Index("games_by_creator", "creator", **where(f"{UNFINISHED} AND creator <> ''")),
    Index("games_by_origin", "origin", **where(f"{UNFINISHED} AND origin <> ''")),
    Index("games_listed", "touched", **where(LISTED)),
    Index("games_watchable", "touched", **where(WATCHABLE)),
)
"""One row per game: its current status, written in one statement with the log, which is authoritative.

`status` is that of the table, or `closed` if the table was closed before its game started. `creator` is the person who
opened the table. `origin` is who is charged for it: the person if a member, else a keyed digest of the guest's subnet;
it is emptied when the game is over. `recorded`: the results of the finished game are written. `previous` is the
game that this one is a rematch of, or goes on from after a move was taken back.

The entries up to number `sealed_to` are not in `entries` but packed in `sealed`; `names` are those of the people who
sat down, as JSON (see `store.sealed`). On PostgreSQL workers cannot write these columns.
"""

SEALED_COLUMNS = ("sealed_to", "names", "sealed")
LISTED_COLUMNS = tuple(column for column in games.columns if column.name not in SEALED_COLUMNS)
"""The columns of a game for lists, which need no log."""

entries = Table(
    "entries",
    metadata,
    Column("game", Text, nullable=False),
    Column("number", Integer, nullable=False),
    Column("key", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("at", Double, nullable=False),
    PrimaryKeyConstraint("game", "number"),
    UniqueConstraint("game", "key"),
)
"""The logs of all tables: appended to, never changed. Those of finished games are sealed after a while: see `games`."""

seeds = Table(
    "seeds",
    metadata,
    Column("game", Text, primary_key=True),
    Column("seed", LargeBinary, nullable=False),
)
"""The seed of each game, apart from everything else. That of a sealed game is in its log, which reveals it."""

seats = Table(
    "seats",
    metadata,
    Column("game", Text, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("person", Text, nullable=False),
    Column("ended", Double),
    PrimaryKeyConstraint("game", "seat"),
    Index("seats_by_person_and_end", "person", "ended", "game"),
)
"""The person in each seat, to find the games of a person. `ended` is when the game was over; null while it is not.

A sealed game has none: its players are in `results`.
"""

departures = Table(
    "departures",
    metadata,
    Column("game", Text, nullable=False),
    Column("person", Text, nullable=False, index=True),
    PrimaryKeyConstraint("game", "person"),
)
"""People who left a table before its game started: their name is still in the log."""

links = Table(
    "links",
    metadata,
    Column("hash", Text, primary_key=True),
    Column("game", Text, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("used", Boolean, nullable=False, server_default="0"),
    Index("links_by_game", "game"),
)
"""Invitations to one seat each, stored as digests."""

jobs = Table(
    "jobs",
    metadata,
    Column("game", Text, primary_key=True),
    Column("number", Integer, nullable=False),
    Column("kind", Text, nullable=False),
    Column("priority", Integer, nullable=False),
    Column("made", Double, nullable=False),
    Column("leased", Double, nullable=False),
    Column("worker", Text, nullable=False),
    Column("due", Double, nullable=False, server_default="0"),
    Column("owner", Text, nullable=False, server_default=""),
    Column("attempts", Integer, nullable=False, server_default="0"),
    Index("jobs_by_due", "kind", "due"),
    Index("jobs_by_owner", "owner"),
)
"""Games in which a bot is to move (kinds `quick` and `move`), and those that the coach reviews (kind `review`).

Jobs are taken in the order of `due`. `leased` is when the job becomes visible again: the end of a worker's lease, or of
a delay after a failed attempt. `owner` is the origin of the game. `priority` is no longer used.
"""

people = Table(
    "people",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("made", Double, nullable=False),
    Column("login", Text, unique=True),
    Column("password", Text),
    Column("settings", Text, nullable=False, server_default="{}"),
    Column("member", Text, index=True),
    Column("owner", Text, index=True),
    Column("banned", Double),
    Column("moderator", Boolean, nullable=False, server_default="0"),
    Index("guests_by_date", "made", "id", **where("kind = 'guest' AND member IS NULL")),
)
"""Guests, members and bots. `member` is the account a guest was merged into, `owner` the owner of a bot.

`banned` is since when the person, or the owner of the bot, is banned; null if they are not. `moderator`: the host has
named them a moderator.
"""

passkeys = Table(
    "passkeys",
    metadata,
    Column("id", LargeBinary, primary_key=True),
    Column("person", Text, nullable=False, index=True),
    Column("public_key", LargeBinary, nullable=False),
    Column("uses", BigInteger, nullable=False),
    Column("made", Double, nullable=False),
)
"""Passkeys, with which members log in without a password."""

challenges = Table(
    "challenges",
    metadata,
    Column("id", Text, primary_key=True),
    Column("challenge", LargeBinary, nullable=False),
    Column("person", Text, nullable=False),
    Column("ends", Double, nullable=False, index=True),
)
"""Challenges for passkeys, valid for a few minutes; `person` is empty for a log-in."""

sessions = Table(
    "sessions",
    metadata,
    Column("hash", Text, primary_key=True),
    Column("person", Text, nullable=False, index=True),
    Column("kind", Text, nullable=False),
    Column("made", Double, nullable=False),
    Column("ends", Double, nullable=False),
    Column("label", Text, nullable=False, server_default=""),
    Index("sessions_by_end", "ends"),
)
"""Cookies and API tokens, stored as digests."""

waiting = Table(
    "waiting",
    metadata,
    Column("person", Text, primary_key=True),
    Column("title", Text, nullable=False),
    Column("seats", Integer, nullable=False),
    Column("pace", Text, nullable=False),
    Column("since", Double, nullable=False),
    Column("ends", Double, nullable=False),
    Column("game", Text, nullable=False, server_default=""),
    Column("bots", Boolean, nullable=False, server_default="0"),
    Index("waiting_by_terms", "title", "seats", "pace", "game", "since"),
    Index("waiting_by_game", "game"),
)
"""People waiting to be paired, what for, and the game that was found. `bots`: a bot account, which meets only bots."""

results = Table(
    "results",
    metadata,
    Column("game", Text, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("person", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("seats", Integer, nullable=False),
    Column("place", Integer),
    Column("score", Integer),
    Column("ended", Double, nullable=False),
    Column("nth", Integer),
    Column("mu", Double),
    Column("sigma", Double),
    PrimaryKeyConstraint("game", "seat"),
    UniqueConstraint("person", "title", "seats", "nth"),
    Index("results_by_person", "person", "ended"),
)
"""Results, one row per seat; no place if aborted. `nth`, `mu`, `sigma`: the person's rating after the game.

A rated game is the person's nth of its kind, and the number is unique, so two workers cannot both update the same
rating.
"""

ratings = Table(
    "ratings",
    metadata,
    Column("person", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("seats", Integer, nullable=False),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("played", Integer, nullable=False),
    Column("strength", Double, Computed("mu - sigma - sigma", persisted=True)),
    Column("points_mean", Double),
    Column("points_variance", Double),
    PrimaryKeyConstraint("person", "title", "seats"),
    Index("ratings_by_strength", "title", "seats", "strength"),
)
"""The rating of each person now, for each game and number of players.

`points_mean` and `points_variance` are the strength by points (see `coach.skill`); null before the first game with it.
"""

seat_terms = Table(
    "seat_terms",
    metadata,
    Column("title", Text, nullable=False),
    Column("seats", Integer, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("games", Integer, nullable=False),
    Column("surplus", Double, nullable=False),
    PrimaryKeyConstraint("title", "seats", "seat"),
)
"""The advantage of each seat: results above the expectation by ratings, summed over rated games."""

ladder_ratings = Table(
    "ladder_ratings",
    metadata,
    Column("person", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("seats", Integer, nullable=False),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("played", Integer, nullable=False),
    PrimaryKeyConstraint("person", "title", "seats"),
    Index("ladder_ratings_in_order", "title", "seats", "mu"),
)
"""The rating of each bot account on the ladder now, for each game and number of players (see `services.ladder`)."""

ladder_results = Table(
    "ladder_results",
    metadata,
    Column("game", Text, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("person", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("seats", Integer, nullable=False),
    Column("ended", Double, nullable=False),
    Column("nth", Integer),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    PrimaryKeyConstraint("game", "seat"),
    UniqueConstraint("person", "title", "seats", "nth"),
    Index("ladder_results_by_person", "person", "ended"),
)
"""The games of the ladder, one row per seat, and the rating after each; the places are in `results`.

`person` is a bot account, or `level:4` for a level of the server: its rating is fixed, and its games have no `nth`. For
bot accounts the number is unique, as in `results`.
"""

heartbeats = Table(
    "heartbeats",
    metadata,
    Column("worker", Text, primary_key=True),
    Column("at", Double, nullable=False),
    Column("since", Double, nullable=False, server_default="0"),
)
"""The last heartbeat of each worker, and the first (`since`); 0 if that is not known."""

outages = Table(
    "outages",
    metadata,
    Column("began", Double, primary_key=True),
    Column("ended", Double, nullable=False),
)
"""Times in which no worker was running, which no clock is charged for."""

pushes = Table(
    "pushes",
    metadata,
    Column("endpoint", Text, primary_key=True),
    Column("person", Text, nullable=False, index=True),
    Column("session", Text, nullable=False, index=True),
    Column("point", Text, nullable=False),
    Column("auth", Text, nullable=False),
    Column("language", Text, nullable=False),
    Column("site", Text, nullable=False),
    Column("made", Double, nullable=False),
    Column("sent", Double, nullable=False),
)
"""Push subscriptions of browsers before revision 0012, which moved them to `channels`; no longer used."""

channels = Table(
    "channels",
    metadata,
    Column("id", Text, primary_key=True),
    Column("person", Text, nullable=False, index=True),
    Column("session", Text, nullable=False, server_default="", index=True),
    Column("kind", Text, nullable=False),
    Column("address", Text, nullable=False, index=True),
    Column("secret", Text, nullable=False, server_default=""),
    Column("receiver", Text, nullable=False),
    Column("language", Text, nullable=False),
    Column("site", Text, nullable=False),
    Column("made", Double, nullable=False),
    Column("confirmed", Double),
    Column("turns", Boolean, nullable=False),
    Column("reminder_hours", Double, nullable=False, server_default="0"),
    Column("digest_minutes", Double, nullable=False, server_default="0"),
    Column("quiet_from", Integer),
    Column("quiet_until", Integer),
    Column("zone", Text, nullable=False, server_default="UTC"),
    Column("sent", Double, nullable=False, server_default="0"),
    Column("message", Text, nullable=False, server_default=""),
    Column("attempts", Integer, nullable=False, server_default="0"),
    Column("in_flight", Boolean, nullable=False, server_default="0"),
    Column("failures", Integer, nullable=False, server_default="0"),
    Column("due", Double),
    Column("leased", Double, nullable=False, server_default="0"),
    Column("worker", Text, nullable=False, server_default=""),
    Index("channels_by_due", "due", **where("due IS NOT NULL")),
    Index("channels_by_receiver", "receiver", "due", **where("due IS NOT NULL")),
)
"""Where people get news of their turns: browsers, e-mail addresses, webhooks; and the job of the next message there.

`session` is that of a browser, which ends with it; else empty. `secret` authenticates us to the receiver. `receiver` is
the host that messages go to. Nothing but a request to confirm it is sent to an address that is not `confirmed`.

`due` is when a worker must look at the channel next; null if nothing waits. A worker that does holds a lease. `message`
is the id of the message that is being sent, `attempts` counts how often that was tried, `in_flight` is true from before
a request is sent until its outcome is stored. `failures` counts the messages given up since the last one that arrived.
"""

news = Table(
    "news",
    metadata,
    Column("channel", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("number", Integer, nullable=False),
    Column("person", Text, nullable=False, index=True),
    Column("due", Double, nullable=False),
    Column("state", Text, nullable=False),
    Column("done", Double),
    Column("reason", Text, nullable=False, server_default=""),
    PrimaryKeyConstraint("channel", "kind", "game", "number"),
    Index("news_by_end", "done", **where("done IS NOT NULL")),
)
"""What there is to say on a channel: a `turn`, a `reminder` before its deadline, a request to `confirm`, a `test`.

The key makes each unique: `number` is that of the person's last move before the turn. `state` goes from `waiting` over
`sending` to `sent`, `uncertain` (it may have arrived), `failed` (given up) or `dropped` (no longer true).
"""

follows = Table(
    "follows",
    metadata,
    Column("person", Text, nullable=False),
    Column("other", Text, nullable=False, index=True),
    Column("made", Double, nullable=False),
    PrimaryKeyConstraint("person", "other"),
)
"""Whom each person follows."""

blocks = Table(
    "blocks",
    metadata,
    Column("person", Text, nullable=False),
    Column("other", Text, nullable=False, index=True),
    Column("made", Double, nullable=False),
    PrimaryKeyConstraint("person", "other"),
)
"""Whom each person has blocked."""

reports = Table(
    "reports",
    metadata,
    Column("id", Text, primary_key=True),
    Column("person", Text, nullable=False, index=True),
    Column("other", Text, nullable=False, index=True),
    Column("game", Text, nullable=False, server_default=""),
    Column("reason", Text, nullable=False),
    Column("made", Double, nullable=False, index=True),
)
"""Reports to the host: `person` about `other`, perhaps at a table."""

invitations = Table(
    "invitations",
    metadata,
    Column("person", Text, nullable=False),
    Column("game", Text, nullable=False, index=True),
    Column("sender", Text, nullable=False, index=True),
    Column("made", Double, nullable=False, index=True),
    PrimaryKeyConstraint("person", "game"),
)
"""Invitations of a person to a free seat of a table, by a person who follows them; `links` are for anybody."""

one_time_links = Table(
    "one_time_links",
    metadata,
    Column("hash", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("person", Text, nullable=False, server_default="", index=True),
    Column("made", Double, nullable=False),
    Column("ends", Double, nullable=False, index=True),
)
"""Links that the host hands out, stored as digests: an `invitation` to sign up, or a new `password` for a person.

`person` of an invitation is the guest who has used it; empty before that.
"""

identities = Table(
    "identities",
    metadata,
    Column("issuer", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("person", Text, nullable=False, index=True),
    Column("made", Double, nullable=False),
    PrimaryKeyConstraint("issuer", "subject"),
)
"""Accounts elsewhere (OpenID Connect) with which members log in."""

audit = Table(
    "audit",
    metadata,
    Column("id", Text, primary_key=True),
    Column("made", Double, nullable=False, index=True),
    Column("moderator", Text, nullable=False, index=True),
    Column("act", Text, nullable=False),
    Column("person", Text, nullable=False, server_default="", index=True),
    Column("game", Text, nullable=False, server_default=""),
    Column("details", Text, nullable=False, server_default=""),
)
"""What moderators and the host did about people and tables; `moderator` is empty for a command of the host."""

secrets = Table(
    "secrets",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", LargeBinary, nullable=False),
)
"""Secret keys that all workers share."""

reviews = Table(
    "reviews",
    metadata,
    Column("id", Text, primary_key=True),
    Column("record", Text, nullable=False),
    Column("total", Integer, nullable=False),
    Column("done", Integer, nullable=False),
    Column("found", Text, nullable=False),
    Column("report", Text),
    Column("failed", Boolean, nullable=False),
    Column("made", Double, nullable=False),
    Index("reviews_by_date", "made"),
)
"""Reviews by the coach: `done` of `total` acts are reviewed, and kept in `found` until the report is complete.

`id` is that of the game, or made from an uploaded record; the record contains no names.
"""

daily_tries = Table(
    "daily_tries",
    metadata,
    Column("day", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("person", Text, nullable=False),
    Column("game", Text, nullable=False, unique=True),
    Column("member", Boolean, nullable=False),
    Column("started", Double, nullable=False),
    Column("ended", Double),
    Column("place", Integer),
    Column("score", Integer),
    Column("other", Integer),
    Column("margin", Integer),
    Column("counts", Boolean, nullable=False, server_default="0"),
    PrimaryKeyConstraint("day", "title", "person"),
    Index("daily_tries_by_person", "person", "day"),
    Index("daily_tries_in_order", "day", "title", "counts", "place", "margin"),
)
"""The one try of each person at each daily deal, and its result once the game is over.

`member`: whether it was begun by a member; tries of guests are not ranked. `other` is the score of the bot; `margin` is
by how much the player won, negative for a loss. `counts`: it is ranked.
"""

events = Table(
    "events",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("creator", Text, nullable=False, server_default=""),
    Column("title", Text, nullable=False),
    Column("rules", Text, nullable=False),
    Column("pace", Text, nullable=False),
    Column("format", Text, nullable=False),
    Column("duplicate", Boolean, nullable=False),
    Column("fill", Text, nullable=False),
    Column("seats", Integer, nullable=False),
    Column("rounds", Integer, nullable=False),
    Column("most", Integer, nullable=False),
    Column("members", Boolean, nullable=False),
    Column("made", Double, nullable=False),
    Column("starts", Double, nullable=False),
    Column("state", Text, nullable=False),
    Column("round", Integer, nullable=False, server_default="0"),
    Column("seed", Text, nullable=False),
    Column("ended", Double),
    Column("due", Double),
    Column("leased", Double, nullable=False, server_default="0"),
    Column("worker", Text, nullable=False, server_default=""),
    Column("club", Text, nullable=False, server_default=""),
    Index("events_by_due", "due", **where("due IS NOT NULL")),
    Index("events_by_state", "state", "starts"),
    Index("events_by_creator", "creator", "state"),
)
"""Tournaments and leagues. `state` goes from `open` over `running` to `over`, or to `cancelled`.

`seed` draws the lots; it is no secret once the event has started. `due` is when a worker must look at the event next;
null if it never must again. A worker that does holds a lease until `leased`. An event of a `club` is for its members.
"""

event_entrants = Table(
    "event_entrants",
    metadata,
    Column("event", Text, nullable=False),
    Column("person", Text, nullable=False),
    Column("first", Integer, nullable=False),
    Column("last", Integer),
    Column("joined", Double, nullable=False),
    PrimaryKeyConstraint("event", "person"),
    Index("event_entrants_by_person", "person"),
)
"""The players of an event, each from round `first` until before round `last`. A bot of the server is `bot:LEVEL:N`."""

event_tables = Table(
    "event_tables",
    metadata,
    Column("event", Text, nullable=False),
    Column("round", Integer, nullable=False),
    Column("number", Integer, nullable=False),
    Column("game", Text, nullable=False),
    Column("players", Text, nullable=False),
    Column("settled", Boolean, nullable=False, server_default="0"),
    Column("void", Boolean, nullable=False, server_default="0"),
    PrimaryKeyConstraint("event", "round", "number"),
)
"""The tables of a round, and its byes, which have no game. `players` are the entrants by seat, as JSON.

All rows of a round are written in one transaction, so a round exists once or not at all. Outcomes are not stored here:
they are those in `results`, where each seat of a game has one row. `settled`: everybody has moved or was replaced.
`void`: the game was not over when the time of the round was; it counts as a tie.
"""

clubs = Table(
    "clubs",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("about", Text, nullable=False, server_default=""),
    Column("owner", Text, nullable=False),
    Column("is_open", Boolean, nullable=False),
    Column("link", Text, nullable=False, server_default=""),
    Column("made", Double, nullable=False),
    Index("clubs_by_owner", "owner"),
    Index("clubs_open", "is_open", "made"),
)
"""Clubs. `link` is the digest of the secret by which people join a club that is not open; empty if there is no link."""

club_members = Table(
    "club_members",
    metadata,
    Column("club", Text, nullable=False),
    Column("person", Text, nullable=False),
    Column("joined", Double, nullable=False),
    PrimaryKeyConstraint("club", "person"),
    Index("club_members_by_person", "person"),
)
"""The members of clubs; the owner of a club is one of them."""

schedules = Table(
    "schedules",
    metadata,
    Column("id", Text, primary_key=True),
    Column("club", Text, nullable=False, server_default=""),
    Column("terms", Text, nullable=False),
    Column("weekday", Integer, nullable=False),
    Column("minute", Integer, nullable=False),
    Column("made", Double, nullable=False),
    Column("due", Double, nullable=False),
    Index("schedules_by_due", "due"),
    Index("schedules_by_club", "club"),
)
"""Events that repeat every week, of the host or of a club.

`terms` are those of each event, as JSON; `weekday` 0 is Monday, `minute` is that of the day, in UTC; `due` is when the
next event is made.
"""

# Partial indexes for the few rows that are queried again and again. PostgreSQL and SQLite use one only if the query has
# the same literal constants, so queries must use these conditions.

UNRECORDED = (games.c.status == literal_column("'over'")) & ~games.c.recorded
"""Finished games whose results are not written yet."""

CORRESPONDENCE = (games.c.status == literal_column("'playing'")) & (games.c.pace == literal_column("'days'"))
"""Correspondence games in progress."""

OF_A_MATCH = games.c.match != literal_column("''")
"""Tables of a match."""

FIRST_SEAT = results.c.seat == literal_column("0")
"""One result of each game."""

UNSEALED = (games.c.status == literal_column("'over'")) & (games.c.sealed_to < games.c.number)
"""Finished games with entries that are not sealed."""

REVIEW_UNFINISHED = reviews.c.report.is_(None) & ~reviews.c.failed
"""Reviews that are waiting or in progress."""

NEWS_UNFINISHED = news.c.done.is_(None)
"""News that wait or are being sent."""

OF_A_CLUB = events.c.club != literal_column("''")
"""Events of clubs."""

Index("games_unrecorded", games.c.touched, games.c.id, **where(UNRECORDED))
Index("games_correspondence", games.c.touched, games.c.id, **where(CORRESPONDENCE))
Index("games_by_deadline", games.c.deadline, **where(games.c.deadline.is_not(None)))
Index("games_by_match", games.c.match, **where(OF_A_MATCH))
Index("games_unsealed", games.c.touched, games.c.id, **where(UNSEALED))
Index("results_by_day", results.c.ended, **where(FIRST_SEAT))
Index("reviews_unfinished", reviews.c.made, **where(REVIEW_UNFINISHED))
Index("news_unfinished", news.c.channel, **where(NEWS_UNFINISHED))
Index("events_by_club", events.c.club, events.c.starts, **where(OF_A_CLUB))
Index("event_tables_by_game", event_tables.c.game, **where(event_tables.c.game != literal_column("''")))
