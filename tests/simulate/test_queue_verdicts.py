"""Flavors and quotas are given as Kueue 0.19.2 itself gives them: recorded answers of its flavor assigner."""

from tests.simulate.queue_cases import CASES, answers, recorded, shown


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
