"""The model of ratings: who plays, how strong they are, and what a game changes."""

from collections.abc import Sequence
from statistics import NormalDist

from msgspec import Struct
from openskill.models import PlackettLuce

from tessella.server.store import Row

MOST_RATED_GAMES_PER_PAIR = 10
"""Within a day."""
EVEN_GAMES = 100
"""The number of even games that shrink a seat advantage towards zero."""

_MODEL = PlackettLuce()
BETA: float = _MODEL.beta
"""The standard deviation of a performance in one game, in points of mu."""
_POINTS_PER_MU = 48.0
_POINTS_AT_ZERO = 1_100.0
_STEEPNESS = NormalDist().pdf(0) / (2**0.5 * _MODEL.beta)
"""The increase of the win probability between equals per point of mu."""


class Skill(Struct, frozen=True):
    """The estimated strength of a player after `played` rated games."""

    mu: float = _MODEL.mu
    sigma: float = _MODEL.sigma
    played: int = 0

    @property
    def points(self) -> int:
        """Return the displayed rating, a lower bound of the strength.

        >>> Skill().points
        1500
        """
        return round(_POINTS_AT_ZERO + _POINTS_PER_MU * (self.mu - 2 * self.sigma))


def rate(skills: Sequence[Skill], ranks: Sequence[int], terms: Sequence[float]) -> list[Skill]:
    """Return the skills after a game with these places, given the advantage of each seat."""
    lent = [[_MODEL.rating(mu=skill.mu + term, sigma=skill.sigma)] for skill, term in zip(skills, terms, strict=True)]
    rated = _MODEL.rate(lent, ranks=[float(rank) for rank in ranks])
    return [
        Skill(after.mu - term, after.sigma, skill.played + 1)
        for skill, term, (after,) in zip(skills, terms, rated, strict=True)
    ]


def expected_scores(skills: Sequence[Skill]) -> list[float]:
    """Return the share of the others that each player is expected to beat.

    >>> expected_scores([Skill(), Skill()])
    [0.5, 0.5]
    """
    others = len(skills) - 1
    return [(sum(_win_probability(one, other) for other in skills) - 0.5) / others for one in skills]


def actual_scores(ranks: Sequence[int]) -> list[float]:
    """Return the share of the others that each player has beaten; a tie counts half.

    >>> actual_scores([1, 2, 2])
    [1.0, 0.25, 0.25]
    """
    others = len(ranks) - 1
    return [(sum(rank < other for other in ranks) + (ranks.count(rank) - 1) / 2) / others for rank in ranks]


def seat_term(seats: int, surplus: float, played: int) -> float:
    """Return the advantage of a seat in points of mu, given its total surplus over the games played.

    >>> seat_term(2, 0.0, 1000)
    0.0
    """
    return surplus / (played + EVEN_GAMES) / _STEEPNESS * (seats - 1) / seats


def _win_probability(one: Skill, other: Skill) -> float:
    spread = (2 * _MODEL.beta**2 + one.sigma**2 + other.sigma**2) ** 0.5
    return NormalDist().cdf((one.mu - other.mu) / spread)


def skill_of(row: Row) -> Skill:
    """Return the skill in a row of `ratings` or `ladder_ratings`."""
    return Skill(row["mu"], row["sigma"], row["played"])


class Sitter(Struct, frozen=True):
    """The player in a seat; the member, if a guest has logged in since."""

    person: str
    kind: str
    owner: str | None = None
