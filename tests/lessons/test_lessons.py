"""Every lesson is played: its moves are legal, its numbers are the engine's, and it teaches every rule once."""

import re
from collections import Counter

import msgspec
import pytest

from tessella.core.game import BadNotation, Choose
from tessella.core.record import Record, read_rules, replay
from tessella.games import GAMES
from tessella.lessons import views
from tessella.lessons.course import open_steps, play_lesson
from tessella.lessons.facts import blanks
from tessella.lessons.lesson import LEARNER, Text, read, shipped
from tessella.local.game import play_bots
from tessella.local.last_round import open_last_round
from tessella.protocol.messages import Play
from tessella.text.i18n import LANGUAGES
from tessella.text.rulebook import page

TAUGHT = {
    "azul": "10 11 13 14 15 16 17 18 20 21 22 23 24 50 51 52",
    "duel": "06 12 20 23 24 25 26 27 30 31 33 34 35 50 52 54 58",
    "blockers": "03 10 11 12 13 14 16 20 21",
}
"""The rules that a beginner meets, by number."""
PREFIX = {"azul": "AZ", "duel": "DU", "blockers": "BL"}
NUMBER_WORDS = {
    "en": "two three four five six seven eight nine ten",
    "nl": "twee drie vier vijf zes zeven acht negen tien",
    "fr": "deux trois quatre cinq six sept huit neuf dix",
    "de": "zwei drei vier fünf sechs sieben acht neun zehn",
    "es": "dos tres cuatro cinco seis siete ocho nueve diez",
    "it": "due tre quattro cinque sei sette otto nove dieci",
}
ONE = "point|tile|group|chip|punt|tegel|groep|fiche|tuile|groupe|jeton"
MANY = "points|tiles|groups|chips|punten|tegels|groepen|fiches|tuiles|groupes|jetons"
OPENED = {f"{title}-{opened.step.id}": opened for title in shipped() for opened in open_steps(title)}
STEPS = [pytest.param(opened, id=name) for name, opened in OPENED.items()]
MOVING = [pytest.param(opened, id=name) for name, opened in OPENED.items() if opened.step.solution]


def texts_of(step):
    """Return every text of a step with where it stands."""
    found = {"title": step.title, "say": step.say, "done": step.done, "otherwise": step.otherwise}
    found |= {f"answer {each.moves}": each.text for each in step.answers}
    return {where: text for where, text in found.items() if text is not None}


def seats_of(title):
    """Return the number of players of the game that ends a lesson."""
    return read_rules(GAMES[title], shipped()[title].last_round.rules).seats


def each_language(text):
    return {language: getattr(text, language) for language in LANGUAGES}


def test_a_text_of_a_lesson_has_the_languages_of_all_other_texts():
    assert Text.__struct_fields__ == LANGUAGES


@pytest.mark.parametrize("opened", STEPS)
def test_a_step_opens_and_says_something_in_every_language(opened):
    for text in (opened.said(), opened.step.title):
        assert all(words and "{" not in words for words in each_language(text).values())
    assert len({*each_language(opened.said()).values()}) == len(LANGUAGES)


@pytest.mark.parametrize("opened", STEPS)
def test_every_language_leaves_the_same_blanks_and_each_has_a_path(opened):
    used = set()
    for where, text in texts_of(opened.step).items():
        used |= blanks(text)
        found = {language: blanks(Text(*[words] * len(LANGUAGES))) for language, words in each_language(text).items()}
        assert len({*map(frozenset, found.values())}) == 1, (where, found)
    assert used <= set(opened.step.numbers)
    assert set(opened.step.numbers) <= used, "a number that no text uses"


@pytest.mark.parametrize("opened", STEPS)
def test_no_number_is_written_by_hand(opened):
    for where, text in texts_of(opened.step).items():
        for language, words in each_language(text).items():
            written = [word for word in re.findall(r"\w+", words.lower()) if word in NUMBER_WORDS[language].split()]
            assert not re.search(r"\d", words), (where, words)
            assert not written, (where, words)


