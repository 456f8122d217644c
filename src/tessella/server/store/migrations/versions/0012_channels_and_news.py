"""Channels for news of turns, and the news; the browsers that were subscribed become channels.

Workers of the version before find no subscription any more, so no browser gets a message twice while versions change.
"""

from secrets import token_urlsafe
from urllib.parse import urlsplit

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"

PAGE_ROWS = 1_000

_pushes = sa.table(
    "pushes",
    *(sa.column(name) for name in ("endpoint", "person", "session", "point", "auth", "language", "site")),
    *(sa.column(name, sa.Double) for name in ("made", "sent")),
)


def upgrade() -> None:
    """Make both tables and move the browsers."""
    made = _make_channels()
    _make_news()
    bind = op.get_bind()
    while rows := bind.execute(sa.select(_pushes).limit(PAGE_ROWS)).mappings().all():
        bind.execute(made.insert(), [_channel(row) for row in rows])
        bind.execute(_pushes.delete().where(_pushes.c.endpoint.in_([row["endpoint"] for row in rows])))


def _channel(row: sa.RowMapping) -> dict[str, object]:
    same = {name: row[name] for name in ("person", "session", "language", "site", "made", "sent")}
    return {
        **same,
        "id": "n" + token_urlsafe(12),
        "kind": "push",
        "address": row["endpoint"],
        "secret": f"{row['point']}.{row['auth']}",
        "receiver": urlsplit(row["endpoint"]).netloc,
        "confirmed": row["made"],
        "turns": True,
    }


def _make_channels() -> sa.Table:
    made = op.create_table(
        "channels",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("session", sa.Text(), server_default="", nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("secret", sa.Text(), server_default="", nullable=False),
        sa.Column("receiver", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("site", sa.Text(), nullable=False),
        sa.Column("made", sa.Double(), nullable=False),
        sa.Column("confirmed", sa.Double()),
        sa.Column("turns", sa.Boolean(), nullable=False),
        sa.Column("reminder_hours", sa.Double(), server_default="0", nullable=False),
        sa.Column("digest_minutes", sa.Double(), server_default="0", nullable=False),
        sa.Column("quiet_from", sa.Integer()),
        sa.Column("quiet_until", sa.Integer()),
        sa.Column("zone", sa.Text(), server_default="UTC", nullable=False),
        sa.Column("sent", sa.Double(), server_default="0", nullable=False),
        sa.Column("message", sa.Text(), server_default="", nullable=False),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("in_flight", sa.Boolean(), server_default="0", nullable=False),
        sa.Column("failures", sa.Integer(), server_default="0", nullable=False),
        sa.Column("due", sa.Double()),
        sa.Column("leased", sa.Double(), server_default="0", nullable=False),
        sa.Column("worker", sa.Text(), server_default="", nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    for column in ("person", "session", "address"):
        op.create_index(f"ix_channels_{column}", "channels", [column])
    _index("channels_by_due", "channels", ["due"], "due IS NOT NULL")
    _index("channels_by_receiver", "channels", ["receiver", "due"], "due IS NOT NULL")
    return made


def _make_news() -> None:
    op.create_table(
        "news",
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("due", sa.Double(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("done", sa.Double()),
        sa.Column("reason", sa.Text(), server_default="", nullable=False),
        sa.PrimaryKeyConstraint("channel", "kind", "game", "number"),
    )
    op.create_index("ix_news_person", "news", ["person"])
    _index("news_by_end", "news", ["done"], "done IS NOT NULL")
    _index("news_unfinished", "news", ["channel"], "done IS NULL")


def _index(name: str, table: str, columns: list[str], condition: str) -> None:
    op.create_index(name, table, columns, postgresql_where=sa.text(condition), sqlite_where=sa.text(condition))


def downgrade() -> None:
    """Drop both; browsers subscribe again at their next visit."""
    op.drop_table("news")
    op.drop_table("channels")
