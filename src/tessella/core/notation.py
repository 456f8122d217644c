"""Parsing of notation by regular expressions, with errors that say what was expected."""

import re

from tessella.core.game import BadNotation


def match_groups(pattern: str, text: str, expected: str) -> tuple[str, ...]:
    """Return the groups of a full match; raise `BadNotation` that names what was expected.

    >>> match_groups("([0-3])>([0-3])", "0>1", "START>CURRENT")
    ('0', '1')
    """
    found = re.fullmatch(pattern, text)
    if found is None:
        raise BadNotation(f"{text!r} is not {expected}")
    return found.groups()
