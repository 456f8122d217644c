"""Setting a table at this keyboard: who plays, who of them is a computer player, and by which options."""

from collections.abc import Sequence
from secrets import token_hex
from typing import Any, TypeAlias

from msgspec import Struct

from tessella.bots import names as bots_of
from tessella.core import record
from tessella.core.game import AnyGame, Config, Seat
from tessella.core.record import Table
from tessella.terminal.words import Words

AnyTable: TypeAlias = Table[Any, Any, Any, Any, Any, Any, Any]


class Setting(Struct, frozen=True):
    """A table at which everybody sits; `bots` names the computer players."""

    table: AnyTable
    names: tuple[str, ...]
    bots: dict[Seat, str]


def set_table(
    game: AnyGame, players: Sequence[str], options: Sequence[str], seed: bytes | None, words: Words
) -> Setting:
    """Let everybody sit down; a player with the name of a level, or of a bot, is that computer player."""
    levels = [level_of(game, name, words) for name in players]
    called = [called_by(words, level) or name for level, name in zip(levels, players, strict=True)]
    names = tuple(distinct(called))
    config = read_config(game, len(names), options)
    table = Table(game, config, seed=seed, id="seeded" if seed else token_hex(8), names=names)
    return Setting(table, names, {seat: level for seat, level in enumerate(levels) if level})


def read_config(game: AnyGame, seats: int | None, options: Sequence[str]) -> Config:
    """The options as they were typed, `wall=grey`."""
    given = [*([f"seats={seats}"] if seats else []), *options]
    config: Config = record.read_rules(game, " ".join([f"{game.NAME}/{game.EDITION}", *given]))
    return config


def level_of(game: AnyGame, name: str, words: Words) -> str:
    """The computer player that is meant, by its number or by its name for people; nothing if it is a person.

    >>> from tessella.games import azul
    >>> level_of(azul, "3", Words("en")), level_of(azul, "collector", Words("en")), level_of(azul, "Ann", Words("en"))
    ('3', '3', '')
    """
    found = (level for level in bots_of(game) if name.casefold() in (level, called_by(words, level).casefold()))
    return next(found, "")


def called_by(words: Words, level: str) -> str:
    """What a computer player is called at the table; nothing if it has no name for people."""
    return words(f"level.{level}") if words.has(f"level.{level}") else ""


def distinct(names: Sequence[str]) -> list[str]:
    """Names that can be told apart.

    >>> distinct(["Ann", "greedy", "greedy"])
    ['Ann', 'greedy', 'greedy 2']
    """
    earlier = [names[:seat].count(name) for seat, name in enumerate(names)]
    return [f"{name} {count + 1}" if count else name for name, count in zip(names, earlier, strict=True)]
