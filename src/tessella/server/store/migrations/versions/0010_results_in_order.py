"""The results of a day in the order of the archive, so that a page of it is read without sorting the day."""

from alembic import op

revision = "0010"
down_revision = "0009_since_0009"


def upgrade() -> None:
    """Index the results by their end and their game."""
    op.drop_index("results_by_day", "results")
    op.create_index("results_by_day", "results", ["ended", "game"])


def downgrade() -> None:
    """Index the results by their end alone."""
    op.drop_index("results_by_day", "results")
    op.create_index("results_by_day", "results", ["ended"])
