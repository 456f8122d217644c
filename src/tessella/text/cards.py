"""Shared links in words: the headline and the line of a table, a puzzle and a daily deal, for previews elsewhere."""

from collections.abc import Sequence
from datetime import date

from msgspec import Struct

from tessella.coach.puzzles.puzzle import Puzzle
from tessella.table.table import Occupant, Table
from tessella.text.i18n import Translations


class CardWords(Struct, frozen=True):
    """What a link leads to: a headline for lists of links, the title and the line of its card."""

    headline: str
    title: str
    line: str


def level_name(texts: Translations, level: str) -> str:
    """Return the name of a bot of a level.

    >>> level_name(Translations("nl"), "3"), level_name(Translations("nl"), "mine")
    ('Verzamelaar', 'mine')
    """
    return texts(f"level.{level}") if texts.has(f"level.{level}") else level


def seat_names(texts: Translations, seats: Sequence[Occupant]) -> list[str]:
    """Return the names at a table: bots by their level, free seats as such."""
    return [_seat_name(texts, occupant) for occupant in seats]


def _seat_name(texts: Translations, occupant: Occupant) -> str:
    if not occupant.player:
        return texts("card.free")
    return level_name(texts, occupant.level) if occupant.is_bot else occupant.name


def table_in_words(texts: Translations, table: Table) -> CardWords:
    """Return a table as any spectator sees it; of one that cannot be watched yet, the game alone."""
    game = game_name(texts, table.game.NAME)
    if not table.may_watch(None):
        return CardWords(game, game, texts("card.match"))
    names, scores = seat_names(texts, table.seats), table.end.scores if table.end else ()
    named = [f"{name} {score}" for name, score in zip(names, scores, strict=True)] if scores else names
    return CardWords(texts("card.of", game=game, who=" – ".join(named)), game, texts(f"card.{status_of(table)}"))


def status_of(table: Table) -> str:
    """Return which text describes the state of a table."""
    match table.status:
        case "open" | "dice":
            return "open" if table.status == "open" else "playing"
        case "playing" | "paused":
            return "playing"
        case "over":
            return "over" if table.started else "closed"


def game_name(texts: Translations, title: str) -> str:
    """Return the name of a game; that of one without a translation is its title.

    >>> game_name(Translations("en"), "duel"), game_name(Translations("en"), "mine")
    ('Azul Duel', 'Mine')
    """
    return texts(f"screen.game.{title}") if texts.has(f"screen.game.{title}") else title.title()


def puzzle_in_words(texts: Translations, puzzle: Puzzle) -> CardWords:
    """Return a puzzle, without a hint at its solution."""
    game = game_name(texts, puzzle.title)
    return CardWords(texts("card.puzzle.title", game=game), game, texts("card.puzzle", n=puzzle.difficulty))


def daily_in_words(texts: Translations, title: str, day: date, level: str) -> CardWords:
    """Return a daily deal."""
    game, when, name = game_name(texts, title), date_in_words(texts, day), level_name(texts, level)
    headline = texts("card.daily.title", game=game)
    return CardWords(headline, game, texts("card.daily", day=when, level=name))


def date_in_words(texts: Translations, day: date) -> str:
    """Return a date without its year.

    >>> date_in_words(Translations("fr"), date(2026, 8, 3))
    '3 août'
    """
    return texts("date", day=day.day, month=texts(f"month.{day.month}"))


def all_dailies_in_words(texts: Translations) -> CardWords:
    """Return the page of the daily deals."""
    title = texts("card.daily.all")
    return CardWords(title, title, texts("card.daily.all.text"))


def board_in_words(texts: Translations, title: str) -> str:
    """Return the description of a card for those who cannot see it."""
    return texts("card.board", game=game_name(texts, title))
