"""SQL queries on a data set with DuckDB, without a server.

pip install duckdb
tessella dataset azul 3 3 --games 200 --judge 5 --out azul.parquet
python examples/read_games.py azul.parquet        # or a pattern: 'games/*.parquet'
"""

import sys

import duckdb

ENDS = "SELECT game, seat, any_value(score) AS score, any_value(reward) AS reward FROM decisions GROUP BY game, seat"
QUESTIONS = {
    "How do games end?": "SELECT count(DISTINCT game) AS games, avg(score) AS points, max(score) AS most FROM ends",
    "Does the seat that moves first win more often?": """
        SELECT avg((reward + 1) / 2) AS win_share FROM ends
        JOIN (SELECT game, seat FROM decisions WHERE number = 0) USING (game, seat)""",
    "Which lines do tiles go to?": """
        SELECT move[3] AS line, count(*) AS moves, avg(reward) AS reward
        FROM decisions GROUP BY line ORDER BY line""",
}
ANNOTATED = {
    "How often does the annotator agree, and how good is its forecast?": """
        SELECT avg((action = best)::INT) AS agrees, corr(value, reward) AS forecast FROM decisions""",
}


def main():
    """Run every query; DuckDB finds the tables below by the names of the variables."""
    decisions = duckdb.read_parquet(sys.argv[1])
    ends = duckdb.query(ENDS)
    for question, query in (QUESTIONS | (ANNOTATED if "best" in decisions.columns else {})).items():
        print(f"\n{question}")
        print(duckdb.query(query))
    print(f"\n{len(decisions):,} decisions, {len(ends):,} results")


if __name__ == "__main__":
    main()
