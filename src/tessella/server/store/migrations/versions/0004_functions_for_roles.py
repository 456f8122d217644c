"""What a worker may do with seeds and logs though it may not touch their tables: PostgreSQL only (see store.roles)."""

from alembic import op

revision = "0004"
down_revision = "0003"

SEED = """
CREATE FUNCTION tessella_seed(wanted text) RETURNS bytea LANGUAGE sql STABLE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$ SELECT s.seed FROM seeds s WHERE s.game = wanted $$
"""
STRIKE = """
CREATE FUNCTION tessella_strike(wanted text, entry integer, instead text) RETURNS integer LANGUAGE sql SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
  UPDATE entries e SET body = jsonb_set(e.body::jsonb, '{name}', to_jsonb(instead))::text
  WHERE e.game = wanted AND e.number = entry AND e.body::jsonb ->> 'type' = 'sat'
  RETURNING 1
$$
"""
BOTH = "tessella_seed(text), tessella_strike(text, integer, text)"


def upgrade() -> None:
    """One seed at a time, and one name struck from a log."""
    if op.get_bind().dialect.name == "postgresql":
        for statement in (SEED, STRIKE, f"REVOKE EXECUTE ON FUNCTION {BOTH} FROM PUBLIC"):
            op.execute(statement)


def downgrade() -> None:
    """Drop both."""
    if op.get_bind().dialect.name == "postgresql":
        op.execute(f"DROP FUNCTION {BOTH}")
