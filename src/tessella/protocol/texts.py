"""The texts and the rules page that an installed game brings along, in its own package.

The package of the game holds `locales/{language}.toml` and `rules/{language}.md`; what is missing in a language is
read in English. Of the texts, `name` and `about` introduce the game, the table `illegal` translates the reasons why a
move is not allowed, and all others are those that the game's board and events refer to.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Literal, TypeAlias, get_args

from tessella.core.game import Public
from tessella.games import GAMES

Catalogue: TypeAlias = dict[str, str | dict[str, str]]

Language: TypeAlias = Literal["en", "nl", "fr", "de", "es", "it"]

LANGUAGES: tuple[Language, ...] = get_args(Language)


class TextsView(Public, frozen=True):
    """The texts of an installed game in one language, and its rules page as Markdown.

    A text is a sentence with `{blanks}`, or a pair `one` and `other` that is chosen by the blank `n`.
    """

    title: str
    texts: Mapping[str, str | Mapping[str, str]]
    rules: str


def texts_view(game: str, language: str) -> TextsView | None:
    """Return the texts of an installed game; None if no other package brings it, or there is no such language."""
    if game not in GAMES.installed or language not in LANGUAGES:
        return None
    return TextsView(game, own_texts(game, language), own_rules(game, language))


@cache
def own_texts(game: str, language: str) -> Catalogue:
    """Return the texts of an installed game: at least its name, and what it is about."""
    found = tomllib.loads(_read(game, f"locales/{language}.toml"))
    reasons: Mapping[str, str] = found.pop("illegal", {})
    illegal = {f"illegal.{reason}": text for reason, text in reasons.items()}
    fallback = {"name": game.title(), "about": ""} if language == "en" else own_texts(game, "en")
    return {**fallback, **found, **illegal}


def own_rules(game: str, language: str) -> str:
    """Return the rules page of an installed game as Markdown; nothing if it has none."""
    return _read(game, f"rules/{language}.md") or _read(game, "rules/en.md")


def house_texts(language: str) -> Catalogue:
    """Return the texts of all installed games by the keys under which the house looks for them."""
    return {key: text for game in GAMES.installed for key, text in _keyed(game, own_texts(game, language)).items()}


def _keyed(game: str, texts: Catalogue) -> Catalogue:
    keyed: Catalogue = {f"{game}.{key}": text for key, text in texts.items()}
    reasons = [key for key in texts if key.startswith("illegal.")]
    keyed |= {f"illegal.{game}.{key.removeprefix('illegal.')}": texts[key] for key in reasons}
    name, about = str(texts["name"]), str(texts["about"])
    return keyed | {f"screen.game.{game}": name, f"screen.home.{game}": f"{name:<12} {about}".rstrip()}


def _read(game: str, path: str) -> str:
    """Return a file of the game's package; nothing if there is none."""
    package = str(getattr(GAMES.installed[game], "__package__", "") or "")
    try:
        return files(package).joinpath(*path.split("/")).read_text("utf-8")
    except (FileNotFoundError, ModuleNotFoundError, ValueError):
        return ""
