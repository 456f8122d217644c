"""The same game under other names, for models that may have memorised this one.

Colours get other names and letters, and pieces, places and rule numbers other words. Nothing else changes: a move in
disguise and the real one stand for each other, one to one.
"""

import re
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from msgspec import Struct

COLOURS: Mapping[str, Mapping[str, str]] = {
    "azul": {"b": "blue", "y": "yellow", "r": "red", "k": "black", "w": "white"},
    "blockers": {"b": "blue", "y": "yellow", "r": "red", "g": "green", "v": "violet"},
    "duel": {"b": "blue", "y": "yellow", "r": "red", "k": "black", "t": "turquoise"},
}
"""Colours by their letters in each game."""
OTHER_COLOURS = {"j": "jade", "l": "lilac", "n": "navy", "q": "quartz", "z": "zinc"}
"""Colours whose letters occur in no notation."""
WORDS: Mapping[str, str] = {
    "azul duel": "Frieze for Two",
    "azul": "Frieze",
    "blockers!": "Outposts",
    "blockers": "Outposts",
    "factories": "kilns",
    "factory": "kiln",
    "centre": "yard",
    "pattern lines": "rails",
    "pattern line": "rail",
    "floor lines": "gutters",
    "floor line": "gutter",
    "floor": "gutter",
    "walls": "panels",
    "wall": "panel",
    "bag": "sack",
    "lid": "crate",
    "domes": "vaults",
    "dome": "vault",
    "plates": "slabs",
    "plate": "slab",
    "chips": "coins",
    "chip": "coin",
    "racks": "shelves",
    "rack": "shelf",
    "supply": "reserve",
    "supplies": "reserves",
    "captured": "seized",
    "captures": "seizes",
    "capture": "seize",
}
"""What pieces and places are called in disguise."""
RULE = re.compile(r"\b(?:AZ|BL|DU)(\d\d)\b")


class Disguise(Struct, frozen=True):
    """Other names for one game.

    >>> disguise = Disguise.of("azul", seed=1)
    >>> disguise.move(disguise.move("3r4"))
    '3r4'
    >>> "red" in disguise.prose("the red tiles of factory 3")
    False
    """

    game: str
    codes: Mapping[str, str]
    """The new letter of each colour."""

    @classmethod
    def of(cls, game: str, seed: int) -> "Disguise":
        """Return a disguise in which chance picks the new name of each colour."""
        others = [*OTHER_COLOURS]
        Random(seed).shuffle(others)  # noqa: S311
        return cls(game, dict(zip(COLOURS[game], others, strict=True)))

    def move(self, text: str) -> str:
        """Return a move in disguise, or the real one of a move in disguise: letters are swapped in pairs."""
        return text.translate(self._swaps)

    def prose(self, text: str) -> str:
        """Return sentences in disguise."""
        text = RULE.sub(r"R\1", text)
        text = self._pattern.sub(lambda found: _like(found[0], self._words[found[0].lower()]), text)
        return re.sub(r"\[(\w)\]", lambda found: f"[{self._tile(found[1])}]", text)

    def data(self, value: Any) -> Any:  # noqa: ANN401
        """Return decoded JSON in disguise: keys as prose, strings of tiles with other letters."""
        known = value
        if isinstance(value, dict):
            return {"_".join(map(self.prose, key.split("_"))): self.data(part) for key, part in known.items()}
        if isinstance(value, list):
            return [self.data(part) for part in known]
        return self._text(value) if isinstance(value, str) else value

    def rule(self, number: str) -> str:
        """Return the real number of a rule in disguise."""
        prefix = {"azul": "AZ", "blockers": "BL", "duel": "DU"}[self.game]
        return re.sub(r"^R(?=\d\d$)", prefix, number)

    def notation(self, text: str) -> str:
        """Return an explanation of the notation in disguise: its examples, and the letters that it lists."""
        old = "".join(self.codes)
        tiles = rf"(?<!\w)(?:\d[{old}*?]{{4}}|[{old.upper()}][{old}]|[{old}{old.upper()}]\d?)(?!\w)"
        example = r"^  \S+"
        return self.prose(re.sub(f"{example}|{tiles}", lambda found: self.move(found[0]), text, flags=re.MULTILINE))

    def _text(self, value: str) -> str:
        tiles = set(value) <= set("".join(self.codes)) | set("".join(self.codes).upper()) | set(".*?1m-")
        return self.move(value) if tiles else self.prose(value)

    def _tile(self, letter: str) -> str:
        new = self.codes.get(letter.lower(), letter)
        return new.upper() if letter.isupper() else new

    @property
    def _swaps(self) -> dict[int, str]:
        pairs = [*self.codes.items(), *((new, old) for old, new in self.codes.items())]
        if self.game != "blockers":  # capitals are cells and faces there, and colours in the other games
            pairs += [(old.upper(), new.upper()) for old, new in pairs]
        return str.maketrans(dict(pairs))

    @property
    def _words(self) -> Mapping[str, str]:
        names = COLOURS[self.game]
        return {**WORDS, **{names[old]: OTHER_COLOURS[new] for old, new in self.codes.items()}}

    @property
    def _pattern(self) -> re.Pattern[str]:
        return _pattern_of(tuple(self._words))


def _pattern_of(words: Sequence[str]) -> re.Pattern[str]:
    longest_first = sorted(words, key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, longest_first))})(?!\w)", re.IGNORECASE)


def _like(old: str, new: str) -> str:
    return new[0].upper() + new[1:] if old[0].isupper() else new
