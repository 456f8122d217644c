"""The tries at daily deals."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "daily_tries",
        sa.Column("day", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("member", sa.Boolean(), nullable=False),
        sa.Column("started", sa.Double(), nullable=False),
        sa.Column("ended", sa.Double()),
        sa.Column("place", sa.Integer()),
        sa.Column("score", sa.Integer()),
        sa.Column("other", sa.Integer()),
        sa.Column("margin", sa.Integer()),
        sa.Column("counts", sa.Boolean(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("day", "title", "person"),
        sa.UniqueConstraint("game"),
    )
    op.create_index("daily_tries_by_person", "daily_tries", ["person", "day"])
    op.create_index("daily_tries_in_order", "daily_tries", ["day", "title", "counts", "place", "margin"])


def downgrade() -> None:
    """Drop it; the games stay."""
    op.drop_table("daily_tries")
