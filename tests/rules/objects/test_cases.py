"""What object rules report in the recorded cases, which cover conditions that their examples do not."""

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.rules.named_examples import Subject, by_subject, subjects
from tests.rules.objects.cases import SIDE
from tests.rules.recorded_cases import recorded_of, shown

SUBJECTS = subjects(rule for rule in SIDE.rules if recorded_of(SIDE, rule))


@pytest.mark.parametrize("subject", SUBJECTS.values(), ids=SUBJECTS)
def test_the_cases_of_each_rule(subject: Subject, snapshot: SnapshotAssertion) -> None:
    cases = snapshot.use_extension(by_subject(subject[0]))
    for rule in subject:
        assert shown(SIDE, rule) == cases(name=rule.code)
