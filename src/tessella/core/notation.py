"""Parsing of notation by regular expressions, with errors that say what was expected."""

import re

from tessella.core.game import BadNotation

MAX_QUOTED_CHARACTERS = 60


def abbreviate(text: str) -> str:
    """Return the beginning of a long text.

    >>> abbreviate("3r4"), len(abbreviate("x" * 1000))
    ('3r4', 61)
    """
    return text if len(text) <= MAX_QUOTED_CHARACTERS else text[:MAX_QUOTED_CHARACTERS] + "…"


def quote(text: str) -> str:
    """Return a text as errors quote it: in one line, and abbreviated.

    >>> quote("3r4")
    "'3r4'"
    """
    return repr(abbreviate(text))


def decode_text(data: bytes, name: str) -> str:
    """Return the text of a file of this name; raise `BadNotation` if it is not UTF-8."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadNotation(f"{name} is not a text file in UTF-8") from None


def match_groups(pattern: str, text: str, expected: str) -> tuple[str, ...]:
    """Return the groups of a full match; raise `BadNotation` that names what was expected.

    >>> match_groups("([0-3])>([0-3])", "0>1", "START>CURRENT")
    ('0', '1')
    """
    found = re.fullmatch(pattern, text)
    if found is None:
        raise BadNotation(f"{quote(text)} is not {expected}")
    return found.groups()
