"""A ladder for bot accounts, and a queue of their own."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    """Make the two tables; everybody who waits now is a person."""
    op.create_table(
        "ladder_ratings",
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("seats", sa.Integer(), nullable=False),
        sa.Column("mu", sa.Double(), nullable=False),
        sa.Column("sigma", sa.Double(), nullable=False),
        sa.Column("played", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("person", "title", "seats"),
    )
    op.create_index("ladder_ratings_in_order", "ladder_ratings", ["title", "seats", "mu"])
    op.create_table(
        "ladder_results",
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("seats", sa.Integer(), nullable=False),
        sa.Column("ended", sa.Double(), nullable=False),
        sa.Column("nth", sa.Integer()),
        sa.Column("mu", sa.Double(), nullable=False),
        sa.Column("sigma", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("game", "seat"),
        sa.UniqueConstraint("person", "title", "seats", "nth"),
    )
    op.create_index("ladder_results_by_person", "ladder_results", ["person", "ended"])
    op.add_column("waiting", sa.Column("bots", sa.Boolean(), server_default="0", nullable=False))


def downgrade() -> None:
    """Drop both; bots that wait are not paired."""
    op.execute("DELETE FROM waiting WHERE bots")
    op.drop_column("waiting", "bots")
    op.drop_table("ladder_results")
    op.drop_table("ladder_ratings")
