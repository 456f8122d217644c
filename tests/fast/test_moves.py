"""Moves are numbered without gaps, and compiled as they are in plain Python."""

import ast
import re
from itertools import count, product

import pytest

from tessella.fast.azul import Azul
from tessella.fast.azul import moves as azul
from tessella.fast.blockers import Blockers
from tessella.fast.blockers import moves as blockers
from tessella.fast.duel import Duel
from tessella.fast.duel import moves as duel

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


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_AZ10_moves_of_azul_are_numbered_without_gaps(seats):
    factories, numbers = 2 * seats + 1, count()
    for source, colour, line in product(range(factories + 1), range(5), range(azul.FLOOR + 1)):
        move = next(numbers)
        assert azul.encode_take(source, colour, line) == azul.encode_pair(5 * source + colour, line) == move
        assert (azul.take_source(move), azul.take_colour(move), azul.take_line(move)) == (source, colour, line)
        assert azul.pair_colour(5 * source + colour) == colour
    for place in product(range(seats), range(5), range(5)):
        move = next(numbers)
        assert azul.encode_place(factories, *place) == move >= azul.first_place(factories)
        decode = (azul.place_seat, azul.place_row, azul.place_column)
        assert tuple(part(factories, move) for part in decode) == place
    assert next(numbers) == Azul(seats, grey=True).width


def test_BL10_moves_of_blockers_are_numbered_without_gaps():
    numbers = count()
    for hand, face, cell in product(range(2), range(28), range(blockers.ASIDE + 1)):
        move = next(numbers)
        assert blockers.encode_move(hand, face, cell) == move
        assert (blockers.move_hand(move), blockers.move_face(move), blockers.move_cell(move)) == (hand, face, cell)
    assert next(numbers) == Blockers(2).width == 2 * Blockers(3).width


def test_DU20_moves_of_azul_duel_are_numbered_without_gaps():
    numbers = count()
    for take in product(range(duel.MOONS + 1), range(5), range(duel.BROKEN + 1)):
        move = next(numbers)
        assert duel.encode_take(*take) == move < duel.CHIP_MOVE
        assert (duel.take_source(move), duel.take_colour(move), duel.take_line(move)) == take
    for factory in range(1, 5):
        assert duel.encode_chip(factory) == (move := next(numbers)) < duel.PLATE_MOVE
        assert duel.chip_factory(move) == factory
    for plate in product(range(18), range(9), range(4)):
        move = next(numbers)
        assert duel.encode_plate(*plate) == move < duel.DRAW_MOVE
        assert (duel.placed_plate(move), duel.placed_slot(move), duel.placed_way(move)) == plate
    assert [next(numbers), next(numbers)] == [duel.DRAW_MOVE, duel.STOP_MOVE]
    for order in range(6):
        assert duel.encode_order(order) == (move := next(numbers)) < duel.RETURN_MOVE
        assert duel.stacked_order(move) == order
    for number in range(18):
        assert duel.encode_return(number) == (move := next(numbers)) < duel.TILE_MOVE
        assert duel.returned_plate(move) == number
    for seat, choice in product(range(2), range(duel.LEAVE_CHOICE + 1)):
        assert duel.encode_tiling(seat, choice) == (move := next(numbers))
        assert (duel.tiling_seat(move), duel.tiling_choice(move)) == (seat, choice)
    for choice in range(duel.PAY_CHOICE):
        assert duel.encode_space(duel.space_row(choice), duel.space_column(choice)) == choice
    assert next(numbers) == duel.WIDTH == Duel().width
