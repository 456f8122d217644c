"""The tables of the database. Every row of a game starts with the game's id, so games can be spread by it."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
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
)

metadata = MetaData()

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
    Index("games_by_status", "status", "touched"),
    Index("games_by_deadline", "deadline"),
    Index("games_by_match", "match"),
)
"""One row a game: where it stands. Kept with the log in one statement; the log is the truth."""

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
"""The logs of all tables: appended to, never changed."""

seeds = Table(
    "seeds",
    metadata,
    Column("game", Text, primary_key=True),
    Column("seed", LargeBinary, nullable=False),
)
"""The seed of each game, apart from everything else."""

seats = Table(
    "seats",
    metadata,
    Column("game", Text, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("person", Text, nullable=False),
    PrimaryKeyConstraint("game", "seat"),
    Index("seats_by_person", "person"),
)
"""Who sits where: to find one's games."""

departures = Table(
    "departures",
    metadata,
    Column("game", Text, nullable=False),
    Column("person", Text, nullable=False, index=True),
    PrimaryKeyConstraint("game", "person"),
)
"""Who got up from a table before its game: the log still knows the name."""

links = Table(
    "links",
    metadata,
    Column("hash", Text, primary_key=True),
    Column("game", Text, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("used", Boolean, nullable=False, server_default="0"),
)
"""Invitations to one seat each, kept as digests."""

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
    Index("jobs_by_priority", "priority", "made"),
)
"""Games in which a bot is to move, and those that the coach is to look at (kind `review`)."""

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
)
"""Guests, members and bots. `member` is who a guest turned out to be, `owner` whose bot it is."""

passkeys = Table(
    "passkeys",
    metadata,
    Column("id", LargeBinary, primary_key=True),
    Column("person", Text, nullable=False, index=True),
    Column("public_key", LargeBinary, nullable=False),
    Column("uses", BigInteger, nullable=False),
    Column("made", Double, nullable=False),
)
"""Keys by which members log in without a password."""

challenges = Table(
    "challenges",
    metadata,
    Column("id", Text, primary_key=True),
    Column("challenge", LargeBinary, nullable=False),
    Column("person", Text, nullable=False),
    Column("ends", Double, nullable=False, index=True),
)
"""What a passkey must sign, for a few minutes; `person` is empty for a log-in."""

sessions = Table(
    "sessions",
    metadata,
    Column("hash", Text, primary_key=True),
    Column("person", Text, nullable=False, index=True),
    Column("kind", Text, nullable=False),
    Column("made", Double, nullable=False),
    Column("ends", Double, nullable=False),
    Column("label", Text, nullable=False, server_default=""),
)
"""Cookies and API tokens, kept as digests."""

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
    Index("waiting_by_wish", "title", "seats", "pace", "game", "since"),
    Index("waiting_by_game", "game"),
)
"""Who waits to be paired, for what, and the game that was found."""

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
    Index("results_by_day", "ended"),
)
"""How games ended, a row a seat; without a place if aborted. `nth`, `mu`, `sigma`: the person's rating after it.

A rated game is the person's nth of its kind, and nobody has two nths: so two workers cannot both build on the same
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
    PrimaryKeyConstraint("person", "title", "seats"),
    Index("ratings_by_strength", "title", "seats", "strength"),
)
"""The rating of each person now, for each game and number of players."""

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
"""What each seat has brought beyond what the ratings promised, summed over rated games."""

beats = Table(
    "beats",
    metadata,
    Column("worker", Text, primary_key=True),
    Column("at", Double, nullable=False),
    Column("since", Double, nullable=False, server_default="0"),
)
"""The last sign of life of each worker, and the first; 0 if that is not known."""

outages = Table(
    "outages",
    metadata,
    Column("began", Double, primary_key=True),
    Column("ended", Double, nullable=False),
)
"""When no worker was there; such time is nobody's."""

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
"""Browsers that want to hear of their owners' turns, each as long as its session lasts; `sent`: when they last did."""

secrets = Table(
    "secrets",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", LargeBinary, nullable=False),
)
"""What all workers share and nobody else knows."""

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
"""What the coach found in games: so many acts of all are done, `found` has them until the report is whole.

`id` is the game's, or made from a record that somebody brought; the record names nobody.
"""
