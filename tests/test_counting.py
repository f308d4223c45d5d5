"""Items that are counted while they are used."""

from gitgpu.counting import counting


def test_an_item_is_done_when_the_next_one_is_asked_for() -> None:
    seen: list[object] = []
    seen.extend(counting("ab", lambda *counted: seen.append(counted)))
    assert seen == [(0, 2), "a", (1, 2), "b", (2, 2)]
