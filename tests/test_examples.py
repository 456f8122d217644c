"""The examples run, each on a budget of seconds; one that needs a package which is not installed says so."""

import ast
import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"
NEEDS = {"ppo.py": "sb3_contrib", "read_games.py": "duckdb"}
"""The packages that some of them need beside ours; where they are missing, the skip names them."""


def run(name, *arguments, cwd, module=False, **environment):
    if NEEDS.get(name) and not find_spec(NEEDS[name]):
        pytest.skip(f"NOT RUN: examples/{name} needs {NEEDS[name]}, which is not installed")
    program = ["-m", name] if module else [str(EXAMPLES / name)]
    done = subprocess.run(
        [sys.executable, *program, *map(str, arguments)],
        cwd=cwd,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def dataset(folder, *arguments):
    run("tessella", "dataset", "azul", *arguments, "--out", "azul.parquet", cwd=folder, module=True)
    return folder / "azul.parquet"


def test_every_example_is_run_here():
    tested = Path(__file__).read_text()
    names = {file.name for file in EXAMPLES.iterdir() if file.suffix in (".py", ".ipynb")}
    assert names
    assert all(f'"{name}"' in tested for name in names)


def test_agents_the_greedy_one_wins(tmp_path):
    assert "won 4 of 4 games" in run("agents.py", "--games", 4, cwd=tmp_path)


def test_a_table_of_values_comes_to_the_exact_answer(tmp_path):
    said = run("tabular.py", cwd=tmp_path)
    assert "greatest error 0.0" in said


def test_a_policy_is_learned_from_a_data_set_and_plays_in_the_arena(tmp_path):
    file = dataset(tmp_path, "3", "3", "--games", "20")
    assert "the policy is in policy.npz" in run("imitate.py", file, "--epochs", 2, cwd=tmp_path)
    path = os.pathsep.join([str(EXAMPLES), *sys.path])
    arena = ["arena", "azul", "imitate:player", "random", "--games", 4]
    said = run("tessella", *arena, cwd=tmp_path, module=True, PYTHONPATH=path, POLICY="policy.npz")
    assert "imitate:player" in said
    assert "forfeit" not in said


def test_ppo_learns_a_little(tmp_path):
    said = run("ppo.py", "--steps", 256, "--games", 2, cwd=tmp_path)
    assert "after 256 steps" in said
    assert (tmp_path / "ppo.zip").stat().st_size > 10_000


def test_self_play_is_the_same_here_and_in_other_processes(tmp_path):
    for jobs in (1, 2):
        run("selfplay.py", "--games", 60, "--level", "random", "--jobs", jobs, "--out", f"games{jobs}", cwd=tmp_path)
    one, two = ({file.name: file.read_bytes() for file in (tmp_path / f"games{jobs}").iterdir()} for jobs in (1, 2))
    assert set(one) == {"azul-000000.parquet", "azul-000050.parquet"}
    assert one == two


def test_self_play_on_ray(tmp_path):
    alone = {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0", "RAY_USAGE_STATS_ENABLED": "0"}
    said = run("selfplay.py", "--games", 60, "--level", "random", "--ray", "local", cwd=tmp_path, **alone)
    assert "60 games in 2 files" in said


def test_a_data_set_answers_questions_in_sql(tmp_path):
    if not find_spec(NEEDS["read_games.py"]):
        run("read_games.py", cwd=tmp_path)
    file = dataset(tmp_path, "3", "3", "--games", "4", "--judge", "4")
    said = run("read_games.py", file, cwd=tmp_path)
    assert "How often does the annotator agree" in said


def shown(cell, names):
    """Run a cell as a notebook does: the value of its last line is shown."""
    *lines, last = ast.parse("".join(cell["source"])).body
    assert isinstance(last, ast.Expr)
    exec(compile(ast.Module(lines, []), "cell", "exec"), names)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names)


def test_the_notebook_runs_and_draws():
    cells = json.loads((EXAMPLES / "tour.ipynb").read_text())["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert all(not cell["outputs"] and cell["execution_count"] is None for cell in code)
    names: dict[str, Any] = {"__name__": "__main__"}
    drawn = [it._repr_html_() for cell in code if hasattr(it := shown(cell, names), "_repr_html_")]
    assert sum("<svg" in page for page in drawn) == 7
    assert sum("<script>" in page for page in drawn) == 3
    assert names["won"] > 0
