"""Kueue 0.19.2 itself gives the same flavors and quotas: recorded answers of its flavor assigner and its scheduler."""

from tests.simulate import queue_spaces
from tests.simulate.queue_cases import CASES, admissions, answers, recorded, shown


def test_every_workload_gets_what_kueue_gives_it() -> None:
    cases = recorded()
    assert len(cases) == CASES
    wrong = [
        (number, index)
        for number, entry in enumerate(cases)
        for index, (ours, theirs) in enumerate(zip(answers(entry["case"]), entry["verdicts"], strict=True))
        if ours != shown(theirs)
    ]
    assert wrong == []


def test_the_cases_have_every_outcome() -> None:
    """Cases that all end in the same way would compare nothing."""
    verdicts = [shown(verdict) for entry in recorded() for verdict in entry["verdicts"]]
    assert {verdict["level"] for verdict in verdicts} >= {0, 1, 2}
    fitting = [verdict for verdict in verdicts if verdict["fits"]]
    assert 200 < len(fitting) < len(verdicts) - 200
    assert {len(verdict["flavors"]) for verdict in fitting} >= {1, 2}


def test_workloads_that_are_submitted_at_once_are_admitted_as_by_kueue() -> None:
    """Their order decides: by borrowing, priority and age, with strict queues, and with several flavors to try."""
    cases = recorded("cycles")
    assert len(cases) == CASES
    wrong = [
        (number, index)
        for number, entry in enumerate(cases)
        for index, (ours, theirs) in enumerate(zip(admissions(entry["case"]), entry["verdicts"], strict=True))
        if ours != shown(theirs)
    ]
    assert wrong == []
    fitting = [verdict for entry in cases for verdict in entry["verdicts"] if verdict["fits"]]
    assert 400 < len(fitting) < sum(len(entry["verdicts"]) for entry in cases) - 400


def test_objects_of_a_whole_cluster_are_admitted_as_by_kueue() -> None:
    """Cohorts in a tree, groups of resources, queues in several namespaces, stopped queues, and topologies."""
    cases = recorded("spaces")
    assert len(cases) == queue_spaces.CASES
    pairs = [
        (number, index, ours, shown(theirs))
        for number, entry in enumerate(cases)
        for index, (ours, theirs) in enumerate(zip(queue_spaces.answers(entry["case"]), entry["verdicts"], strict=True))
    ]
    assert [pair for pair in pairs if pair[2] != pair[3]] == []
    fitting = [theirs for _, _, _, theirs in pairs if theirs["fits"]]
    assert 300 < len(fitting) < len(pairs) - 300
    assert {len(theirs["flavors"]) for theirs in fitting} >= {1, 2, 3}
