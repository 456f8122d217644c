"""Names that only the host may give: offices, and the names of bots; look-alikes are found by folding.

Folding is a small table, not the whole of Unicode's confusables: it covers case, accents, compatibility forms, the
Cyrillic and Greek letters that look Latin, and digits and signs that stand for letters.
"""

import re
import unicodedata
from functools import cache

from tessella.text.i18n import LANGUAGES, catalogue

OFFICES = (
    "admin",
    "administrator",
    "host",
    "moderator",
    "tessella",
    "beheerder",
    "gastheer",
    "administrateur",
    "modérateur",
    "hôte",
    "betreiber",
    "gastgeber",
)
"""Words that no name of a player contains."""

RESERVED = ("bot", "computer", "deleted", "system")
"""Whole names that no player has, besides those of the levels."""

LOOK_ALIKES = str.maketrans(
    "авсԁеһіјӏкмнорԛѕтѵԝхуё" + "αβεηικμνορτυχωγ" + "øłđı" + "i|!013457@$€",
    "abcdehljlkmhopqstvwxye" + "abenlkmvoptuxwy" + "oldl" + "llloleastase",
)
"""Letters, digits and signs, each with the one it passes for; i, l and 1 are the same."""


def fold(name: str) -> str:
    """Return what a name looks like, to compare it with others.

    >>> fold("Аdm1n"), fold(" ádmin."), fold("Tesse11a") == fold("TESSELLA")
    ('admln', 'admln', True)
    """
    plain = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", name).casefold())
    letters = "".join(letter for letter in plain.translate(LOOK_ALIKES) if letter.isalnum())
    return letters.replace("rn", "m").replace("vv", "w")


def is_reserved(name: str) -> bool:
    """Return whether only the host may give this name.

    >>> is_reserved("The H0st"), is_reserved("Grand Master"), is_reserved("Ghost"), is_reserved("Ann")
    (True, True, False, False)
    """
    parts = re.split(r"[\s_.,:;/+-]+", name)
    return fold(name) in _reserved() or any(fold(part) in _offices() for part in (name, *parts))


@cache
def _offices() -> frozenset[str]:
    return frozenset(map(fold, OFFICES))


@cache
def _reserved() -> frozenset[str]:
    """Return the folded names that are reserved as a whole: those of the levels, in every language, among them."""
    levels = [
        text
        for language in LANGUAGES
        for key, text in catalogue(language).items()
        if key.startswith("level.") and isinstance(text, str)
    ]
    return frozenset(map(fold, (*OFFICES, *RESERVED, *levels)))
