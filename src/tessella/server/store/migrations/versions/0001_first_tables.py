"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

TABLES = (
    "beats",
    "challenges",
    "departures",
    "entries",
    "games",
    "jobs",
    "links",
    "outages",
    "passkeys",
    "people",
    "ratings",
    "results",
    "seat_terms",
    "seats",
    "seeds",
    "sessions",
    "waiting",
)


def upgrade() -> None:
    """Make every table."""
    op.create_table(
        "beats",
        sa.Column("worker", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("worker"),
    )
    op.create_table(
        "challenges",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("challenge", sa.LargeBinary(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("ends", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("challenges", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_challenges_ends"), ["ends"], unique=False)

    op.create_table(
        "departures",
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("game", "person"),
    )
    with op.batch_alter_table("departures", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_departures_person"), ["person"], unique=False)

    op.create_table(
        "entries",
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("game", "number"),
        sa.UniqueConstraint("game", "key"),
    )
    op.create_table(
        "games",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("rules", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("movers", sa.Text(), nullable=False),
        sa.Column("deadline", sa.Double(), nullable=True),
        sa.Column("opened", sa.Double(), nullable=False),
        sa.Column("touched", sa.Double(), nullable=False),
        sa.Column("pace", sa.Text(), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("listed", sa.Boolean(), nullable=False),
        sa.Column("match", sa.Text(), server_default="", nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("games", schema=None) as batch_op:
        batch_op.create_index("games_by_deadline", ["deadline"], unique=False)
        batch_op.create_index("games_by_match", ["match"], unique=False)
        batch_op.create_index("games_by_status", ["status", "touched"], unique=False)

    op.create_table(
        "jobs",
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("priority", sa.Integer(), nullable=False),
        sa.Column("made", sa.Double(), nullable=False),
        sa.Column("leased", sa.Double(), nullable=False),
        sa.Column("worker", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("game"),
    )
    with op.batch_alter_table("jobs", schema=None) as batch_op:
        batch_op.create_index("jobs_by_priority", ["priority", "made"], unique=False)

    op.create_table(
        "links",
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("used", sa.Boolean(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("hash"),
    )
    op.create_table(
        "outages",
        sa.Column("began", sa.Double(), nullable=False),
        sa.Column("ended", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("began"),
    )
    op.create_table(
        "passkeys",
        sa.Column("id", sa.LargeBinary(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("public_key", sa.LargeBinary(), nullable=False),
        sa.Column("uses", sa.BigInteger(), nullable=False),
        sa.Column("made", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("passkeys", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_passkeys_person"), ["person"], unique=False)

    op.create_table(
        "people",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("made", sa.Double(), nullable=False),
        sa.Column("login", sa.Text(), nullable=True),
        sa.Column("password", sa.Text(), nullable=True),
        sa.Column("settings", sa.Text(), server_default="{}", nullable=False),
        sa.Column("member", sa.Text(), nullable=True),
        sa.Column("owner", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("login"),
    )
    with op.batch_alter_table("people", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_people_member"), ["member"], unique=False)
        batch_op.create_index(batch_op.f("ix_people_owner"), ["owner"], unique=False)

    op.create_table(
        "ratings",
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("seats", sa.Integer(), nullable=False),
        sa.Column("mu", sa.Double(), nullable=False),
        sa.Column("sigma", sa.Double(), nullable=False),
        sa.Column("played", sa.Integer(), nullable=False),
        sa.Column("strength", sa.Double(), sa.Computed("mu - sigma - sigma", persisted=True), nullable=True),
        sa.PrimaryKeyConstraint("person", "title", "seats"),
    )
    with op.batch_alter_table("ratings", schema=None) as batch_op:
        batch_op.create_index("ratings_by_strength", ["title", "seats", "strength"], unique=False)

    op.create_table(
        "results",
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("seats", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=True),
        sa.Column("score", sa.Integer(), nullable=True),
        sa.Column("ended", sa.Double(), nullable=False),
        sa.Column("nth", sa.Integer(), nullable=True),
        sa.Column("mu", sa.Double(), nullable=True),
        sa.Column("sigma", sa.Double(), nullable=True),
        sa.PrimaryKeyConstraint("game", "seat"),
        sa.UniqueConstraint("person", "title", "seats", "nth"),
    )
    with op.batch_alter_table("results", schema=None) as batch_op:
        batch_op.create_index("results_by_day", ["ended"], unique=False)
        batch_op.create_index("results_by_person", ["person", "ended"], unique=False)

    op.create_table(
        "seat_terms",
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("seats", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("surplus", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("title", "seats", "seat"),
    )
    op.create_table(
        "seats",
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("game", "seat"),
    )
    with op.batch_alter_table("seats", schema=None) as batch_op:
        batch_op.create_index("seats_by_person", ["person"], unique=False)

    op.create_table(
        "seeds",
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("seed", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("game"),
    )
    op.create_table(
        "sessions",
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("made", sa.Double(), nullable=False),
        sa.Column("ends", sa.Double(), nullable=False),
        sa.Column("label", sa.Text(), server_default="", nullable=False),
        sa.PrimaryKeyConstraint("hash"),
    )
    with op.batch_alter_table("sessions", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_sessions_person"), ["person"], unique=False)

    op.create_table(
        "waiting",
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("seats", sa.Integer(), nullable=False),
        sa.Column("pace", sa.Text(), nullable=False),
        sa.Column("since", sa.Double(), nullable=False),
        sa.Column("ends", sa.Double(), nullable=False),
        sa.Column("game", sa.Text(), server_default="", nullable=False),
        sa.PrimaryKeyConstraint("person"),
    )
    with op.batch_alter_table("waiting", schema=None) as batch_op:
        batch_op.create_index("waiting_by_game", ["game"], unique=False)
        batch_op.create_index("waiting_by_wish", ["title", "seats", "pace", "game", "since"], unique=False)


def downgrade() -> None:
    """Drop every table, and its indices with it."""
    for table in TABLES:
        op.drop_table(table)
