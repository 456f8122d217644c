"""Since when each worker has been there: so it is known when there was none."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Workers of before do not say it: they count as if they had always been there."""
    with op.batch_alter_table("beats", schema=None) as batch_op:
        batch_op.add_column(sa.Column("since", sa.Double(), server_default="0", nullable=False))


def downgrade() -> None:
    """Drop the column."""
    with op.batch_alter_table("beats", schema=None) as batch_op:
        batch_op.drop_column("since")
