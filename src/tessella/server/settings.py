"""The settings of a server, each by an option or an environment variable `TESSELLA_…`.

`Settings` is the single source: options, `--help`, environment variables and the reference page are made from it.
`scripts/docs-reference` writes the page.
"""

import argparse
import os
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Literal, TypeAlias, cast

import msgspec
from msgspec import Meta, Struct, inspect

PREFIX = "TESSELLA_"

Registration: TypeAlias = Literal["open", "invitation", "closed"]
"""Who may sign up."""


def data_folder() -> Path:
    """Return the data folder of the current user."""
    given = os.environ.get("XDG_DATA_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(given) if given else Path.home() / ".local" / "share") / "tessella"


def default_database() -> str:
    """Return the URL of a SQLite file in the user's data folder."""
    return f"sqlite:{data_folder() / 'tessella.sqlite3'}"


class Settings(Struct, frozen=True):
    """The settings of a worker."""

    database: Annotated[
        str,
        Meta(
            description="Where games are stored: sqlite:FILE for one process, postgresql://… for many. By default one "
            "file in your data folder, $XDG_DATA_HOME/tessella/tessella.sqlite3.",
            pattern="^(sqlite:.|postgresql://)",
        ),
    ] = msgspec.field(default_factory=default_database)
    bus: Annotated[
        str,
        Meta(
            description="The bus between workers: nats://…, postgresql://…, or empty for one process.",
            pattern="^($|nats://|postgresql://)",
        ),
    ] = ""
    address: Annotated[
        str, Meta(description="The address to listen on. 0.0.0.0 accepts other machines; the default does not.")
    ] = "127.0.0.1"
    port: Annotated[
        int,
        Meta(
            description="The port to listen on; 0 takes any free one. `work` listens only if a port is given, "
            "and only for /health, /ready and /metrics.",
            ge=0,
            le=65_535,
        ),
    ] = 8642
    bots: Annotated[
        int,
        Meta(
            description="How many bots think at the same time in this process; 0 leaves that to `tessella work`.",
            ge=0,
            le=256,
        ),
    ] = 1
    compute: Annotated[
        int,
        Meta(
            description="How many child processes compute expensive answers, such as replays; they are started on "
            "demand. 0 computes them in this process, which delays moves.",
            ge=0,
            le=64,
        ),
    ] = 1
    open: Annotated[
        bool | None,
        Meta(description="Open the browser when the server is ready. By default only if a terminal is attached."),
    ] = None
    proxies: Annotated[
        str,
        Meta(
            description="The addresses of your proxies, separated by commas, whose X-Forwarded-For and "
            "X-Forwarded-Proto headers are trusted; * if only the proxy can reach this port.",
        ),
    ] = "127.0.0.1"
    metrics_token: Annotated[
        str,
        Meta(
            description="The token (Authorization: Bearer …) with which /metrics can be read from anywhere; without "
            "one, only from this machine. Set it in the environment: other users can see options.",
        ),
    ] = ""
    keep_unstarted_days: Annotated[
        float,
        Meta(
            description="Close a table whose game has not started after this many days without activity, and remove "
            "it a day later; a table without players is closed after one day. 0 keeps such tables.",
            ge=0,
        ),
    ] = 14
    keep_abandoned_days: Annotated[
        float,
        Meta(
            description="End a game without a clock after this many days without a move; it is kept as unfinished, "
            "without a result. 0 never ends it.",
            ge=0,
        ),
    ] = 90
    keep_guests_days: Annotated[
        float,
        Meta(
            description="Remove a guest who never sat at a table this many days after the first visit. 0 keeps all "
            "guests.",
            ge=0,
        ),
    ] = 30
    keep_reviews_days: Annotated[
        float,
        Meta(
            description="Remove reviews by the coach after this many days; they can be requested again. 0 keeps them.",
            ge=0,
        ),
    ] = 180
    seal_days: Annotated[
        float,
        Meta(
            description="Pack the log of a finished game into one small row this many days after its last entry; it "
            "stays readable as before. Workers of versions without this setting cannot read it. 0 never does.",
            ge=0,
        ),
    ] = 1
    keep_reports_days: Annotated[
        float,
        Meta(
            description="Remove reports of players, and the log of what moderators and the host did, after this many "
            "days. 0 keeps them.",
            ge=0,
        ),
    ] = 365
    tables_per_person: Annotated[
        int,
        Meta(
            description="The most unfinished tables that one person may have opened; with that many, quick pairing "
            "finds them no further game.",
            ge=1,
        ),
    ] = 50
    listed_per_person: Annotated[int, Meta(description="The most public open tables of one person.", ge=1)] = 5
    tables_per_address: Annotated[
        int,
        Meta(
            description="The most unfinished tables of all guests of one address (for IPv6, one /64); members and "
            "connections from this machine are not counted.",
            ge=1,
        ),
    ] = 200
    listed_per_address: Annotated[
        int, Meta(description="The most public open tables of all guests of one address.", ge=1)
    ] = 20
    registration: Annotated[
        Registration,
        Meta(
            description="Who may sign up: everyone (open), those with a link of `tessella admin people invite` "
            "(invitation), or nobody (closed).",
        ),
    ] = "open"
    guests: Annotated[
        bool,
        Meta(description="Let people play without an account. Without guests only members play; anyone may watch."),
    ] = True
    hosts: Annotated[
        str,
        Meta(
            description="The host names under which this server answers, separated by commas, such as "
            "play.example.org,*.example.org; 127.0.0.1 and localhost always work. Empty answers under any name.",
        ),
    ] = ""
    oidc_issuer: Annotated[
        str,
        Meta(
            description="The issuer of accounts with which people can log in (OpenID Connect), such as "
            "https://id.example.org; needs the extra `oidc`. Register SITE/api/oidc/callback there. Empty: none.",
            pattern="^($|https?://.)",
        ),
    ] = ""
    oidc_client: Annotated[str, Meta(description="The id of this server at the issuer.")] = ""
    oidc_secret: Annotated[
        str,
        Meta(
            description="The secret of this server at the issuer. Set it in the environment: other users can see "
            "options.",
        ),
    ] = ""
    oidc_button: Annotated[str, Meta(description="The text of the button that begins such a log-in.")] = (
        "OpenID Connect"
    )
    site: Annotated[
        str,
        Meta(
            description="The public address of this server, such as https://play.example.org, for links in messages; "
            "required for e-mail.",
            pattern="^($|https?://[^/]+$)",
        ),
    ] = ""
    mail: Annotated[
        str,
        Meta(
            description="The mail server for news of turns: smtps://USER:PASSWORD@HOST:465, or smtp://… with STARTTLS "
            "(port 587); smtp+plain://… only on the same machine. Empty sends no mail. Set it in the environment: "
            "other users can see options.",
            pattern=r"^($|(smtps?|smtp\+plain)://.)",
        ),
    ] = ""
    mail_from: Annotated[
        str,
        Meta(description="The address that mail comes from; required for e-mail.", pattern="^($|[!-~]+@[!-~]+$)"),
    ] = ""
    webhook_hosts: Annotated[
        str,
        Meta(
            description="Origins inside your own network that webhooks may call, separated by commas, such as "
            "http://ntfy.lan:8080; all others must be public and use https.",
            pattern="^($|https?://)",
        ),
    ] = ""
    log: Annotated[
        Literal["auto", "json", "text"],
        Meta(description="JSON lines, or readable text; auto is text if a terminal is attached."),
    ] = "auto"
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"], Meta(description="The least severe level that is logged.")
    ] = "info"
    access_log: Annotated[
        bool, Meta(description="Also log each request: method, route, status and duration, never the client.")
    ] = False
    traces: Annotated[
        bool,
        Meta(
            description="Send OpenTelemetry traces of requests, stored entries and bot moves, without personal data, "
            "to $OTEL_EXPORTER_OTLP_ENDPOINT; needs the extra `traces`.",
        ),
    ] = False


