"""Lessons on a server: every step with its view and moves, and an answer to each move."""

from tessella.lessons.lesson import shipped
from tests.server.clients import Person


async def test_a_lesson_is_listed_shown_previewed_and_answered(app, port):
    eve = Person(port)
    listed = (await eve.get("/api/lessons"))["lessons"]
    assert [each["title"] for each in listed] == [*shipped()]
    lesson = await eve.get("/api/lessons/azul")
    take = next(step for step in lesson["steps"] if step["id"] == "take")
    assert take["solution"] in take["moves"]
    path = "/api/lessons/azul/take"
    assert (await eve.get(f"{path}/preview?move={take['solution']}"))["preview"]
    right = (await eve.http.post(f"{path}/answer", json={"move": take["solution"]})).json()
    assert right["accepted"]
    assert right["view"]["boards"][0]["lines"][1] == "bb"
    wrong = (await eve.http.post(f"{path}/answer", json={"move": "1b1"})).json()
    assert (wrong["accepted"], wrong["view"]) == (False, None)
    assert wrong["said"]["nl"]


async def test_what_a_lesson_does_not_know_is_refused(app, port):
    eve = Person(port)
    assert (await eve.http.get("/api/lessons/chess")).status_code == 404
    assert (await eve.http.get("/api/lessons/azul/chess/preview?move=1b2")).status_code == 404
    assert (await eve.http.post("/api/lessons/azul/take/answer", json={"move": "9z9"})).status_code == 422
    assert (await eve.http.post("/api/lessons/azul/welcome/answer", json={"move": "1b2"})).status_code == 422
