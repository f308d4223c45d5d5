"""The result of adopting a cluster."""

from gitgpu.adopt.adoption import Fate


def test_each_fate_has_a_word_for_people() -> None:
    """The words are those of the reports; a program compares them."""
    assert [str(fate) for fate in Fate] == ["adopted", "left", "not adopted", "inferred", "wrong already"]
