"""Whom people follow and block, reports to the host, invitations between friends, and the rematches of a game."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"

WATCHABLE = "status = 'playing' AND match = '' AND (listed OR rated)"


def upgrade() -> None:
    """Make four tables and one column."""
    for name in ("follows", "blocks"):
        op.create_table(
            name,
            sa.Column("person", sa.Text(), nullable=False),
            sa.Column("other", sa.Text(), nullable=False),
            sa.Column("made", sa.Double(), nullable=False),
            sa.PrimaryKeyConstraint("person", "other"),
        )
        op.create_index(f"ix_{name}_other", name, ["other"])
    op.create_table(
        "reports",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("other", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), server_default="", nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("made", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    for column in ("person", "other", "made"):
        op.create_index(f"ix_reports_{column}", "reports", [column])
    op.create_table(
        "invitations",
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("sender", sa.Text(), nullable=False),
        sa.Column("made", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("person", "game"),
    )
    for column in ("game", "sender", "made"):
        op.create_index(f"ix_invitations_{column}", "invitations", [column])
    op.add_column("games", sa.Column("previous", sa.Text(), server_default="", nullable=False))
    condition = sa.text(WATCHABLE)
    op.create_index("games_watchable", "games", ["touched"], postgresql_where=condition, sqlite_where=condition)


def downgrade() -> None:
    """Drop them."""
    op.drop_index("games_watchable", "games")
    op.drop_column("games", "previous")
    for name in ("invitations", "reports", "blocks", "follows"):
        op.drop_table(name)
