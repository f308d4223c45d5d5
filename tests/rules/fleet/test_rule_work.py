"""The work of every fleet rule grows linearly with the size of the fleet. Counts executed lines, not seconds."""

from functools import cache
from typing import Any

import pytest

from gitgpu.model.inputs import Inputs
from gitgpu.rule import AnyRule
from tests.helping.work import lines
from tests.rules.fleet.copies import copied
from tests.rules.fleet.examples import RULES
from tests.rules.named_examples import Subject, subjects

FEW, MANY = 3, 30
MOST = 12  # limit on the factor for ten times the documents
# Settings in the defaults of the Fleet. Some rules read them together with all clusters that use them.
SHARED = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Fleet
metadata: {name: example}
spec:
  delivery: {engine: flux, repository: https://example.com/fleet}
  defaults:
    stack: {metrics: {exporter: false, counters: standard, labels: {release: prometheus}}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod, labels: {tier: gpu}}
spec: {region: swedencentral, kubernetesVersion: "1.36"}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: a100}
spec:
  clusters: {matchLabels: {tier: gpu}}
  sku: Standard_NC24ads_A100_v4
  limits: {gpus: 8}
"""


SUBJECTS = subjects(RULES)


@pytest.mark.parametrize("subject", SUBJECTS.values(), ids=SUBJECTS)
def test_ten_times_the_fleet_takes_at_most_twelve_times_the_work(subject: Subject) -> None:
    for rule in subject:
        for text in (rule.bad, rule.good, SHARED):
            _check_growth(rule, text)


def _check_growth(rule: AnyRule, text: str) -> None:
    list(rule.check(_inputs(text, 2)))  # what is computed once from the catalog
    few, found_in_few = _work(rule, text, FEW)
    many, found_in_many = _work(rule, text, MANY)
    growth = (MANY + found_in_many) / (FEW + found_in_few) / (MANY / FEW)  # what is reported has to be written
    assert many <= MOST * few * max(1, growth), f"{rule.code}: {few} lines for {FEW} copies, {many} for {MANY}"


def _work(rule: AnyRule, text: str, number: int) -> tuple[int, int]:
    inputs = _inputs(text, number)
    findings: list[Any] = []
    return lines(lambda: findings.extend(rule.check(inputs))), len(findings)


def _inputs(text: str, number: int) -> Inputs:
    return _shared(number) if text == SHARED else copied(text, number)


@cache
def _shared(number: int) -> Inputs:
    return copied(SHARED, number)
