"""Clubs, their members, and events that repeat every week."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    """Make the three tables; an event may belong to a club."""
    op.create_table(
        "clubs",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("about", sa.Text(), server_default="", nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("is_open", sa.Boolean(), nullable=False),
        sa.Column("link", sa.Text(), server_default="", nullable=False),
        sa.Column("made", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("clubs_by_owner", "clubs", ["owner"])
    op.create_index("clubs_open", "clubs", ["is_open", "made"])
    op.create_table(
        "club_members",
        sa.Column("club", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("joined", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("club", "person"),
    )
    op.create_index("club_members_by_person", "club_members", ["person"])
    op.create_table(
        "schedules",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("club", sa.Text(), server_default="", nullable=False),
        sa.Column("terms", sa.Text(), nullable=False),
        sa.Column("weekday", sa.Integer(), nullable=False),
        sa.Column("minute", sa.Integer(), nullable=False),
        sa.Column("made", sa.Double(), nullable=False),
        sa.Column("due", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("schedules_by_due", "schedules", ["due"])
    op.create_index("schedules_by_club", "schedules", ["club"])
    op.add_column("events", sa.Column("club", sa.Text(), server_default="", nullable=False))
    of_a_club = sa.text("club != ''")
    op.create_index("events_by_club", "events", ["club", "starts"], postgresql_where=of_a_club, sqlite_where=of_a_club)


def downgrade() -> None:
    """Drop all three; events of clubs stay."""
    op.drop_index("events_by_club", "events")
    op.drop_column("events", "club")
    for name in ("schedules", "club_members", "clubs"):
        op.drop_table(name)
