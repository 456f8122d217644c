"""Every C array is as long as the list that plain Python uses in its place, and every C constant has the same value.

Compiled, nothing checks the bounds of an array; plain Python checks those of its lists, whose lengths come from the
constants of the `.py`. So an array in a `.pxd` that has another length would be written over its end, and only there.
A number that a `.pxd` repeats for speed would likewise be another number there only.
"""

import importlib
import re

import pytest

from tessella.fast.phases import DEALING

from .twins import FOLDER, MODULES, PLAIN, module_name, typed_files

DECLARED = re.compile(r"^(?:cdef class (?P<name>\w+)|(?P<field>    )?cdef [\w ]*?(?P<arrays>\w+\[.*))", re.MULTILINE)
ARRAY = re.compile(r"(\w+)((?:\[\w+\])+)")
CONSTANTS = re.compile(r"^cdef enum:.*\n((?:    \w+ = -?\d+\n)+)", re.MULTILINE)
WITH_CONSTANTS = [path for path in sorted(FOLDER.glob("**/*.pxd")) if "cdef enum" in path.read_text()]


def arrays(types: str) -> list[tuple[str, str, int]]:
    """Return every array of a `.pxd`: its class, or nothing for a global, its name and its length.

    >>> arrays("cdef uint8_t ONE[5], TWO[2][3]\\ncdef class Search(Boards):\\n    cdef int kept[360]\\n")
    [('', 'ONE', 5), ('', 'TWO', 6), ('Search', 'kept', 360)]
    """
    found, owner = [], ""
    for each in DECLARED.finditer(types):
        owner = each["name"] or (owner if each["field"] else "")
        for name, sizes in ARRAY.findall(each["arrays"] or ""):
            length = 1
            for size in re.findall(r"\w+", sizes):
                length *= int(size)
            found.append((owner, name, length))
    return found


@pytest.fixture(scope="module")
def made():
    """One plain object for each class with arrays; a subclass shows what its base is given."""
    net = PLAIN["azul.net"].Net([0] * PLAIN["azul.net"].WEIGHTS, 1, 1, 1)
    blockers, duel = to_move(PLAIN["blockers.rules"].Blockers(seed=1)), to_move(PLAIN["duel.rules"].Duel(seed=1))
    search = PLAIN["azul.alphabeta"].AlphaBeta(net)
    thinker = PLAIN["blockers.ismcts"].InformationSetTree(blockers, [0.0] * 2 * PLAIN["blockers.policy"].WEIGHTS, 1, 10)
    value = PLAIN["duel.evaluation"].Evaluator()
    return {
        ("azul.state", "AzulTable"): PLAIN["azul.rules"].Azul(),
        ("azul.net", "Net"): net,
        ("azul.evaluation", "Evaluator"): search,
        ("azul.alphabeta", "AlphaBeta"): search,
        ("azul.lookahead", "Lookahead"): PLAIN["azul.lookahead"].Lookahead(net),
        ("azul.mcts", "MaxnTree"): PLAIN["azul.mcts"].MaxnTree(net),
        ("azul.selfplay", "Selfplay"): PLAIN["azul.selfplay"].Selfplay(),
        ("azul.solver", "Solver"): PLAIN["azul.solver"].Solver(2),
        ("blockers.state", "BlockersTable"): blockers,
        ("blockers.policy", "RolloutPolicy"): thinker.policy,
        ("blockers.evaluation", "Evaluator"): PLAIN["blockers.evaluation"].Evaluator(),
        ("blockers.ismcts", "InformationSetTree"): thinker,
        ("duel.state", "DuelTable"): duel,
        ("duel.policy", "RolloutPolicy"): value.policy,
        ("duel.evaluation", "Evaluator"): value,
        ("tree", "Tree"): thinker,
        ("duel.mcts", "OpenLoopTree"): PLAIN["duel.mcts"].OpenLoopTree(duel, duel.seat(), 1, 10),
    }


def to_move(table):
    """Deal until a seat is to move."""
    while table.phase == DEALING:
        table.deal()
    return table


def test_every_module_with_types_is_checked():
    assert sorted(MODULES) == sorted(map(module_name, typed_files()))


