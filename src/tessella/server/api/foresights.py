"""What a move would do in the position of a puzzle, before it is given as the answer."""

from collections.abc import Sequence

from tessella.coach.puzzles import shipped
from tessella.games import GAMES
from tessella.server import seen
from tessella.server.api.routes import Answer, Problem, Request, Route
from tessella.server.messages import Foreseen


async def get_foresight(request: Request) -> Answer:
    """Say what a move would do, as at a table: where the pieces go and what that scores, not whether it is the best."""
    puzzle = shipped().get(request.path["id"])
    if puzzle is None:
        raise Problem(404, "puzzle", "there is no such puzzle")
    game = GAMES[puzzle.title]
    state = game.read_state(puzzle.position)
    return Answer(seen.foresee(game, state, puzzle.seat, request.query.get("move", "")))


ROUTES: Sequence[Route] = (Route("GET", "/api/puzzles/{id}/foresee", get_foresight, Foreseen, query=("move",)),)
