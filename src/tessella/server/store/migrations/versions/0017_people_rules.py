"""Bans, moderators and what they do, links of the host, and accounts elsewhere."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """Add two columns and three tables."""
    op.add_column("people", sa.Column("banned", sa.Double()))
    op.add_column("people", sa.Column("moderator", sa.Boolean(), server_default="0", nullable=False))
    op.create_table(
        "one_time_links",
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), server_default="", nullable=False),
        sa.Column("made", sa.Double(), nullable=False),
        sa.Column("ends", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("hash"),
    )
    op.create_table(
        "identities",
        sa.Column("issuer", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("made", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("issuer", "subject"),
    )
    op.create_table(
        "audit",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("made", sa.Double(), nullable=False),
        sa.Column("moderator", sa.Text(), nullable=False),
        sa.Column("act", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), server_default="", nullable=False),
        sa.Column("game", sa.Text(), server_default="", nullable=False),
        sa.Column("details", sa.Text(), server_default="", nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    for table, column in INDEXES:
        op.create_index(f"ix_{table}_{column}", table, [column])


INDEXES = (
    ("one_time_links", "person"),
    ("one_time_links", "ends"),
    ("identities", "person"),
    ("audit", "made"),
    ("audit", "person"),
    ("audit", "moderator"),
)


def downgrade() -> None:
    """Drop them."""
    for name in ("audit", "identities", "one_time_links"):
        op.drop_table(name)
    op.drop_column("people", "moderator")
    op.drop_column("people", "banned")
