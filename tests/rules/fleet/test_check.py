"""All fleet rules together: what is reported, also if a rule raises an exception."""

from datetime import date, timedelta
from typing import NoReturn

import pytest

from gitgpu.diagnostic import Diagnostic, ObjectRef
from gitgpu.model.dates import OLD
from gitgpu.model.inputs import Inputs
from gitgpu.model.link import link
from gitgpu.rule import FAILED
from gitgpu.rules.fleet_findings import fleet_findings
from gitgpu.rules.fleet_rule import diagnose
from gitgpu.rules.fleet_rulebook import fleet_codes
from gitgpu.rules.inputs.catalog_notes import catalog_notes
from tests.helping.cases import for_each
from tests.rules.fleet.examples import CATALOG, RULES, example_documents, inputs_of

POOL = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: t4}
spec: {clusters: [prod-swc], sku: Standard_NC16as_T4_v3, limits: {cpu: "1"}}
"""
WORKLOAD = """\
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuWorkload
metadata: {name: ranker, namespace: serving}
spec: {pools: [t4], target: {kind: Deployment, name: ranker}, cuda: "99.0"}
"""


def objects(diagnostics: list[Diagnostic]) -> set[str]:
    """The objects of the findings, by kind."""
    return {finding.object.kind for finding in diagnostics}


def test_the_codes_are_those_of_all_rules() -> None:
    assert fleet_codes() == {rule.code for rule in RULES}


def test_rules_skip_documents_with_faults_and_everything_that_depends_on_them() -> None:
    inputs = inputs_of(POOL + WORKLOAD)
    assert {"GpuPool", "GpuWorkload"} <= objects(fleet_findings(inputs))
    assert objects(fleet_findings(inputs, [ObjectRef("GpuWorkload", "serving", "ranker")])) == {"GpuPool"}
    assert not {"GpuPool", "GpuWorkload"} & objects(fleet_findings(inputs, [ObjectRef("GpuPool", "", "t4")]))


def test_a_rule_that_fails_is_one_finding() -> None:
    def fails(_: Inputs) -> NoReturn:
        raise KeyError("x")

    (diagnostic,) = diagnose(RULES[0]._replace(check=fails), inputs_of(POOL))
    assert diagnostic.code == FAILED
    assert RULES[0].code in diagnostic.message


@for_each("driver", ["aks", "operator", "managed", "none"])
def test_no_rule_fails_for_a_pool_that_no_size_fits(driver: str) -> None:
    cluster = f"""\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {{name: prod-swc}}
spec: {{region: swedencentral, kubernetesVersion: "1.36", stack: {{driver: {driver}}}}}
---
"""
    none = "requirements: {gpu: {model: [T4], architecture: [Ampere]}}"
    pool = POOL.replace("sku: Standard_NC16as_T4_v3", none)
    inputs, faults = link(example_documents(cluster + pool + WORKLOAD), CATALOG, "")
    assert [fault.code for fault in faults] == ["LNK008"]
    assert inputs is not None
    assert not inputs.pools[0].skus
    assert FAILED not in {finding.code for finding in fleet_findings(inputs)}


@pytest.mark.parametrize(("age", "old"), [(OLD, False), (OLD + timedelta(days=1), True)])
def test_a_fact_is_old_after_90_days(age: timedelta, *, old: bool) -> None:
    day = date.fromisoformat(CATALOG.must("regions", "swedencentral")["asOf"])
    notes = catalog_notes(inputs_of(POOL)._replace(today=(day + age).isoformat()))
    assert any(f"regions of {day}" in note.message for note in notes) is old
