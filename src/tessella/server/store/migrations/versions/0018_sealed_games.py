"""Finished games in one row each: the columns of a sealed log, the function that seals, fewer indexes of results."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"

UNSEALED = "status = 'over' AND sealed_to < number"
SEAL = """
CREATE FUNCTION tessella_seal(
  wanted text, upto integer, known bytea, called text, packed bytea, revealed bytea
) RETURNS integer LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT
AS $$
DECLARE
  stored bytea;
BEGIN
  PERFORM FROM games g
  WHERE g.id = wanted AND g.number = upto AND g.sealed_to < upto AND g.status = 'over' AND g.recorded
  FOR UPDATE;
  IF NOT FOUND THEN
    RETURN 0;
  END IF;
  SELECT sha256(convert_to(coalesce(g.names, ''), 'UTF8') || coalesce((
    SELECT string_agg(convert_to(e.body, 'UTF8') || float8send(e.at), ''::bytea ORDER BY e.number)
    FROM entries e WHERE e.game = wanted
  ), ''::bytea)) INTO stored FROM games g WHERE g.id = wanted;
  IF stored <> known THEN
    RETURN 0;
  END IF;
  UPDATE games g SET sealed_to = upto, names = called, sealed = packed WHERE g.id = wanted;
  DELETE FROM entries e WHERE e.game = wanted;
  DELETE FROM seats s USING results r WHERE s.game = wanted AND r.game = s.game AND r.seat = s.seat;
  DELETE FROM seeds s WHERE s.game = wanted AND s.seed = revealed;
  RETURN 1;
END
$$
"""
SEAL_SIGNATURE = "tessella_seal(text, integer, bytea, text, bytea, bytea)"
STRIKE = """
CREATE OR REPLACE FUNCTION tessella_strike(wanted text, entry integer, instead text)
RETURNS integer LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT
AS $$
BEGIN
  PERFORM FROM games g WHERE g.id = wanted FOR UPDATE;
  UPDATE entries e SET body = jsonb_set(e.body::jsonb, '{name}', to_jsonb(instead))::text
  WHERE e.game = wanted AND e.number = entry AND e.body::jsonb ->> 'type' = 'sat';
  IF FOUND THEN
    RETURN 1;
  END IF;
  UPDATE games g SET names = jsonb_set(g.names::jsonb, ARRAY[entry::text], to_jsonb(instead))::text
  WHERE g.id = wanted AND g.sealed_to >= entry AND jsonb_exists(g.names::jsonb, entry::text);
  RETURN CASE WHEN FOUND THEN 1 END;
END
$$
"""
STRIKE_BEFORE = """
CREATE OR REPLACE FUNCTION tessella_strike(wanted text, entry integer, instead text)
RETURNS integer LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT
AS $$
  UPDATE entries e SET body = jsonb_set(e.body::jsonb, '{name}', to_jsonb(instead))::text
  WHERE e.game = wanted AND e.number = entry AND e.body::jsonb ->> 'type' = 'sat'
  RETURNING 1
$$
"""
REMOVE = """
CREATE OR REPLACE FUNCTION tessella_remove(wanted text, before double precision)
RETURNS integer LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT
AS $$
  WITH gone AS (
    DELETE FROM games g WHERE g.id = wanted AND g.status = 'closed' AND g.match = '' AND g.touched < before{unsealed}
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


def upgrade() -> None:
    """Add the columns, replace two indexes by smaller ones, and let workers seal on PostgreSQL."""
    op.add_column("games", sa.Column("sealed_to", sa.Integer(), server_default="-1", nullable=False))
    op.add_column("games", sa.Column("names", sa.Text()))
    op.add_column("games", sa.Column("sealed", sa.LargeBinary()))
    _create_index("games_unsealed", "games", ["touched", "id"], UNSEALED)
    op.drop_index("results_rated", "results")
    op.drop_index("results_by_day", "results")
    _create_index("results_by_day", "results", ["ended"], "seat = 0")
    if op.get_bind().dialect.name == "postgresql":
        op.execute(SEAL)
        op.execute(f"REVOKE EXECUTE ON FUNCTION {SEAL_SIGNATURE} FROM PUBLIC")
        op.execute(STRIKE)
        op.execute(REMOVE.format(unsealed=" AND g.sealed_to < 0"))


def downgrade() -> None:
    """Take it away again, unless a game is sealed: its log would be lost."""
    if op.get_bind().execute(sa.text("SELECT 1 FROM games WHERE sealed_to >= 0 LIMIT 1")).first():
        raise RuntimeError(
            "some games are sealed, and the previous revision cannot read them: restore a backup instead"
        )
    if op.get_bind().dialect.name == "postgresql":
        op.execute(REMOVE.format(unsealed=""))
        op.execute(STRIKE_BEFORE)
        op.execute(f"DROP FUNCTION {SEAL_SIGNATURE}")
    op.drop_index("results_by_day", "results")
    op.create_index("results_by_day", "results", ["ended", "game"])
    _create_index("results_rated", "results", ["person", "ended"], "nth IS NOT NULL")
    op.drop_index("games_unsealed", "games")
    with op.batch_alter_table("games", schema=None) as batch_op:
        for name in ("sealed", "names", "sealed_to"):
            batch_op.drop_column(name)


def _create_index(name: str, table: str, columns: list[str], condition: str) -> None:
    where = sa.text(condition)
    op.create_index(name, table, columns, postgresql_where=where, sqlite_where=where)
