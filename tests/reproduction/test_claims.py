"""Claims about a small table: gain is +6 on one and -12.5 on two."""

import pytest

from nbframework.errors import RecipeError
from nbframework.reproduction.claims import check_claim, win_tie_loss


def finding(measured_of, claim, **options):
    measured = measured_of(f"\nclaims:\n  - {{claim: so, {claim}}}\n", **options)
    return check_claim(measured.target.claims[0], measured)


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("order: [one/smooth, one/plain, two/plain]", True),
        ("order: [mean/smooth, mean/plain]", False),
        ("between: one/gain, at_least: 5, at_most: 7", True),
        ("between: one/gain, at_least: 7, at_most: 9", False),
        ("best: smooth, among: [plain], except: [two]", True),
        ("best: smooth, among: [plain], except: []", False),
        ("best: smooth, among: [plain], except: [], least_share: 0.5", True),
        ("signs: gain, positive: [one], negative: [two]", True),
        ("signs: gain, positive: [one, two], negative: []", False),
        ("signs: gain, positive: [one, two, mean], negative: [], most: true", False),
        ("signs: gain, positive: [one], negative: [two, mean], most: true", True),
    ],
)
def test_a_claim_holds_or_does_not(measured_of, claim, holds):
    assert finding(measured_of, claim).holds is holds


def test_a_claim_about_absent_figures_is_not_decided(measured_of):
    assert finding(measured_of, "order: [three/smooth, one/plain]").holds is None


def test_the_deciding_figures_are_shown(measured_of):
    assert finding(measured_of, "order: [one/smooth, one/plain]").shown == "one/smooth 87.00, one/plain 81.00"


def test_a_part_of_the_data_sets_says_so(measured_of):
    found = finding(measured_of, "order: [mean/plain, mean/smooth]", whole=False)
    assert found.holds is True
    assert found.shown.endswith("on 2 data sets only")


def test_wins_ties_and_losses_are_those_of_the_test(measured_of):
    # every fold of one is 4 to 7 points better, every fold of two 12 points or more worse
    measured = measured_of()
    assert win_tie_loss(measured, "smooth", "plain", "paired-t") == (1, 0, 1)
    assert win_tie_loss(measured, "smooth", "plain", "sign") == (0, 2, 0)


def test_wins_are_compared_with_losses(measured_of):
    found = finding(measured_of, "wins: smooth, against: plain, test: paired-t, printed: [2, 0, 0]")
    assert found.holds is False
    assert found.shown == "win/tie/loss 1/0/1 by paired-t, printed 2/0/0"


def test_a_claim_of_no_kind_is_refused(measured_of):
    with pytest.raises(RecipeError, match="expected one of order, between, best, signs, wins"):
        finding(measured_of, "except: []")


def test_a_key_of_another_kind_is_refused(measured_of):
    with pytest.raises(RecipeError, match="at_most: is no key of order"):
        finding(measured_of, "order: [one/plain], at_most: 3")
