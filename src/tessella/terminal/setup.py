"""Setup of a local game: its players, bots and options."""

from collections.abc import Sequence
from secrets import token_hex

from msgspec import Struct

from tessella.bots import names as bots_of
from tessella.core import record
from tessella.core.game import AnyGame, Config, Seat
from tessella.core.local import AnyTable, LocalTable
from tessella.text.i18n import Translations


class Setup(Struct, frozen=True):
    """A table with its players; `bots` holds the bot of each bot seat."""

    table: AnyTable
    names: tuple[str, ...]
    bots: dict[Seat, str]


def set_up_table(
    game: AnyGame, players: Sequence[str], options: Sequence[str], seed: bytes | None, texts: Translations
) -> Setup:
    """Return a table for these players; the name of a level or of a bot seats that bot."""
    levels = [level_of(game, name, texts) for name in players]
    given = [bot_name(texts, level) or name for level, name in zip(levels, players, strict=True)]
    names = tuple(distinct(given))
    config = read_config(game, len(names), options)
    table = LocalTable(game, config, seed=seed, id="seeded" if seed else token_hex(8), names=names)
    return Setup(table, names, {seat: level for seat, level in enumerate(levels) if level})


def read_config(game: AnyGame, seats: int | None, options: Sequence[str]) -> Config:
    """Return the configuration for options such as `wall=grey`."""
    given = [*([f"seats={seats}"] if seats else []), *options]
    config: Config = record.read_options(game, given)
    return config


def level_of(game: AnyGame, name: str, texts: Translations) -> str:
    """Return the level that a number or a translated name means, or nothing for a person.

    >>> from tessella.games import azul
    >>> english = Translations("en")
    >>> [level_of(azul, name, english) for name in ("3", "collector", "Ann")]
    ['3', '3', '']
    """
    found = (level for level in bots_of(game) if name.casefold() in (level, bot_name(texts, level).casefold()))
    return next(found, "")


def bot_name(texts: Translations, level: str) -> str:
    """Return the translated name of a bot, or nothing if it has none."""
    return texts(f"level.{level}") if texts.has(f"level.{level}") else ""


def distinct(names: Sequence[str]) -> list[str]:
    """Return the names, numbered where they repeat.

    >>> distinct(["Ann", "greedy", "greedy"])
    ['Ann', 'greedy', 'greedy 2']
    """
    earlier = [names[:seat].count(name) for seat, name in enumerate(names)]
    return [f"{name} {count + 1}" if count else name for name, count in zip(names, earlier, strict=True)]
