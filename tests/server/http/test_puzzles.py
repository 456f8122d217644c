"""Puzzles on a server: shown without their solution, which is told to who finds it or asks for it."""

from datetime import UTC, datetime

from tessella.coach.puzzles.puzzle import daily, shipped
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
            assert not {"best", "line", "losses", "margin", "replies", "tempting"} & set(seen)
        assert (await eve.http.get("/api/puzzles/azul-none")).status_code == 404

    serving(serve, Settings(database=sqlite, port=port), use)


def test_today_everybody_gets_the_same_puzzle(serve, sqlite, port):
    async def use(app):
        today = (await Person(port).http.get("/api/puzzles/daily")).json()
        assert today["day"] == datetime.now(UTC).date().isoformat()
        of_today = daily(datetime.now(UTC).date(), list(shipped().values()))
        assert today["id"] == of_today.id
        for title in GAMES:
            of_game = (await Person(port).http.get("/api/puzzles/daily", params={"title": title})).json()
            assert of_game["title"] == title
        assert (await Person(port).http.get("/api/puzzles/daily", params={"title": "chess"})).status_code == 404

    serving(serve, Settings(database=sqlite, port=port), use)


def test_an_answer_is_checked_by_its_notation(serve, sqlite, port):
    async def use(app):
        eve = await Person.arrive(port, "Eve")
        puzzle = next(puzzle for puzzle in shipped().values() if puzzle.proved == "win")
        path = f"/api/puzzles/{puzzle.id}/answer"

        async def answered(**body):
            answer = await eve.http.post(path, json=body)
            assert answer.status_code == 200, answer.text
            return answer.json()

        found = await answered(move=puzzle.best)
        assert (found["right"], found["loss"], found["solution"]["best"]) == (True, 0, puzzle.best)
        assert (found["solution"]["theme"], found["solution"]["proved"]) == (puzzle.reason.theme, "win")
        assert found["steps"][0]["entry"]["acts"][0] == puzzle.best
        assert sum(len(step["entry"]["acts"]) for step in found["steps"]) == len(puzzle.line)
        missed = next(move for move, loss in puzzle.losses.items() if loss)
        wrong = await answered(move=missed)
        assert (wrong["right"], wrong["solution"]) == (False, None)
        assert wrong["loss"] == puzzle.losses[missed] >= puzzle.margin
        assert [act for step in wrong["steps"] for act in step["entry"]["acts"]] == [missed, *puzzle.replies[missed]]
        told = await answered()
        assert (told["right"], told["solution"], told["steps"]) == (False, found["solution"], found["steps"])
        assert (await eve.http.post(path, json={"move": "9z9"})).status_code == 422

    serving(serve, Settings(database=sqlite, port=port), use)


def test_what_follows_a_move_is_told_as_the_seat_of_the_puzzle_saw_it(serve, sqlite, port):
    async def use(app):
        eve = await Person.arrive(port, "Eve")
        puzzle = next(puzzle for puzzle in shipped().values() if puzzle.title == "blockers")
        for move in (puzzle.best, *puzzle.replies):
            answer = (await eve.http.post(f"/api/puzzles/{puzzle.id}/answer", json={"move": move})).json()
            for step in answer["steps"]:
                assert step["view"]["seat"] == puzzle.seat
                drawn = [event for event in step["entry"]["events"] if event["type"] == "TilesDrawn"]
                assert all((event["tiles"] is None) == (event["seat"] != puzzle.seat) for event in drawn)
                hidden = [act for act in step["entry"]["acts"] if act is None]
                assert len(hidden) == sum(event["seat"] != puzzle.seat for event in drawn)

    serving(serve, Settings(database=sqlite, port=port), use)
