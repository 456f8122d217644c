"""Tournaments and leagues: events, their entrants, and the tables of their rounds."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Make the three tables."""
    op.create_table(
        "events",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("creator", sa.Text(), server_default="", nullable=False),
        *(sa.Column(name, sa.Text(), nullable=False) for name in ("title", "rules", "pace", "format")),
        sa.Column("duplicate", sa.Boolean(), nullable=False),
        sa.Column("fill", sa.Text(), nullable=False),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in ("seats", "rounds", "most")),
        sa.Column("members", sa.Boolean(), nullable=False),
        sa.Column("made", sa.Double(), nullable=False),
        sa.Column("starts", sa.Double(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("round", sa.Integer(), server_default="0", nullable=False),
        sa.Column("seed", sa.Text(), nullable=False),
        sa.Column("ended", sa.Double()),
        sa.Column("due", sa.Double()),
        sa.Column("leased", sa.Double(), server_default="0", nullable=False),
        sa.Column("worker", sa.Text(), server_default="", nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    _index("events_by_due", "events", ["due"], "due IS NOT NULL")
    op.create_index("events_by_state", "events", ["state", "starts"])
    op.create_index("events_by_creator", "events", ["creator", "state"])
    _make_entrants_and_tables()


def _make_entrants_and_tables() -> None:
    op.create_table(
        "event_entrants",
        sa.Column("event", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("first", sa.Integer(), nullable=False),
        sa.Column("last", sa.Integer()),
        sa.Column("joined", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("event", "person"),
    )
    op.create_index("event_entrants_by_person", "event_entrants", ["person"])
    op.create_table(
        "event_tables",
        sa.Column("event", sa.Text(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("players", sa.Text(), nullable=False),
        sa.Column("settled", sa.Boolean(), server_default="0", nullable=False),
        sa.Column("void", sa.Boolean(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("event", "round", "number"),
    )
    _index("event_tables_by_game", "event_tables", ["game"], "game != ''")


def _index(name: str, table: str, columns: list[str], condition: str) -> None:
    op.create_index(name, table, columns, postgresql_where=sa.text(condition), sqlite_where=sa.text(condition))


def downgrade() -> None:
    """Drop all three; games of events stay."""
    for name in ("event_tables", "event_entrants", "events"):
        op.drop_table(name)
