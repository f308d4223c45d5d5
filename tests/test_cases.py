"""One test for many cases: each runs, and each that fails is reported."""

from inspect import signature

import pytest

from tests.helping.cases import for_each


def test_every_case_runs_and_all_failures_are_reported_together() -> None:
    seen = list[tuple[int, str]]()

    @for_each("number, text", [(1, "a"), (2, "b"), (3, "c"), (4, "d")])
    def test(number: int, text: str) -> None:
        seen.append((number, text))
        if number == 2:
            pytest.fail("it is even")
        assert text in "ac"

    with pytest.raises(BaseExceptionGroup, match="2 of 4 cases failed") as raised:
        test()
    assert seen == [(1, "a"), (2, "b"), (3, "c"), (4, "d")]
    assert [failure.__notes__ for failure in raised.value.exceptions] == [["the case: 2, 'b'"], ["the case: 4, 'd'"]]


def test_a_single_failure_is_raised_as_it_is_with_its_label() -> None:
    @for_each("number", [1, 2], ids=["one", "two"])
    def test(number: int) -> None:
        assert number == 1

    with pytest.raises(AssertionError) as raised:
        test()
    assert raised.value.__notes__ == ["the case: two"]


def test_other_parameters_are_fixtures_and_those_of_several_lists_are_combined() -> None:
    seen = list[str]()

    @for_each("first", "ab")
    @for_each("second", "xy")
    def test(first: str, second: str, fixture: str) -> None:
        seen.append(first + second + fixture)

    assert list(signature(test).parameters) == ["fixture"]
    test(fixture="!")
    assert seen == ["ax!", "ay!", "bx!", "by!"]


def test_a_test_without_cases_is_skipped_as_without_input() -> None:
    @for_each("number", [])
    def test(number: int) -> None:
        raise AssertionError(number)

    with pytest.raises(pytest.skip.Exception):
        test()


def test_a_case_that_is_skipped_does_not_hide_the_others() -> None:
    seen = list[int]()

    @for_each("number", [1, 2])
    def test(number: int) -> None:
        seen.append(number)
        if number == 1:
            pytest.skip("it is odd")

    with pytest.raises(pytest.skip.Exception):
        test()
    assert seen == [1, 2]
