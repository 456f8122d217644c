"""Moves are numbered without gaps, and compiled as they are in plain Python."""

import ast
import re

import pytest

from .twins import FOLDER

INLINE = re.compile(r"^cdef inline int (\w+)\((.*)\) noexcept nogil:\n    (return .*)$", re.MULTILINE)


@pytest.mark.parametrize("game", ["azul", "blockers", "duel"])
def test_the_inlined_functions_are_those_of_plain_python(game):
    types, source = ((FOLDER / game / name).read_text() for name in ("moves.pxd", "moves.py"))
    tree = ast.parse(source).body
    plain = [
        (node.name, [each.arg for each in node.args.args], ast.get_source_segment(source, node.body[-1]))
        for node in tree
        if isinstance(node, ast.FunctionDef)
    ]
    inlined = [
        (name, [each.split()[-1] for each in names.split(", ")], body) for name, names, body in INLINE.findall(types)
    ]
    assert inlined == plain
    constants = [ast.unparse(node) for node in tree if isinstance(node, ast.Assign)]
    assert re.findall(r"^    ([A-Z_]+ = \d+)$", types, re.MULTILINE) == constants
