"""Quotas of Kueue: what queues own, borrow and lend in a tree of cohorts."""

from decimal import Decimal

from gitgpu.schedule.quota_tree import Limits, Node, QuotaTree, in_cycles, quota_tree

GPUS = ("a100", "nvidia.com/gpu")
RESEARCH, SERVING, GROUP, ROOT = (
    Node(True, "research"),
    Node(True, "serving"),
    Node(False, "group"),
    Node(False, "root"),
)


def amount(number: int | None) -> Decimal | None:
    return None if number is None else Decimal(number)


def limits(nominal: int, borrowing: int | None = None, lending: int | None = None) -> dict[tuple[str, str], Limits]:
    return {GPUS: Limits(Decimal(nominal), amount(borrowing), amount(lending))}


def potential(tree: QuotaTree) -> tuple[int, int]:
    return int(tree.potential(RESEARCH, GPUS)), int(tree.potential(SERVING, GPUS))


def available(tree: QuotaTree) -> tuple[int, int]:
    return int(tree.available(RESEARCH, GPUS)), int(tree.available(SERVING, GPUS))


def two_queues(research: dict[tuple[str, str], Limits], serving: dict[tuple[str, str], Limits]) -> QuotaTree:
    return quota_tree({RESEARCH: research, SERVING: serving}, {RESEARCH: GROUP, SERVING: GROUP})


def test_a_queue_without_a_cohort_has_its_nominal_quota() -> None:
    tree = quota_tree({RESEARCH: limits(8)}, {})
    tree.add(RESEARCH, GPUS, Decimal(3))
    assert (potential(tree)[0], available(tree)[0]) == (8, 5)
    assert tree.borrowing_level(RESEARCH, GPUS, Decimal(6)) == 0


def test_a_queue_borrows_what_others_do_not_use() -> None:
    tree = two_queues(limits(8), limits(4))
    assert potential(tree) == (12, 12)
    assert (tree.borrowing_level(RESEARCH, GPUS, Decimal(8)), tree.borrowing_level(RESEARCH, GPUS, Decimal(9))) == (
        0,
        1,
    )
    tree.add(SERVING, GPUS, Decimal(3))
    assert tree.available(RESEARCH, GPUS) == 9
    tree.add(RESEARCH, GPUS, Decimal(9))
    assert available(tree) == (0, 0)


def test_a_borrowing_limit_counts_from_the_nominal_quota() -> None:
    tree = two_queues(limits(8, borrowing=2), limits(4))
    assert tree.potential(RESEARCH, GPUS) == 10
    tree.add(RESEARCH, GPUS, Decimal(9))
    assert available(tree) == (1, 3)


def test_a_queue_keeps_what_is_above_its_lending_limit() -> None:
    tree = two_queues(limits(8), limits(4, lending=1))
    assert potential(tree) == (9, 12)
    tree.add(RESEARCH, GPUS, Decimal(9))
    assert tree.available(SERVING, GPUS) == 3
    tree.add(SERVING, GPUS, Decimal(3))
    assert tree.available(SERVING, GPUS) == 0


def test_a_cohort_adds_its_own_quota_and_borrows_from_its_parent() -> None:
    owned = {RESEARCH: limits(8), SERVING: limits(4), GROUP: limits(2, borrowing=1), ROOT: limits(16)}
    tree = quota_tree(owned, {RESEARCH: GROUP, GROUP: ROOT, SERVING: ROOT})
    assert potential(tree) == (11, 30)
    levels = [tree.borrowing_level(RESEARCH, GPUS, Decimal(gpus)) for gpus in (8, 9, 10, 11)]
    assert levels == [0, 1, 1, 2]


def test_more_in_use_than_there_is() -> None:
    tree = quota_tree({RESEARCH: limits(2)}, {})
    tree.add(RESEARCH, GPUS, Decimal(3))
    assert tree.available(RESEARCH, GPUS) == -1


def test_nodes_of_a_cycle_are_not_in_the_tree() -> None:
    parents = {RESEARCH: GROUP, GROUP: ROOT, ROOT: GROUP}
    assert in_cycles(parents) == {RESEARCH, GROUP, ROOT}
    tree = quota_tree({RESEARCH: limits(8), SERVING: limits(4)}, {**parents, SERVING: Node(False, "other")})
    assert tree.parents == {SERVING: Node(False, "other")}
    assert potential(tree) == (0, 4)
