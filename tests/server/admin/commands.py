"""`tessella admin`, as a host types it."""

import io
import json
from contextlib import redirect_stderr, redirect_stdout

from tessella import cli


def admin(url, *arguments):
    """Run a command of the host; give its exit code and what it wrote to its two outputs."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = cli.main(["admin", *map(str, arguments), "--database", url])
    return code, out.getvalue(), err.getvalue()


def figures(url, *arguments):
    """What a command that succeeds gives as JSON."""
    code, out, err = admin(url, *arguments, "--json")
    assert code == 0, err
    return json.loads(out)


def refused(url, *arguments):
    """Why a command is refused."""
    code, _, err = admin(url, *arguments)
    assert code == 2, err
    return err