@pytest.mark.parametrize("module", MODULES)
def test_every_array_is_as_long_as_its_list(module, made):
    types = (FOLDER / f"{module.replace('.', '/')}.pxd").read_text()
    found = arrays(types)
    assert len(found) == len(re.findall(r"\w\[\w+\]", types)), "an array declaration was not parsed"
    lists = {(owner, name): getattr(made[module, owner] if owner else PLAIN[module], name) for owner, name, _ in found}
    assert {place: len(values) for place, values in lists.items()} == {each[:2]: each[2] for each in found}


@pytest.mark.parametrize("path", WITH_CONSTANTS, ids=module_name)
def test_every_constant_has_the_value_of_plain_python(path):
    types, name = path.read_text(), module_name(path)
    found = dict(re.findall(r"(\w+) = (-?\d+)", "".join(CONSTANTS.findall(types))))
    assert len(found) == len(re.findall(r"^    \w+ = ", types, re.MULTILINE)) > 0, "a constant was not parsed"
    plain = PLAIN.get(name) or importlib.import_module(f"tessella.fast.{name}")
    assert {constant: getattr(plain, constant) for constant in found} == {key: int(text) for key, text in found.items()}


TIES = {
    # Cython wants plain numbers where a list fills an array, so the .py repeats these.
    "azul.state.listed": lambda at: at["azul.alphabeta"].MOVES,
    "azul.mcts.path": lambda at: at["azul.alphabeta"].PLIES + 1,
    "blockers.state.board": lambda at: at["blockers.rules"].ASIDE + 1,
    "blockers.state.met": lambda at: at["blockers.rules"].ASIDE + 1,
    "blockers.state.queue": lambda at: at["blockers.rules"].ASIDE + 1,
    "blockers.state.aside": lambda at: 5 * at["blockers.policy"].PLAYS,
    "blockers.policy.seat_weights": lambda at: 5 * 2 * at["blockers.policy"].WEIGHTS,
    "blockers.policy.weights": lambda at: at["blockers.policy"].WEIGHTS,
    "blockers.policy.marks_upper": lambda at: 2 * at["blockers.policy"].SETS,
    "blockers.policy.marks_lower": lambda at: 2 * at["blockers.policy"].SETS,
    "blockers.policy.choices": lambda at: at["blockers.rules"].FACE_COUNT,
    "blockers.policy.gains": lambda at: at["blockers.rules"].FACE_COUNT,
    "blockers.ismcts.root_moves": lambda at: at["blockers.ismcts"].ROOT_MOVES,
    "blockers.ismcts.root_values": lambda at: at["blockers.ismcts"].ROOT_MOVES,
    "blockers.evaluation.inputs": lambda at: at["blockers.evaluation"].INPUTS,
    "blockers.evaluation.hidden": lambda at: at["blockers.evaluation"].HIDDEN,
    "tree.place_of": lambda at: max(at["blockers.rules"].Blockers(2).width, at["duel.rules"].WIDTH),
    "duel.state.payments": lambda at: at["duel.rules"].LEAVE_CHOICE - at["duel.rules"].PAY_CHOICE,
    "duel.evaluation.inputs": lambda at: at["duel.evaluation"].INPUTS,
    "duel.evaluation.hidden": lambda at: at["duel.evaluation"].HIDDEN,
}
"""The lengths that follow from a constant though they are written as numbers."""

AS_LONG_AS = {
    "blockers.policy.moves": "blockers.state.listed",
    "blockers.policy.values": "blockers.state.listed",
    "duel.policy.values": "duel.policy.moves",
    "tree.found": "duel.policy.moves",
    "tree.priors": "duel.policy.moves",
    "tree.movers": "tree.path",
}
"""Arrays that are filled side by side."""


@pytest.fixture(scope="module")
def lengths():
    """The length of every array of a class, by its module and name."""
    every = ((module_name(path), arrays(path.read_text())) for path in typed_files())
    return {f"{module}.{name}": length for module, found in every for owner, name, length in found if owner}


def test_an_array_has_the_length_that_its_constant_says(lengths):
    assert {name: lengths[name] for name in TIES} == {name: length(PLAIN) for name, length in TIES.items()}


def test_arrays_that_are_filled_side_by_side_are_equally_long(lengths):
    assert [lengths[name] for name in AS_LONG_AS] == [lengths[name] for name in AS_LONG_AS.values()]


def test_a_shared_tree_has_room_for_the_moves_of_every_game(lengths):
    assert max(lengths["blockers.policy.moves"], lengths["duel.policy.moves"]) <= lengths["tree.found"]
