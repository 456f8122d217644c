"""The examples run, each on a budget of seconds; one that needs a package which is not installed says so."""

import ast
import importlib
import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy
import pytest

from tessella.research import BatchEnv
from tests.tiers import nightly

EXAMPLES = Path(__file__).parents[1] / "examples"
NEEDS = {"sb3.py": "sb3_contrib", "read_games.py": "duckdb"}
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


QUICK = ["--games", 2, "--final", 2]
"""Measure a learner in two games per level."""


def in_the_arena(player, folder, title="azul", policy=""):
    path = os.pathsep.join([str(EXAMPLES), *sys.path])
    arena = ["arena", title, player, "random", "--games", 2]
    said = run("tessella", *arena, cwd=folder, module=True, PYTHONPATH=path, POLICY=policy)
    assert player in said
    assert "forfeit" not in said


def curve_of(folder):
    found = json.loads((folder / "curve.json").read_text())
    assert found["seconds"] == found["points"][-1]["seconds"] > 0
    assert [set(point["levels"]) for point in found["points"]] == [{"1", "2", "3", "4"}] * len(found["points"])
    assert all(0 <= share["low"] <= share["value"] <= share["high"] <= 1 for share in found["final"].values())
    return found


def test_the_gradients_of_the_net_are_those_of_its_loss(monkeypatch):
    assert (EXAMPLES / "baseline.py").exists()
    monkeypatch.syspath_prepend(EXAMPLES)
    baseline = importlib.import_module("baseline")
    rng = numpy.random.default_rng(1)
    net = baseline.Net.new("azul", rng)
    net.weights = [weights.astype(float) for weights in net.weights]
    seen, masks = rng.random((3, 151)), rng.random((3, 180)) < 0.3
    wanted = masks / masks.sum(axis=1, keepdims=True)
    aims = rng.random(3)

    def loss():
        chances, values = net(seen, masks)
        return -(wanted * numpy.log(numpy.where(masks, chances, 1))).sum() + ((values - aims) ** 2).sum() / 2

    chances, values, layers = net.forward(seen, masks)
    for weights, gradient in zip(
        net.weights, net.backward(layers, values, chances - wanted, values - aims), strict=True
    ):
        place = numpy.unravel_index(abs(gradient).argmax(), gradient.shape)
        weights[place] += 1e-5
        above = loss()
        weights[place] -= 2e-5
        assert (above - loss()) / 2e-5 == pytest.approx(gradient[place], rel=1e-3)
        weights[place] += 1e-5


def test_a_policy_is_learned_from_a_data_set_and_plays_in_the_arena(tmp_path):
    file = dataset(tmp_path, "3", "3", "--games", "60")
    said = run("imitate.py", file, "--epochs", 2, *QUICK, "--curve", "curve.json", cwd=tmp_path)
    assert "of those held out" in said
    found = curve_of(tmp_path)
    assert found["points"][-1]["train"] > found["points"][1]["train"] > 0.02
    assert 0 < found["test"] < 1
    in_the_arena("imitate:player", tmp_path, policy="imitate.npz")


@pytest.mark.parametrize("title", ["azul", *nightly("duel", "blockers")])
def test_ppo_learns_a_little_of_every_title(title, tmp_path):
    run("ppo.py", "--title", title, "--steps", 8192, *QUICK, "--curve", "curve.json", cwd=tmp_path)
    found = curve_of(tmp_path)
    assert [point["steps"] for point in found["points"]] == [0, 8192]
    in_the_arena("ppo:player", tmp_path, title, policy="ppo.npz")


@pytest.mark.nightly
def test_ppo_is_the_same_from_the_same_seed(tmp_path):
    for name in ("one", "two"):
        run("ppo.py", "--steps", 8192, *QUICK, "--out", f"{name}.npz", cwd=tmp_path)
    one, two = (numpy.load(tmp_path / f"{name}.npz") for name in ("one", "two"))
    assert all((one[name] == two[name]).all() for name in one.files)


def test_a_move_of_the_other_counts_the_other_way_round(monkeypatch):
    monkeypatch.syspath_prepend(EXAMPLES)
    ppo = importlib.import_module("ppo")
    values, rewards, same = numpy.array([[0.5], [0.2]]), numpy.array([[0.0], [1.0]]), numpy.array([[-1.0], [0.0]])
    found = ppo.advantages(values, rewards, same, numpy.array([0.9]))
    assert found[1, 0] == pytest.approx(1 - 0.2)
    assert found[0, 0] == pytest.approx((-0.2 - 0.5) - ppo.SMOOTHING * (1 - 0.2))


def test_a_small_alphazero_searches_and_learns(tmp_path):
    said = run("alphazero.py", "--moves", 8192, *QUICK, "--searched", 2, "--curve", "curve.json", cwd=tmp_path)
    assert "the net is in alphazero.npz" in said
    found = curve_of(tmp_path)
    assert found["points"][-1]["games"] > 0
    assert set(found["searched"]) == {"1", "2", "3", "4"}
    in_the_arena("alphazero:player", tmp_path, policy="alphazero.npz")


def test_the_search_of_alphazero_visits_legal_moves_only(monkeypatch):
    monkeypatch.syspath_prepend(EXAMPLES)
    alphazero, baseline = importlib.import_module("alphazero"), importlib.import_module("baseline")
    rng = numpy.random.default_rng(1)
    search = alphazero.Search(baseline.Net.new("azul", rng), 4, 40, rng)
    env = BatchEnv("azul", 4, seed=1)
    visits, values = search.run(env.save(), noisy=True)
    assert (visits.sum(axis=1) == 40).all()
    assert not visits[env.masks == 0].any()
    assert (abs(values) <= 1).all()


def test_stable_baselines_learns_a_little(tmp_path):
    said = run("sb3.py", "--steps", 256, "--games", 2, cwd=tmp_path)
    assert "after 256 steps" in said
    assert (tmp_path / "ppo.zip").stat().st_size > 10_000


def test_a_scripted_model_plays_every_title_in_the_arena(tmp_path):
    assert "MOVE: 2r5" in run("scripted_model.py", cwd=tmp_path)
    for title in ("azul", "duel", "blockers"):
        in_the_arena("scripted_model:player", tmp_path, title)


def test_self_play_is_the_same_here_and_in_other_processes(tmp_path):
    for jobs in (1, 2):
        run("selfplay.py", "--games", 60, "--level", "random", "--jobs", jobs, "--out", f"games{jobs}", cwd=tmp_path)
    one, two = ({file.name: file.read_bytes() for file in (tmp_path / f"games{jobs}").iterdir()} for jobs in (1, 2))
    assert set(one) == {"azul-000000.parquet", "azul-000050.parquet"}
    assert one == two


@pytest.mark.nightly
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
