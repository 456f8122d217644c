"""No sentence of the publishers' rulebooks is in ours: our texts say the rules in our own words.

The rulebooks themselves are not here. `rulebooks.bin` has a hash of every eight words in a row that occur in
them (Dutch and French): enough to recognise a sentence, too little to read one. `python -m tests.lint.test_rulebooks
FILE…` makes it anew from the texts of the rulebooks.
"""

import json
import re
import sys
import tomllib
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HASHES = Path(__file__).with_name("rulebooks.bin")
WORDS, BYTES = 8, 5
OURS = (
    *("README.md", "CHANGELOG.md", "docs/**/*.md", "src/tessella/rules/*.md"),
    *("src/tessella/text/locales/*.toml", "src/tessella/lessons/*.toml", "web/src/locales/*/*.json"),
)


def hashed(text: str) -> Iterator[tuple[bytes, str]]:
    """Yield the hash of every eight words in a row, with the words."""
    words = re.findall(r"\w+", text.casefold())
    for start in range(len(words) - WORDS + 1):
        passage = " ".join(words[start : start + WORDS])
        yield blake2b(passage.encode(), digest_size=BYTES).digest(), passage


def texts(path: Path) -> Iterator[str]:
    """Yield the texts of a file, so that two that stand beside each other make no sentence."""
    match path.suffix:
        case ".json":
            yield from _strings(json.loads(path.read_text("utf-8")))
        case ".toml":
            yield from _strings(tomllib.loads(path.read_text("utf-8")))
        case _:
            yield from path.read_text("utf-8").split("\n\n")


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _strings(each)


def known() -> frozenset[bytes]:
    data = HASHES.read_bytes()
    return frozenset(data[start : start + BYTES] for start in range(0, len(data), BYTES))


@pytest.mark.parametrize("pattern", OURS)
def test_no_sentence_of_a_rulebook_is_in_our_texts(pattern):
    theirs = known()
    files = sorted(ROOT.glob(pattern))
    assert files
    assert [
        (path.name, passage)
        for path in files
        for text in texts(path)
        for mark, passage in hashed(text)
        if mark in theirs
    ] == []


def test_a_sentence_is_recognised_whatever_its_case_and_marks():
    """The check would find one: some passages of a rulebook, as hashes only."""
    theirs = {mark for mark, _ in hashed("On your turn you take all the tiles of one colour from a display.")}
    copied = "(on your TURN, you take: all the tiles of one colour!)"
    assert any(mark in theirs for mark, _ in hashed(copied))
    assert not any(mark in theirs for mark, _ in hashed("On your turn, take every tile of a colour from a display."))
    assert len(known()) > 7_000


if __name__ == "__main__":
    passages = {mark for name in sys.argv[1:] for mark, _ in hashed(Path(name).read_text("utf-8"))}
    HASHES.write_bytes(b"".join(sorted(passages)))
