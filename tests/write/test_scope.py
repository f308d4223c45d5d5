"""The files of a build: checking a path takes the same time for any number of clusters."""

from gitgpu.write.scope import Scope

CLUSTERS = [f"c{number}" for number in range(100)]


class Compared(frozenset[str]):
    """Names that count how often all of them were compared with others."""

    times = 0

    def __le__(self, other: object) -> bool:
        """As for any set."""
        Compared.times += 1
        return frozenset.__le__(self, other)  # type: ignore[operator]


def test_a_file_of_a_cluster_takes_no_look_at_all_clusters() -> None:
    scope = Scope(frozenset(CLUSTERS), Compared(CLUSTERS))
    before = Compared.times
    assert all(scope.holds(f"{name}/nodes/a.yaml") for name in CLUSTERS)
    assert Compared.times == before
    assert scope.holds("gone/nodes/a.yaml")
    assert Compared.times == before + 1


def test_a_build_of_some_clusters_leaves_the_others_and_what_left_the_fleet() -> None:
    some = Scope(frozenset(CLUSTERS[:2]), frozenset(CLUSTERS))
    assert [some.holds(f"{name}/a.yaml") for name in ("c0", "c2", "gone")] == [True, False, False]
    assert [some._replace(others=True).holds(f"{name}/a.yaml") for name in ("c0", "c2", "gone")] == [True, False, True]
