"""Puzzles on a server: shown without their solution, which is told to who finds it or asks for it."""

from datetime import UTC, datetime

from tessella.coach.puzzles import daily, shipped
from tessella.games import GAMES
from tessella.server.settings import Settings
from tests.server.clients import Person
from tests.server.helpers import serving


def test_a_puzzle_is_shown_as_its_seat_sees_it_and_says_nothing_of_the_solution(serve, sqlite, port):
    async def use(app):
        eve = Person(port)
        listed = (await eve.http.get("/api/puzzles")).json()["puzzles"]
        assert {puzzle["id"] for puzzle in listed} == set(shipped())
        assert [puzzle["difficulty"] for puzzle in listed] == sorted(puzzle["difficulty"] for puzzle in listed)
        for one in listed[:3]:
            answer = await eve.http.get(f"/api/puzzles/{one['id']}")
            assert answer.status_code == 200, answer.text
            seen, puzzle = answer.json(), shipped()[one["id"]]
            assert seen["view"]["turn"] == {"type": "choose", "seats": [puzzle.seat]}
            game = GAMES[puzzle.title]
            state = game.read_state(puzzle.position)
            moves = [game.write_move(state, move) for move in game.legal_moves(state, puzzle.seat)]
            assert sorted(seen["moves"]) == sorted(moves)
            assert not {"best", "line", "losses", "margin"} & set(seen)
        assert (await eve.http.get("/api/puzzles/azul-none")).status_code == 404

    serving(serve, Settings(database=sqlite, port=port), use)


def test_today_everybody_gets_the_same_puzzle(serve, sqlite, port):
    async def use(app):
        today = (await Person(port).http.get("/api/puzzles/daily")).json()
        assert today["day"] == datetime.now(UTC).date().isoformat()
        of_today = daily(datetime.now(UTC).date(), list(shipped().values()))
        assert today["id"] == of_today.id
        of_azul = (await Person(port).http.get("/api/puzzles/daily", params={"title": "azul"})).json()
        assert of_azul["title"] == "azul"
        assert (await Person(port).http.get("/api/puzzles/daily", params={"title": "chess"})).status_code == 404

    serving(serve, Settings(database=sqlite, port=port), use)


def test_an_answer_is_checked_by_its_notation(serve, sqlite, port):
    async def use(app):
        eve = await Person.arrive(port, "Eve")
        puzzle = next(iter(shipped().values()))
        path = f"/api/puzzles/{puzzle.id}/answer"

        async def answered(**body):
            answer = await eve.http.post(path, json=body)
            assert answer.status_code == 200, answer.text
            return answer.json()

        found = await answered(move=puzzle.best)
        assert (found["right"], found["loss"], found["best"]) == (True, 0, puzzle.best)
        assert found["line"] == list(puzzle.line)
        missed = next(move for move, loss in puzzle.losses.items() if loss)
        wrong = await answered(move=missed)
        assert (wrong["right"], wrong["best"], wrong["line"]) == (False, "", [])
        assert wrong["loss"] == puzzle.losses[missed] >= puzzle.margin
        told = await answered()
        assert (told["right"], told["best"]) == (False, puzzle.best)
        assert (await eve.http.post(path, json={"move": "9z9"})).status_code == 422

    serving(serve, Settings(database=sqlite, port=port), use)
