"""Plain names: heartbeats, recorded results, and the player in a log.

It renames what older workers use, so they stop when it runs.
"""

import sqlalchemy as sa
from alembic import op

revision = "0009_since_0009"
down_revision = "0008"

TERMS = ["title", "seats", "pace", "game", "since"]

_entries = sa.table("entries", sa.column("body", sa.Text))


def upgrade() -> None:
    """Rename a table, a column, two indexes, and a field of the entries that seat a player."""
    op.drop_index("games_unsettled", "games")
    op.execute("ALTER TABLE games RENAME COLUMN settled TO recorded")
    _index_unfinished("games_unrecorded", "recorded")
    _rename_heartbeats("beats", "heartbeats")
    op.drop_index("waiting_by_wish", "waiting")
    op.create_index("waiting_by_terms", "waiting", TERMS)
    _rename_player("who", "player")


def downgrade() -> None:
    """Give everything its former name."""
    _rename_player("player", "who")
    op.drop_index("waiting_by_terms", "waiting")
    op.create_index("waiting_by_wish", "waiting", TERMS)
    _rename_heartbeats("heartbeats", "beats")
    op.drop_index("games_unrecorded", "games")
    op.execute("ALTER TABLE games RENAME COLUMN recorded TO settled")
    _index_unfinished("games_unsettled", "settled")


def _index_unfinished(name: str, column: str) -> None:
    """Index the finished games whose results are not written; SQLite compares booleans with numbers."""
    conditions = {
        "postgresql_where": sa.text(f"status = 'over' AND NOT {column}"),
        "sqlite_where": sa.text(f"status = 'over' AND {column} = 0"),
    }
    op.create_index(name, "games", ["touched", "id"], **conditions)  # type: ignore[arg-type]


def _rename_heartbeats(old: str, new: str) -> None:
    op.rename_table(old, new)
    if op.get_bind().dialect.name == "postgresql":
        op.execute(f"ALTER TABLE {new} RENAME CONSTRAINT {old}_pkey TO {new}_pkey")


def _rename_player(old: str, new: str) -> None:
    """Rename the key of the player's id; in a name its quotes would be escaped, so no name matches."""
    replaced = sa.func.replace(_entries.c.body, f'"{old}":', f'"{new}":')
    sits = _entries.c.body.like('%"type":%"sat"%')
    op.execute(_entries.update().where(sits).values(body=replaced))
