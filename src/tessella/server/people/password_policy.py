"""A check for common passwords: common words with digits and signs around them, keyboard walks, dates.

Lists of the few thousand most common passwords consist mostly of these, so their parts are stored instead of a list.
"""

import re
import unicodedata
from functools import cache

_WORDS = """
abc abcd abcde abcdef access account adidas admin administrator alex alexander amanda amigo andrea andrew angel angela
animal anthony apple april arsenal asdf ashley august austin azerty azul baby babygirl bailey banana barcelona
baseball basketball batman beautiful bella bienvenue biteme blessed blink blue bonjour bonnie boomer boston brandon
brazil bubbles buster butterfly camera captain carlos caroline casper change changeme charles charlie cheese chelsea
chester chicken chocolate chris christian christopher chouchou computer contrasena cookie corvette cowboy cricket
crystal dallas daniel danielle david december default diamond doctor dolphin donald doudou dragon eagle elephant
elizabeth eminem england enter estrella extreme facebook falcon family ferrari fifa flower football forever france
freedom friend friends frosty fuckyou game games garfield gateway george ginger girl giants gizmo goldfish google
guest guitar hallo hammer hannah happy harley harry heaven hello helpme hockey holiday home honey hunter iceman
iloveyou internet isabel jackson jaguar james jasmine jason jennifer jeremy jessica jesus johnny jordan joseph joshua
juventus justin killer kitten kitty klaproos knight ladybug lakers lauren lemon letme letmein lifehack liverpool login
london loulou love lovely loveme lover loveyou lucky maggie magic manchester marina mario marley marlboro martin
master matrix matthew maverick melissa mercedes merlin metallica michael michelle mickey midnight miguel monday money
monkey morgan mother motdepasse mustang mylove naruto nathan ncc nederland newyork nicole nicolas ninja november oldie
oliver orange pakistan pass passw passwd password patrick peanut pepper phoenix pizza please pokemon police porsche
power prince princess private purple qazwsx qwer qwert qwerty rabbit rachel rainbow ranger rebecca richard robert
rocket root rose runescape samantha samsung sarah school scooter scorpion sebastian secret senha september service
sexy shadow shannon sierra silver simple slipknot smokey snoopy soccer soleil sophie spiderman spring star starwars
steelers stella steven summer sunday sunflower sunshine superman superstar sweet sweetheart taylor teacher temp tennis
teresa test tessella thomas thunder tiger tigger toor trust trustno tweety user vanessa victor victoria viking vincent
voetbal wachtwoord warrior welcome welkom whatever william willow winner winter wizard yamaha yankees yellow you zaq
zxcv i me my is the a s
"""
STEMS = frozenset(_WORDS.split())
"""Words of which common passwords are made."""

LEET = str.maketrans("0134578@$!", "oieastbasi")
"""Digits and signs that stand for letters."""

WALKS = (
    "qwertyuiop[]",
    "azertyuiop",
    "asdfghjkl;'",
    "zxcvbnm,./",
    "1234567890-=",
    "abcdefghijklmnopqrstuvwxyz",
    "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p",
    "qazwsxedcrfvtgbyhnujm",
    "147258369",
    "159753",
    "!@#$%^&*()",
)
SHORTEST_WALK = 3
MOST_OWN = 3
"""A password with at most this many characters besides common parts is common."""

EASY_DIGITS = 16
"""Fewer digits without letters are probably a date or a telephone number."""


def is_common(password: str) -> bool:
    """Return whether a password is one of those that attackers try first.

    >>> [is_common(word) for word in ("Password2024!", "qwertyuiop12", "iL0veYou!!", "01.02.1990.", "aaaaabbbbb")]
    [True, True, True, True, True]
    >>> [is_common(word) for word in ("correct horse battery", "drie blauwe tegels", "x7#kPq2v!mZ")]
    [False, False, False]
    """
    plain = unicodedata.normalize("NFKC", password).casefold()
    if len(plain) < EASY_DIGITS and not re.search(r"[^\W\d_]", plain):
        return True
    texts = (plain, plain.translate(LEET))
    return any(_own_length(re.sub(r"(.)\1{2,}", r"\1", text)) <= MOST_OWN for text in texts)


def _own_length(text: str) -> int:
    """Return how many letters remain without keyboard walks, common words, digits and signs."""
    return _uncovered_length(re.sub(r"[\W\d_]", "", _without_walks(text)))


def _without_walks(text: str) -> str:
    start, left = 0, ""
    while start < len(text):
        length = _walk_length(text[start:])
        left += "" if length else text[start]
        start += length or 1
    return left


def _walk_length(text: str) -> int:
    """Return the length of the keyboard walk at the beginning of a text, or 0."""
    lengths = [
        length for walk in _both_ways() for length in range(len(text), SHORTEST_WALK, -1) if text[:length] in walk
    ]
    return max(lengths, default=0)


@cache
def _both_ways() -> tuple[str, ...]:
    return tuple(way for walk in WALKS for way in (walk, walk[::-1]))


def _uncovered_length(letters: str) -> int:
    """Return the least number of letters outside common words, over all ways to split the text."""
    least = [0]
    for end in range(1, len(letters) + 1):
        words = (least[start] for start in range(max(0, end - 14), end) if letters[start:end] in STEMS)
        least.append(min([least[-1] + 1, *words]))
    return least[-1]
