"""Mutants of export and erasure."""

# pyright: reportUnknownLambdaType=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false
# A patched attribute may have any type.

from collections.abc import Mapping
from typing import Any

from proofs.mutants.mutant import Mutant, patch


async def _do_nothing(*_: Any) -> None:
    pass


def _names_kept() -> None:
    from tessella.server.services import data_rights

    patch(data_rights, "_redact_names", lambda _: _do_nothing)


def _cached_names() -> None:
    from tessella.server.services import deletions

    patch(deletions, "check", lambda _: _do_nothing)


def _database_log_kept() -> None:
    from tessella.server.store.sqlite import SQLiteStore

    patch(SQLiteStore, "scrub", lambda _: _do_nothing)


def _sockets_kept() -> None:
    from tessella.server.services import revocation

    patch(revocation, "_close_ended", lambda _: _do_nothing)


def _plaintext_secrets() -> None:
    from tessella.server.people import identity

    patch(identity, "digest", lambda _: lambda secret: secret)


def _partial_export() -> None:
    from tessella.server.services import data_rights

    async def nothing(_store: Any, _person: Any) -> tuple[()]:
        return ()

    patch(data_rights, "_channels", lambda _: nothing)


MUTANTS: Mapping[str, Mutant] = {
    "names-kept": Mutant("a name is removed from every log", "privacy", 1, _names_kept),
    "cached-names": Mutant("other workers drop a deleted name too", "privacy", 1, _cached_names),
    "database-log-kept": Mutant("deleted data is in no log of the database", "privacy", 1, _database_log_kept),
    "sockets-kept": Mutant("a socket closes with its session", "privacy", 1, _sockets_kept),
    "plaintext-secrets": Mutant("only digests of secrets are stored", "privacy", 1, _plaintext_secrets),
    "partial-export": Mutant("the export is complete", "privacy", 1, _partial_export),
}
