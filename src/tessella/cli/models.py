"""The command `tessella mcp`."""

import argparse


def add_mcp(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tessella mcp`."""
    parser.add_argument("--no-moves", action="store_true", help="leave out the tool that lists the legal moves")
    parser.set_defaults(run=_mcp)


def _mcp(options: argparse.Namespace) -> int:
    from tessella.models.mcp import server  # noqa: PLC0415  only this needs the protocol's library

    server(listed=not options.no_moves).run("stdio")
    return 0
