"""The scope of a build: checking a path takes the same time for any number of clusters."""

from gitgpu.write.scope import Scope

CLUSTERS = [f"c{number}" for number in range(100)]


class Compared(frozenset[str]):
    """A set of names that counts how often it is compared as a whole."""

    times = 0

    def __le__(self, other: object) -> bool:
        """Compares like any set, and counts the call."""
        Compared.times += 1
        return frozenset.__le__(self, other)  # type: ignore[operator]


def test_checking_a_file_does_not_compare_all_clusters() -> None:
    scope = Scope(frozenset(CLUSTERS), Compared(CLUSTERS))
    before = Compared.times
    assert all(scope.holds(f"{name}/nodes/a.yaml") for name in CLUSTERS)
    assert Compared.times == before
    assert scope.holds("gone/nodes/a.yaml")
    assert Compared.times == before + 1


def test_a_partial_build_keeps_files_of_other_clusters_and_of_removed_ones() -> None:
    some = Scope(frozenset(CLUSTERS[:2]), frozenset(CLUSTERS))
    assert [some.holds(f"{name}/a.yaml") for name in ("c0", "c2", "gone")] == [True, False, False]
    assert [some._replace(others=True).holds(f"{name}/a.yaml") for name in ("c0", "c2", "gone")] == [True, False, True]
