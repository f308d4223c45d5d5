"""Ranges of chart versions, with examples from the documentation of Masterminds/semver."""

from gitgpu.model.syntax.version_range import allows
from tests.helping.cases import for_each


@for_each(
    ("constraint", "allowed", "others"),
    [
        ("25.10.x", "v25.10.1 25.10.0", "25.9.9 25.11.0 26.0.0"),
        ("v25.10.*", "25.10.1", "25.11.0"),
        ("25", "25.0.0 25.11.3", "26.0.0"),
        ("*", "0.0.1 26.7.0", ""),
        ("~1.2.3", "1.2.3 1.2.9", "1.2.2 1.3.0"),
        ("~1.2", "1.2.0 1.2.9", "1.3.0"),
        ("~1", "1.0.0 1.9.0", "2.0.0"),
        ("^1.2.3", "1.2.3 1.9.0", "1.2.2 2.0.0"),
        ("^0.2.3", "0.2.3 0.2.9", "0.3.0"),
        ("^0.0.3", "0.0.3", "0.0.4"),
        ("^0", "0.9.0", "1.0.0"),
        (">=1.2 <2", "1.2.0 1.9.9", "1.1.9 2.0.0"),
        (">= 1.2, < 2.1.0", "1.2.0 2.0.9", "2.1.0"),
        (">11", "12.0.0", "11.1.0"),
        ("<=11", "11.9.0", "12.0.0"),
        ("!=1.2.x", "1.3.0", "1.2.3"),
        ("1.2 - 1.4.5", "1.2.0 1.4.5", "1.4.6 1.1.0"),
        ("1.x || 3.x", "1.4.0 3.0.0", "2.0.0"),
        ("latest", "", "1.0.0"),
        ("", "", "1.0.0"),
        (">=1.0 latest", "", "1.0.0"),
    ],
)
def test_a_range(constraint: str, allowed: str, others: str) -> None:
    assert [each for each in allowed.split() if not allows(constraint, each)] == []
    assert [each for each in others.split() if allows(constraint, each)] == []


def test_what_is_no_version_is_in_no_range() -> None:
    assert not allows("*", "latest")
