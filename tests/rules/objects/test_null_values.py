"""No rule crashes on null anywhere in an object: Kubernetes schemas allow it, even as an item of a list."""

from collections.abc import Iterator

import pytest

from gitgpu.rule import AnyRule
from tests.helping.nested import values_inside
from tests.rules.named_examples import Subject, every_example, subjects
from tests.rules.objects.cases import SIDE
from tests.rules.recorded_cases import Case, applied, examples, outcome

Place = tuple[str | int, ...]


SUBJECTS = subjects(SIDE.rules)


@pytest.mark.parametrize("subject", SUBJECTS.values(), ids=SUBJECTS)
def test_null_crashes_no_rule(subject: Subject) -> None:
    cases = ((rule, case) for rule in subject for case in _cases(rule))
    assert [f"{rule.code} {case.text}" for rule, case in cases if _fails(rule, case)] == []


def _cases(rule: AnyRule) -> Iterator[Case]:
    tried = set[tuple[str, Place]]()  # most examples of a rule have the same places
    for name, _ in every_example(rule):
        for number, body in enumerate(examples(SIDE, rule)(name)):
            for place, _ in values_inside(body):
                if len(place) > 1 and (body["kind"], place) not in tried:
                    tried.add((body["kind"], place))
                    yield Case(name, ({"set": [number, *place], "to": None},))


def _fails(rule: AnyRule, case: Case) -> bool:
    try:
        list(outcome(SIDE, rule.check, SIDE.subjects(applied(case, examples(SIDE, rule))) or ()))
    except Exception:  # noqa: BLE001  any exception is a failure
        return True
    return False
