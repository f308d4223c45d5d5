"""The result of adopting a cluster."""

from gitgpu.adopt.adoption import Fate


def test_the_word_for_each_fate() -> None:
    """These words are part of the JSON report, so programs compare them."""
    assert [str(fate) for fate in Fate] == [
        *("adopted", "left", "not adopted", "changed", "inferred", "wrong already"),
    ]
