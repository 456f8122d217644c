"""News of turns in words: what a message by e-mail or to a chat says."""

from collections.abc import Sequence
from math import ceil

from msgspec import Struct

from tessella.text.i18n import Translations

HOUR_SECONDS = 3_600.0


class TurnLine(Struct, frozen=True):
    """One game in a message: its name, a link, and for a reminder the seconds that are left."""

    title: str
    url: str
    seconds_left: float | None = None
    is_invitation: bool = False


class Words(Struct, frozen=True):
    """The subject of a message and its lines."""

    subject: str
    lines: tuple[str, ...]


def turns_in_words(texts: Translations, turns: Sequence[TurnLine]) -> Words:
    """Return the message about turns and invitations; one that holds a reminder is about time running out.

    >>> turns_in_words(Translations("en"), [TurnLine("azul", "https://play.example.org/table/a1")]).subject
    'Your turn: Azul'
    """
    urgent = [turn for turn in turns if turn.seconds_left is not None]
    named = urgent or [turn for turn in turns if not turn.is_invitation] or turns
    kind = "reminder" if urgent else "invitation" if named[0].is_invitation else "turn"
    how_many = "one" if len(named) == 1 else "many"
    subject = texts(f"news.{kind}.{how_many}", n=len(named), game=texts(f"screen.game.{named[0].title}"))
    return Words(subject, tuple(_line(texts, turn) for turn in turns))


def _line(texts: Translations, turn: TurnLine) -> str:
    game = texts(f"screen.game.{turn.title}")
    if turn.is_invitation:
        return texts("news.line.invitation", game=game, url=turn.url)
    if turn.seconds_left is None:
        return texts("news.line.turn", game=game, url=turn.url)
    return texts("news.line.reminder", game=game, url=turn.url, n=ceil(turn.seconds_left / HOUR_SECONDS))


def test_in_words(texts: Translations, url: str) -> Words:
    """Return the message that tries a channel."""
    return Words(texts("news.test"), (texts("news.test.line", url=url),))


def confirmation_in_words(texts: Translations, url: str) -> Words:
    """Return the mail that asks the owner of an address to confirm it."""
    return Words(texts("news.confirm"), (texts("news.confirm.line", url=url), texts("news.confirm.ignore")))


def footer_in_words(texts: Translations, *, is_confirmed: bool) -> tuple[str, str]:
    """Return why a mail was sent, and the text of the link that ends such mails."""
    return texts("news.why" if is_confirmed else "news.why.confirm"), texts("news.leave")
