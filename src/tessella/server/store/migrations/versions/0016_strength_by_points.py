"""Strength by points, beside the rating by results."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"

COLUMNS = ("points_mean", "points_variance")


def upgrade() -> None:
    """Add the estimate and its variance; they begin with the next rated game."""
    for name in COLUMNS:
        op.add_column("ratings", sa.Column(name, sa.Double))


def downgrade() -> None:
    """Remove them."""
    for name in COLUMNS:
        op.drop_column("ratings", name)
