"""What a move would do in a puzzle, before it is given as the answer."""

from tessella.coach.puzzles.puzzle import shipped
from tessella.core import wire
from tessella.games import GAMES
from tessella.server.settings import Settings
from tests.server.clients import Person
from tests.server.helpers import serving


def test_a_move_of_a_puzzle_is_previewed_as_at_a_table_and_not_judged(serve, sqlite, port):
    async def use(app):
        puzzle = next(iter(shipped().values()))
        game = GAMES[puzzle.title]
        state = game.read_state(puzzle.position)
        person = Person(port)

        async def preview_of(move, puzzle_id=puzzle.id):
            return await person.http.get(f"/api/puzzles/{puzzle_id}/preview", params={"move": move})

        for move in (puzzle.best, max(puzzle.losses, key=lambda one: puzzle.losses[one])):
            preview = game.preview(state, game.read_move(state, puzzle.seat, move))
            answer = (await preview_of(move)).json()
            assert answer["move"] == move
            assert wire.encode(preview).decode() in (await preview_of(move)).text
            assert not {"best", "loss", "right"} & set(answer)
        assert (await preview_of("9z9")).json()["rule"] == "notation"
        assert (await preview_of(puzzle.best, "azul-none")).status_code == 404

    serving(serve, Settings(database=sqlite, port=port), use)
