"""Lists of tables from indexes: when the game of each seat was over, and the open tables that anybody may join."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

_BACKFILL = """
UPDATE seats SET ended = (SELECT touched FROM games WHERE games.id = seats.game)
WHERE game IN (SELECT id FROM games WHERE status IN ('over', 'closed'))
"""


def upgrade() -> None:
    """Games that are over when this runs were over when something last happened there."""
    op.add_column("seats", sa.Column("ended", sa.Double()))
    op.execute(_BACKFILL)
    op.create_index("seats_by_person_and_end", "seats", ["person", "ended", "game"])
    op.drop_index("seats_by_person", "seats")
    listed = sa.text("status = 'open' AND listed")
    op.create_index("games_listed", "games", ["touched"], postgresql_where=listed, sqlite_where=listed)


def downgrade() -> None:
    """Take it away again."""
    op.drop_index("games_listed", "games")
    op.create_index("seats_by_person", "seats", ["person"])
    op.drop_index("seats_by_person_and_end", "seats")
    with op.batch_alter_table("seats", schema=None) as batch_op:
        batch_op.drop_column("ended")
