"""Correspondence games in the order in which they are read, so that a page of them is read without sorting them all."""

from alembic import op
from sqlalchemy import text

revision = "0011"
down_revision = "0010"

IN_PROGRESS = text("status = 'playing' AND pace = 'days'")


def upgrade() -> None:
    """Index the games by their last move and their id."""
    op.drop_index("games_correspondence", "games")
    _index("touched", "id")


def downgrade() -> None:
    """Index the games by their last move alone."""
    op.drop_index("games_correspondence", "games")
    _index("touched")


def _index(*columns: str) -> None:
    op.create_index(
        "games_correspondence", "games", list(columns), postgresql_where=IN_PROGRESS, sqlite_where=IN_PROGRESS
    )
