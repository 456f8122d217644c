"""The scoring of Blockers!: the fewest points win."""

from collections.abc import Sequence

from tessella.core.game import Seat, places
from tessella.games.blockers.events import ScoreRule, Tally
from tessella.games.blockers.pieces import Cell, Colour
from tessella.games.blockers.state import Config, State, colours_of, colours_of_game, group


def group_sizes(colours: str, colour: Colour) -> list[int]:
    """BL21: return the sizes of all groups of a colour on the board."""
    sizes: list[int] = []
    met: set[Cell] = set()
    cell = colours.find(colour)
    while cell >= 0:
        if cell not in met:
            connected = group(colours, cell)
            sizes.append(len(connected))
            met.update(connected)
        cell = colours.find(colour, cell + 1)
    return sizes


def tally(state: State, seat: Seat) -> Tally:
    """BL21, BL23, BL33: return what a seat would score now."""
    colours = colours_of_game(state.config)
    own = colours_of(state.config, seat)
    groups = sorted((size for colour in own for size in group_sizes(state.board.colours, colour)), reverse=True)
    captured = tuple(map(state.captured[seat].count, colours))
    most = max(captured)
    if state.config.scoring == "uptown" or not most:
        return Tally(tuple(groups), captured, counted=None, score=len(groups))
    return Tally(tuple(groups), captured, counted=colours[captured.index(most)], score=len(groups) + most)


def all_tallies(state: State) -> tuple[Tally, ...]:
    """Return what each seat would score now."""
    return tuple(tally(state, seat) for seat in range(state.config.seats))


def final_places(tallies: Sequence[Tally]) -> tuple[int, ...]:
    """BL21, BL22: return the places: lowest score, then fewest captured tiles; further ties share a place."""
    return places([(-tally.score, -sum(tally.captured)) for tally in tallies])


def score_rule(config: Config) -> ScoreRule:
    """Return the rule by which seats are scored."""
    if config.scoring == "uptown":
        return "BL23"
    return "BL33" if config.seats == 2 else "BL21"