COMMANDS: Mapping[str, Sequence[str]] = {
    "serve": Settings.__struct_fields__,
    "work": ("database", "bus", "bots", "address", "port", "metrics_token", "log", "log_level", "traces"),
    "admin": ("database", "bus", "site"),
}
"""The settings of each command."""

OTHER_DEFAULTS: Mapping[str, Mapping[str, object]] = {"work": {"port": 0}}


class BadSetting(ValueError):
    """A setting has an invalid value or name; the message says which, and what is expected."""


def add_settings(parser: argparse.ArgumentParser, command: str) -> None:
    """Add an option for each setting of a command to its parser."""
    for name, field in _fields(command).items():
        option = "--" + name.replace("_", "-")
        words = f"{field.description} ({', '.join(filter(None, [PREFIX + name.upper(), field.default]))})"
        if field.is_switch:
            parser.add_argument(option, action=argparse.BooleanOptionalAction, default=None, help=words)
        else:
            choices = f"{{{','.join(field.choices)}}}" if field.choices else name.upper()
            parser.add_argument(option, metavar=choices, help=words)


def read(command: str, options: Mapping[str, object], environment: Mapping[str, str]) -> Settings:
    """Return the settings of a command: options take precedence over the environment, and that over the defaults."""
    known = {PREFIX + name.upper(): name for name in Settings.__struct_fields__}
    for variable in sorted(environment.keys() - known.keys()):
        if variable.startswith(PREFIX) and (meant := get_close_matches(variable, known, cutoff=0.8)):
            raise BadSetting(f"unknown setting {variable}; did you mean {meant[0]}?")
    given: dict[str, object] = {
        **OTHER_DEFAULTS.get(command, {}),
        **{name: environment[variable] for variable, name in known.items() if environment.get(variable)},
        **{name: options[name] for name in COMMANDS[command] if options.get(name) is not None},
    }
    try:
        return _complete(msgspec.convert(given, Settings, strict=False))
    except msgspec.ValidationError as exc:
        what, _, where = str(exc).partition(" - at `$.")
        raise BadSetting(f"{where.rstrip('`')}: {what}") from None


def _complete(settings: Settings) -> Settings:
    """Return the settings; raise `BadSetting` if one lacks another that it needs."""
    if settings.mail and not (settings.site and settings.mail_from):
        raise BadSetting("mail: needs site, for the links in mails, and mail_from, the address that they come from")
    if settings.oidc_issuer and not (settings.oidc_client and settings.oidc_secret):
        raise BadSetting("oidc_issuer: needs oidc_client and oidc_secret, by which this server is known at the issuer")
    return settings


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
    """Return the reference page of the settings."""
    rows = [
        f"| `--{name.replace('_', '-')}` | `{PREFIX}{name.upper()}` | {f'`{field.default}`' if field.default else '–'} "
        f"| {', '.join(command for command, names in COMMANDS.items() if name in names)} | {field.description} |"
        for name, field in _fields("serve").items()
    ]
    return "\n".join([_INTRODUCTION, *rows, ""])


_INTRODUCTION = """# Settings

Generated from the source by `scripts/docs-reference`.

Each setting is an option of `tessella serve`, `tessella work` or `tessella admin`, or an environment variable. Options
take precedence over the environment, and the environment over the defaults. A variable whose name is nearly one of
these is an error: a misspelt `TESSELLA_DATABASE` would otherwise start a server without its games.

| option | variable | default | for | what it does |
|---|---|---|---|---|"""
