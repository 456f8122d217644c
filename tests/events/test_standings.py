"""Points and tie-breaks, on events small enough to check by hand."""

from fractions import Fraction

from tessella.events import Entrant, Outcome, Plan, Round, RoundPlayed, standings, tie_breaks_of


def entrants(names: str) -> list[Entrant]:
    return [Entrant(name) for name in names]


def a_round(*games: tuple[str, tuple[int, ...]], byes: str = "") -> RoundPlayed:
    """Return a round from pairs of players and scores."""
    outcomes = [
        Outcome(tuple(1 + sum(other > score for other in scores) for score in scores), scores) for _, scores in games
    ]
    return RoundPlayed(Round(tuple(tuple(players) for players, _ in games), tuple(byes)), tuple(outcomes))


def test_swiss_points_then_buchholz_then_berger() -> None:
    rounds = [
        a_round(("ab", (30, 20)), ("cd", (25, 25)), byes="e"),
        a_round(("ae", (40, 10)), ("bc", (33, 30)), byes="d"),
    ]
    lines = {line.id: line for line in standings(Plan("swiss"), entrants("abcde"), rounds)}

    assert {name: line.halves / 2 for name, line in lines.items()} == {"a": 2, "b": 1, "c": 0.5, "d": 1.5, "e": 1}
    # b met a (2) and c (½); e had a bye, which counts as an opponent with e's own point, and met a (2)
    assert lines["b"].breaks[0] == Fraction(5, 2)
    assert lines["e"].breaks[0] == 3
    assert lines["b"].breaks[1] == Fraction(1, 2)
    assert [line.id for line in sorted(lines.values(), key=lambda line: line.place)] == ["a", "d", "e", "b", "c"]


def test_round_robin_the_game_between_two_who_are_level_decides() -> None:
    rounds = [
        a_round(("ab", (30, 20)), ("cd", (50, 10))),
        a_round(("ac", (20, 21)), ("bd", (60, 10))),
        a_round(("ad", (11, 10)), ("bc", (70, 10))),
    ]
    lines = standings(Plan("round-robin"), entrants("abcd"), rounds)

    # a, b and c have two points each, and one each among themselves: Sonneborn-Berger cannot tell them apart either
    assert [line.halves for line in lines] == [4, 4, 4, 0]
    assert [line.id for line in lines] == ["b", "a", "c", "d"]  # by margin
    two = standings(Plan("round-robin"), entrants("ab"), rounds[:1])
    assert [(line.id, line.place) for line in two] == [("a", 1), ("b", 2)]


def test_duplicate_players_are_compared_with_all_who_had_the_same_deals() -> None:
    plan = Plan("swiss", duplicate=True)
    rounds = [a_round(("ab", (30, 20)), ("cd", (50, 10)), ("ef", (40, 30)))]
    lines = {line.id: line for line in standings(plan, entrants("abcdef"), rounds)}

    assert tie_breaks_of(plan)[0] == "comparison"
    assert {name: line.breaks[0] for name, line in lines.items()} == dict(
        zip("acebdf", (-10, 10, 0, 0, -10, 10), strict=True)
    )
    assert [lines[name].place for name in "ceafbd"] == [1, 2, 3, 4, 5, 6]


def test_four_at_a_table_get_a_point_for_everybody_they_leave_behind() -> None:
    rounds = [a_round(("abcd", (10, 40, 40, 5)), byes="e")]
    lines = {line.id: line.halves / 2 for line in standings(Plan("swiss", seats=4), entrants("abcde"), rounds)}

    assert lines == {"a": 1, "b": 2.5, "c": 2.5, "d": 0, "e": 1.5}


def test_a_game_without_a_result_is_a_tie_and_one_that_runs_does_not_count() -> None:
    rounds = [RoundPlayed(Round((("a", "b"), ("c", "d"))), (Outcome(), None))]
    lines = {line.id: (line.halves, line.played) for line in standings(Plan("swiss"), entrants("abcd"), rounds)}

    assert lines == {"a": (1, 1), "b": (1, 1), "c": (0, 0), "d": (0, 0)}


def test_knockout_the_round_counts_before_the_points() -> None:
    rounds = [a_round(("ab", (30, 20)), ("cd", (9, 8))), a_round(("ac", (5, 5)))]
    lines = standings(Plan("knockout"), entrants("abcd"), rounds)

    # a tie: c sat in the last seat and wins
    assert [(line.id, line.out) for line in lines] == [("c", 0), ("a", 2), ("d", 1), ("b", 1)]


def test_whoever_is_level_on_everything_shares_the_place() -> None:
    rounds = [a_round(("ab", (30, 20)), ("cd", (30, 20)))]
    assert [line.place for line in standings(Plan("swiss"), entrants("abcd"), rounds)] == [1, 1, 3, 3]
