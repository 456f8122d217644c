"""Why a move is not allowed, as a sentence in the reader's language.

The rules give a reason in English with its blanks open; a translation is looked up by it.
"""

from tessella.core.game import IllegalMove
from tessella.games.blockers.pieces import LETTERS, NUMBERS
from tessella.text.i18n import Translations

COLOUR_CODES = {
    "blue": "b",
    "yellow": "y",
    "red": "r",
    "black": "k",
    "white": "w",
    "turquoise": "t",
    "green": "g",
    "violet": "v",
}
"""The letters of the colours that the rules name."""


def illegal_text(game: str, error: IllegalMove, texts: Translations) -> str:
    """Return why the move is not allowed; in English if there is no translation.

    >>> illegal_text("azul", IllegalMove("AZ14", "line {line} is full", line=1), Translations("nl"))
    'Lijn 1 is vol.'
    """
    key = f"illegal.{game}.{error.reason}"
    if not texts.has(key):
        return f"{error.why[0].upper()}{error.why[1:]}."
    blanks = {name: _translate(game, str(value), texts) for name, value in error.blanks.items()}
    if "home" in blanks:
        blanks["home"] = _home(str(error.blanks["face"]), texts)
    return texts(key, **blanks)


def _translate(game: str, word: str, texts: Translations) -> str:
    """Return a colour in the reader's language, and anything else as it is."""
    key = f"{game}.colour.{COLOUR_CODES.get(word)}"
    return texts(key) if texts.has(key) else word


def _home(face: str, texts: Translations) -> str:
    """BL10: return where a tile of Blockers! belongs."""
    if face in LETTERS:
        return texts("blockers.home.row", n=face)
    if face in NUMBERS:
        return texts("blockers.home.column", n=face)
    return texts("blockers.home.block", symbol=texts(f"aloud.symbol.{face}"))
