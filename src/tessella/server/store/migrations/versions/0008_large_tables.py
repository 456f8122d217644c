"""Which finished games are settled, and indexes for what is looked for in large tables."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"

IN_FILE = "UPDATE games SET settled = 1 WHERE status = 'over' AND id IN (SELECT game FROM results)"
UNFINISHED = "UPDATE games SET settled = false WHERE status <> 'over'"
UNSETTLED = """
UPDATE games SET settled = false WHERE status = 'over' AND NOT EXISTS (SELECT FROM results WHERE game = games.id)
"""


def upgrade() -> None:
    """Only add; two indexes that hold every game are made again for the few games that they are for."""
    if op.get_bind().dialect.name == "sqlite":
        op.add_column("games", sa.Column("settled", sa.Boolean(), server_default="0", nullable=False))
        op.execute(IN_FILE)
    else:
        _add_as_settled()
    _make_indexes()


def _add_as_settled() -> None:
    """Most games are settled: PostgreSQL adds "true" without touching a row, and "false" is written into the others."""
    op.add_column("games", sa.Column("settled", sa.Boolean(), server_default=sa.true(), nullable=False))
    op.execute(UNFINISHED)
    op.execute(UNSETTLED)
    op.alter_column("games", "settled", server_default="0")


def _make_indexes() -> None:
    op.drop_index("games_by_deadline", "games")
    op.drop_index("games_by_match", "games")
    _index("games_by_deadline", "games", ["deadline"], "deadline IS NOT NULL")
    _index("games_by_match", "games", ["match"], "\"match\" != ''")
    _index(
        "games_unsettled",
        "games",
        ["touched", "id"],
        "status = 'over' AND NOT settled",
        "status = 'over' AND settled = 0",
    )
    _index("games_correspondence", "games", ["touched"], "status = 'playing' AND pace = 'days'")
    _index("results_rated", "results", ["person", "ended"], "nth IS NOT NULL")
    _index("reviews_unfinished", "reviews", ["made"], "report IS NULL AND NOT failed", "report IS NULL AND failed = 0")


def _index(name: str, table: str, columns: list[str], condition: str, in_file: str = "") -> None:
    """A partial index; SQLite compares booleans with numbers, as its queries do."""
    conditions = {"postgresql_where": sa.text(condition), "sqlite_where": sa.text(in_file or condition)}
    op.create_index(name, table, columns, **conditions)  # type: ignore[arg-type]


def downgrade() -> None:
    """Take it all away again."""
    for name, table in (
        ("reviews_unfinished", "reviews"),
        ("results_rated", "results"),
        ("games_correspondence", "games"),
        ("games_unsettled", "games"),
        ("games_by_match", "games"),
        ("games_by_deadline", "games"),
    ):
        op.drop_index(name, table)
    with op.batch_alter_table("games", schema=None) as batch_op:
        batch_op.drop_column("settled")
    op.create_index("games_by_match", "games", ["match"], unique=False)
    op.create_index("games_by_deadline", "games", ["deadline"], unique=False)
