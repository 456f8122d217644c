"""What is in the box of Azul Duel, counted wherever it lies."""

from collections.abc import Mapping

from tessella.games.duel.pieces import CHIP_COLOURS, COLOUR_NAMES, FACE_DOWN, JOKER, SPECIAL, Counts, Plate, add, counts
from tessella.games.duel.state import State


def tiles_out_of_bag(state: State) -> Counts:
    """Every tile that is not in the bag."""
    heaps = [factory.sun + factory.moon for factory in state.factories]
    for board in state.boards:
        heaps += [*board.lines, *board.tiles, board.broken]
    return add(state.tower, counts(heaps))


def chips_out_of_supply(state: State) -> str:
    """Every chip that has been revealed."""
    shown = [factory.chip for factory in state.factories if factory.chip != FACE_DOWN]
    return "".join([*shown, *(board.chips + board.spent for board in state.boards)])


def plates_out_of_stack(state: State) -> list[Plate]:
    """Every plate that lies open or in a dome, as it lies."""
    return [*state.open, *(plate for board in state.boards for plate in board.dome if plate)]


def inventory(state: State) -> Mapping[str, int]:
    """13 tiles of each colour, 9 special ones, 9 plates of each kind, 2 chips of each face."""
    tiles = add(state.bag, tiles_out_of_bag(state))
    specials = sum(row.count(SPECIAL) for board in state.boards for row in board.tiles)
    chips = state.chips + chips_out_of_supply(state)
    plates = [*plates_out_of_stack(state), *(back.face for back in (*state.stack, *state.hand))]
    return {
        **{f"{name} tiles": number for name, number in zip(COLOUR_NAMES.values(), tiles, strict=True)},
        "special tiles": state.specials + specials,
        "special plates": sum(SPECIAL in plate for plate in plates),
        "joker plates": sum(JOKER in plate for plate in plates),
        **{f"{chip} chips": chips.count(chip) for chip in CHIP_COLOURS},
    }
