"""Puzzles on a server: shown without their solution, which is told to who finds it or asks for it."""

from datetime import UTC, datetime

from tessella.coach.puzzles.puzzle import daily, shipped
from tessella.core import wire
from tessella.games import GAMES
from tests.server.clients import Person, refusal
from tests.server.helpers import stop_the_clock


async def test_a_puzzle_is_shown_as_its_seat_sees_it_and_says_nothing_of_the_solution(app, port):
    eve = Person(port)
    listed = (await eve.get("/api/puzzles"))["puzzles"]
    assert {puzzle["id"] for puzzle in listed} == set(shipped())
    assert [puzzle["difficulty"] for puzzle in listed] == sorted(puzzle["difficulty"] for puzzle in listed)
    for one in listed[:3]:
        seen, puzzle = await eve.get(f"/api/puzzles/{one['id']}"), shipped()[one["id"]]
        assert seen["view"]["turn"] == {"type": "choose", "seats": [puzzle.seat]}
        game = GAMES[puzzle.title]
        state = game.read_state(puzzle.position)
        moves = [game.write_move(state, move) for move in game.legal_moves(state, puzzle.seat)]
        assert sorted(seen["moves"]) == sorted(moves)
        assert not {"best", "line", "losses", "margin", "replies", "tempting"} & set(seen)
    assert (await eve.http.get("/api/puzzles/azul-none")).status_code == 404


async def test_today_everybody_gets_the_same_puzzle(app, port):
    day, eve = datetime.fromtimestamp(stop_the_clock(app), UTC).date(), Person(port)
    today = await eve.get("/api/puzzles/daily")
    assert (today["day"], today["id"]) == (day.isoformat(), daily(day, list(shipped().values())).id)
    for title in GAMES:
        assert (await eve.get("/api/puzzles/daily", title=title))["title"] == title
    assert (await eve.http.get("/api/puzzles/daily?title=chess")).status_code == 404


async def test_an_answer_is_checked_by_its_notation(app, port):
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


async def test_what_follows_a_move_is_told_as_the_seat_of_the_puzzle_saw_it(app, port):
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


async def test_a_move_is_previewed_as_at_a_table_and_not_judged(app, port):
    puzzle, eve = next(iter(shipped().values())), Person(port)
    game = GAMES[puzzle.title]
    state = game.read_state(puzzle.position)
    path = f"/api/puzzles/{puzzle.id}/preview"
    for move in (puzzle.best, max(puzzle.losses, key=lambda one: puzzle.losses[one])):
        preview = game.preview(state, game.read_move(state, puzzle.seat, move))
        answer = await eve.http.get(path, params={"move": move})
        assert answer.json()["move"] == move
        assert wire.encode(preview).decode() in answer.text
        assert not {"best", "loss", "right"} & answer.json().keys()
    assert refusal(await eve.http.get(path, params={"move": "9z9"})) == (200, "notation")
    assert (await eve.http.get("/api/puzzles/azul-none/preview", params={"move": puzzle.best})).status_code == 404
