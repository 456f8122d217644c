"""The origin that a table is charged to, a fair order of jobs, and indexes by which old rows are found and removed."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

UNFINISHED = "status NOT IN ('over', 'closed')"
GUESTS = "kind = 'guest' AND member IS NULL"
REMOVE = """
CREATE FUNCTION tessella_remove(wanted text, before double precision) RETURNS integer LANGUAGE sql SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
  WITH gone AS (
    DELETE FROM games g WHERE g.id = wanted AND g.status = 'closed' AND g.match = '' AND g.touched < before
    AND NOT EXISTS (SELECT FROM entries e WHERE e.game = g.id AND e.body::jsonb ->> 'type' = 'started')
    RETURNING g.id
  ), log AS (
    DELETE FROM entries e USING gone WHERE e.game = gone.id
  ), seed AS (
    DELETE FROM seeds s USING gone WHERE s.game = gone.id
  )
  SELECT count(*)::integer FROM gone
$$
"""
SIGNATURE = "tessella_remove(text, double precision)"


def upgrade() -> None:
    """Only add, but for an index that no query needs any more."""
    with op.batch_alter_table("games", schema=None) as batch_op:
        batch_op.add_column(sa.Column("creator", sa.Text(), server_default="", nullable=False))
        batch_op.add_column(sa.Column("origin", sa.Text(), server_default="", nullable=False))
    with op.batch_alter_table("jobs", schema=None) as batch_op:
        batch_op.add_column(sa.Column("due", sa.Double(), server_default="0", nullable=False))
        batch_op.add_column(sa.Column("owner", sa.Text(), server_default="", nullable=False))
        batch_op.add_column(sa.Column("attempts", sa.Integer(), server_default="0", nullable=False))
        batch_op.drop_index("jobs_by_priority")
        batch_op.create_index("jobs_by_due", ["kind", "due"], unique=False)
        batch_op.create_index("jobs_by_owner", ["owner"], unique=False)
    with op.batch_alter_table("links", schema=None) as batch_op:
        batch_op.create_index("links_by_game", ["game"], unique=False)
    with op.batch_alter_table("sessions", schema=None) as batch_op:
        batch_op.create_index("sessions_by_end", ["ends"], unique=False)
    for name in ("creator", "origin"):
        condition = sa.text(f"{UNFINISHED} AND {name} <> ''")
        op.create_index(f"games_by_{name}", "games", [name], postgresql_where=condition, sqlite_where=condition)
    guests = sa.text(GUESTS)
    op.create_index("guests_by_date", "people", ["made", "id"], postgresql_where=guests, sqlite_where=guests)
    if op.get_bind().dialect.name == "postgresql":
        op.execute(REMOVE)
        op.execute(f"REVOKE EXECUTE ON FUNCTION {SIGNATURE} FROM PUBLIC")


def downgrade() -> None:
    """Take it all away again."""
    if op.get_bind().dialect.name == "postgresql":
        op.execute(f"DROP FUNCTION {SIGNATURE}")
    for name, table in (
        ("guests_by_date", "people"),
        ("games_by_origin", "games"),
        ("games_by_creator", "games"),
        ("sessions_by_end", "sessions"),
        ("links_by_game", "links"),
    ):
        op.drop_index(name, table)
    with op.batch_alter_table("jobs", schema=None) as batch_op:
        batch_op.drop_index("jobs_by_owner")
        batch_op.drop_index("jobs_by_due")
        batch_op.create_index("jobs_by_priority", ["priority", "made"], unique=False)
        for name in ("attempts", "owner", "due"):
            batch_op.drop_column(name)
    with op.batch_alter_table("games", schema=None) as batch_op:
        batch_op.drop_column("origin")
        batch_op.drop_column("creator")
