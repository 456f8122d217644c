"""The numbered rules of each game, read from its rules page; an installed game brings its own."""

import re
from functools import cache
from importlib.resources import files

from msgspec import Struct

from tessella.games import GAMES
from tessella.protocol.texts import own_rules

_RULE = re.compile(r"^- \*\*(?P<id>[A-Z]{2}\d\d)\*\* \*(?P<title>[^*]+)\* (?P<text>.+)$")


class Rule(Struct, frozen=True):
    """One numbered rule."""

    id: str
    title: str
    text: str


class Page(Struct, frozen=True):
    """The rules of a game in one language, under their headings."""

    title: str
    note: str
    sections: tuple[tuple[str, tuple[Rule, ...]], ...]

    def rule(self, rule_id: str) -> Rule | None:
        """Return the rule with this id, or None."""
        rules = (rule for _, rules in self.sections for rule in rules)
        return next((rule for rule in rules if rule.id == rule_id), None)


@cache
def page(game: str, language: str) -> Page:
    """Return the rules page of a game; an empty one if an installed game has none."""
    title, *parts = _text(game, language).split("\n## ")
    note = next((line for line in title.splitlines() if line.startswith("*")), "")
    return Page(title.partition("\n")[0].removeprefix("# "), note.strip("*"), tuple(map(_section, parts)))


def _text(game: str, language: str) -> str:
    if game in GAMES.installed:
        return own_rules(game, language)
    return files("tessella").joinpath("rules", f"{game}.{language}.md").read_text("utf-8")


def _section(part: str) -> tuple[str, tuple[Rule, ...]]:
    heading, *lines = part.splitlines()
    found = (_RULE.match(line) for line in lines)
    return heading, tuple(Rule(rule["id"], rule["title"], _plain(rule["text"])) for rule in found if rule)


def _plain(text: str) -> str:
    return re.sub(r"\*{1,2}([^*\s][^*]*)\*{1,2}", r"\1", text).replace("`", "")
