"""What a host can set: each by an option or by an environment variable `TESSELLA_…`.

`Settings` is the one table: the options, `--help`, the environment and the reference page are all made from it.
`scripts/docs-reference` writes the page.
"""

import argparse
import os
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Literal, cast

import msgspec
from msgspec import Meta, Struct, inspect

PREFIX = "TESSELLA_"


def data_folder() -> Path:
    """Where this user's programs keep what they must not lose."""
    given = os.environ.get("XDG_DATA_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(given) if given else Path.home() / ".local" / "share") / "tessella"


def default_database() -> str:
    """One file in the user's data folder."""
    return f"sqlite:{data_folder() / 'tessella.sqlite3'}"


class Settings(Struct, frozen=True):
    """How a worker runs."""

    database: Annotated[
        str,
        Meta(
            description="Where games are kept: sqlite:FILE for one process, postgresql://… for many. By default one "
            "file in your data folder, $XDG_DATA_HOME/tessella/tessella.sqlite3.",
            pattern="^(sqlite:.|postgresql://)",
        ),
    ] = msgspec.field(default_factory=default_database)
    bus: Annotated[
        str,
        Meta(
            description="How workers hear of each other: nats://…, postgresql://…, or nothing for one process.",
            pattern="^($|nats://|postgresql://)",
        ),
    ] = ""
    address: Annotated[
        str, Meta(description="The address to listen on. 0.0.0.0 lets other machines in; the default does not.")
    ] = "127.0.0.1"
    port: Annotated[
        int,
        Meta(
            description="The port to listen on; 0 takes any that is free. `work` listens only if a port is given, "
            "and only for /health, /ready and /metrics.",
            ge=0,
            le=65_535,
        ),
    ] = 8642
    bots: Annotated[
        int,
        Meta(
            description="How many computer players think at the same time in this process; 0 leaves it to "
            "`tessella work`.",
            ge=0,
            le=256,
        ),
    ] = 1
    open: Annotated[
        bool | None,
        Meta(description="Open the browser once the server answers. By default only when a terminal is attached."),
    ] = None
    proxies: Annotated[
        str,
        Meta(
            description="Whose word counts about a visitor's address and whether TLS was used: the addresses of your "
            "proxies, separated by commas; * where nobody but the proxy can reach this port.",
        ),
    ] = "127.0.0.1"
    metrics_token: Annotated[
        str,
        Meta(
            description="Who says this token (Authorization: Bearer …) may read /metrics from anywhere; without one "
            "only this machine may. Better set in the environment: others can see options.",
        ),
    ] = ""
    log: Annotated[
        Literal["auto", "json", "text"],
        Meta(description="Lines of JSON, or text for a person; auto is text when a terminal is attached."),
    ] = "auto"
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"], Meta(description="What is worth a line in the log.")
    ] = "info"
    access_log: Annotated[
        bool, Meta(description="Also log each request: method, route, status and seconds, never who asked.")
    ] = False


COMMANDS: Mapping[str, Sequence[str]] = {
    "serve": Settings.__struct_fields__,
    "work": ("database", "bus", "bots", "address", "port", "metrics_token", "log", "log_level"),
    "admin": ("database", "bus"),
}
"""Which settings each command has."""

OTHER_DEFAULTS: Mapping[str, Mapping[str, object]] = {"work": {"port": 0}}


class BadSetting(ValueError):
    """A setting is not what it must be; the sentence says which, and what it must be."""


def add_settings(parser: argparse.ArgumentParser, command: str) -> None:
    """Give a command an option for each of its settings."""
    for name, field in _fields(command).items():
        option = "--" + name.replace("_", "-")
        words = f"{field.description} ({', '.join(filter(None, [PREFIX + name.upper(), field.default]))})"
        if field.is_switch:
            parser.add_argument(option, action=argparse.BooleanOptionalAction, default=None, help=words)
        else:
            choices = f"{{{','.join(field.choices)}}}" if field.choices else name.upper()
            parser.add_argument(option, metavar=choices, help=words)


def read(command: str, options: Mapping[str, object], environment: Mapping[str, str]) -> Settings:
    """The settings of a command: an option wins over the environment, which wins over the default."""
    known = {PREFIX + name.upper(): name for name in Settings.__struct_fields__}
    for variable in sorted(environment.keys() - known.keys()):
        if variable.startswith(PREFIX) and (meant := get_close_matches(variable, known, cutoff=0.8)):
            raise BadSetting(f"{variable} is not a setting; {meant[0]} is")
    given: dict[str, object] = {
        **OTHER_DEFAULTS.get(command, {}),
        **{name: environment[variable] for variable, name in known.items() if environment.get(variable)},
        **{name: options[name] for name in COMMANDS[command] if options.get(name) is not None},
    }
    try:
        return msgspec.convert(given, Settings, strict=False)
    except msgspec.ValidationError as wrong:
        what, _, where = str(wrong).partition(" - at `$.")
        raise BadSetting(f"{where.rstrip('`')}: {what}") from None


class _Field(Struct, frozen=True):
    description: str
    default: str
    choices: tuple[str, ...]
    is_switch: bool


def _fields(command: str) -> dict[str, _Field]:
    info = inspect.type_info(Settings)
    assert isinstance(info, inspect.StructType)
    other = OTHER_DEFAULTS.get(command, {})
    return {
        field.name: _field(field.type, other.get(field.name, field.default))
        for field in info.fields
        if field.name in COMMANDS[command]
    }


def _field(kind: inspect.Type, default: object) -> _Field:
    assert isinstance(kind, inspect.Metadata)
    inner = kind.type
    return _Field(
        description=cast("dict[str, str]", kind.extra_json_schema)["description"],  # pyright: ignore[reportUnknownMemberType]
        default="" if default in (msgspec.NODEFAULT, None, "") else str(default).lower(),
        choices=tuple(map(str, inner.values)) if isinstance(inner, inspect.LiteralType) else (),
        is_switch=isinstance(inner, inspect.BoolType | inspect.UnionType),
    )


def document() -> str:
    """The reference page."""
    rows = [
        f"| `--{name.replace('_', '-')}` | `{PREFIX}{name.upper()}` | {f'`{field.default}`' if field.default else '–'} "
        f"| {', '.join(command for command, names in COMMANDS.items() if name in names)} | {field.description} |"
        for name, field in _fields("serve").items()
    ]
    return "\n".join([_INTRODUCTION, *rows, ""])


_INTRODUCTION = """# Settings

Made from the settings themselves by `scripts/docs-reference`.

Each setting is an option of `tessella serve`, `tessella work` or `tessella admin`, or an environment variable. An
option wins over the environment, which wins over the default. A variable that is nearly one of these is refused: a
misspelt `TESSELLA_DATABASE` would otherwise start a server without its games.

| option | variable | default | for | what it does |
|---|---|---|---|---|"""
