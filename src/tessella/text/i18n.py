"""Translations of everything the terminal prints, one file per language in `locales/*.toml`.

A text is a sentence with `{blanks}`, or a pair `one` and `other` that is chosen by the blank `n`.
"""

import os
import tomllib
from functools import cache
from importlib.resources import files
from typing import cast

from tessella.protocol.texts import LANGUAGES, Catalogue, house_texts

__all__ = ["LANGUAGES", "Catalogue", "Translations", "catalogue", "preferred_language"]


class Translations:
    """The translations of one language.

    >>> Translations("en")("points", n=1), Translations("nl")("points", n=2)
    ('1 point', '2 punten')
    """

    def __init__(self, language: str) -> None:
        self.language = language
        self._texts = catalogue(language)

    def __call__(self, key: str, **blanks: object) -> str:
        """Return a text with its blanks filled in."""
        text = self._texts[key]
        if isinstance(text, dict):
            text = text["one" if self._is_one(blanks["n"]) else "other"]
        return text.format(**blanks)

    def has(self, key: str) -> bool:
        """Return whether the key has a text."""
        return key in self._texts

    def _is_one(self, number: object) -> bool:
        return number in ((0, 1) if self.language == "fr" else (1,))


@cache
def catalogue(language: str) -> Catalogue:
    """Return all texts of a language, with those of installed games."""
    text = files("tessella.text").joinpath("locales", f"{language}.toml").read_text("utf-8")
    return {**house_texts(language), **cast("Catalogue", tomllib.loads(text))}


def preferred_language() -> str:
    """Return the language of the environment, or English if there is no translation."""
    wanted = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    return wanted[:2] if wanted[:2] in LANGUAGES else "en"