@pytest.mark.parametrize("opened", STEPS)
def test_one_of_something_is_not_many(opened):
    """A sentence was written for the number that it has: 1 point, 2 points."""
    said = [opened.said(), *(opened.judge(move).said for move in opened.moves())]
    for text in said:
        for words in each_language(text).values():
            assert not re.search(
                r"\b[01] (points|tiles|groups|chips|punten|tegels|groepen|fiches|tuiles|groupes|jetons)\b", words
            )
            assert not re.search(
                r"\b([2-9]|\d\d) (point|tile|group|chip|punt|tegel|groep|fiche|tuile|groupe|jeton)\b", words
            )


@pytest.mark.parametrize("opened", MOVING)
def test_the_accepted_moves_are_legal_and_every_other_move_gets_an_answer(opened):
    moves = opened.moves()
    assert opened.step.solution in moves
    assert opened.accepts(opened.step.solution)
    assert (opened.step.otherwise is None) == all(map(opened.accepts, moves)), "an answer is missing, or never given"
    for move in moves:
        judged = opened.judge(move)
        assert (judged.state is not None) == opened.accepts(move)
        assert all(words and "{" not in words for words in each_language(judged.said).values())
    for answer in opened.step.answers:
        assert any(re.fullmatch(answer.moves, move) and not opened.accepts(move) for move in moves), answer.moves


@pytest.mark.parametrize("opened", MOVING)
def test_a_move_that_is_not_legal_is_refused(opened):
    with pytest.raises(BadNotation, match="not a legal move"):
        opened.judge("nothing")


@pytest.mark.parametrize("title", shipped())
def test_every_rule_that_a_beginner_meets_is_taught_once(title):
    taught = Counter(rule for step in shipped()[title].steps for rule in step.teaches)
    assert {*taught} == {f"{PREFIX[title]}{number}" for number in TAUGHT[title].split()}
    assert max(taught.values()) == 1
    assert all(page(title, "en").rule(rule) for rule in taught)


@pytest.mark.parametrize("title", shipped())
def test_a_lesson_has_eight_to_twelve_steps_with_ids_of_their_own(title):
    ids = [step.id for step in shipped()[title].steps]
    assert 8 <= len(ids) + 1 <= 13
    assert len({*ids}) == len(ids)


def test_every_game_has_a_lesson():
    assert [*shipped()] == [*GAMES]


@pytest.mark.parametrize("title", shipped())
def test_the_game_to_finish_is_a_real_one_and_the_learner_is_to_move(title):
    game, prepared = GAMES[title], shipped()[title].last_round
    *_, last = replay(game, Record(prepared.rules, prepared.acts))
    turn = game.turn(last.after)
    assert isinstance(turn, Choose)
    assert LEARNER in turn.seats


@pytest.mark.parametrize("title", shipped())
def test_the_game_to_finish_ends_soon(title):
    seats = seats_of(title)
    local = open_last_round(shipped()[title], [f"name {seat}" for seat in range(seats)])
    before = local.table.number
    while local.table.status == "playing":
        play_bots(local)
        moves = local.view(LEARNER).moves
        if moves:
            local.receive(LEARNER, Play(f"move-{local.table.number}", local.table.number, moves[0]))
    assert local.table.number - before < 60


def test_a_step_goes_on_from_the_solution_of_the_one_before():
    take, centre = (opened for opened in open_steps("azul") if opened.step.id in ("take", "centre"))
    after, _ = take.play(take.step.solution)
    assert centre.before == after
    assert [turn.seat for turn in centre.turns] == [1]


def test_a_lesson_with_an_unknown_field_or_an_illegal_act_is_refused():
    text = '[about]\nen = ""\nnl = ""\nfr = ""\n'
    with pytest.raises(msgspec.ValidationError):
        read(f'game = "azul"\nunknown = 1\n{text}')
    lesson = shipped()["azul"]
    step = msgspec.structs.replace(lesson.steps[0], acts=("9b1",))
    with pytest.raises(BadNotation):
        play_lesson(msgspec.structs.replace(lesson, steps=(step,)))


def test_an_unknown_lesson_or_step_is_not_found():
    assert views.see_lesson("chess") is None
    assert views.find_step("chess", "take") is None
    assert views.find_step("azul", "chess") is None
