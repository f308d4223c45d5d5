"""The software that a cluster installs according to the model matches the output, for all examples."""

from collections.abc import Iterator
from typing import Any

import pytest

from gitgpu.diagnostic import Severity
from gitgpu.emit import emit, emitters
from gitgpu.emit.chart.releases import releases
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.installed import installed_software
from gitgpu.model.spec.registry import Registry
from gitgpu.plan.cluster_plan import plan
from tests.rules.fleet.examples import CATALOG, RULES, findings, inputs_of
from tests.rules.named_examples import Subject, subjects

SUBJECTS = subjects(RULES)
REPOSITORIES = {row["repository"]: name for name, row in CATALOG.rows("containers").items() if "labeller" not in name}


def images(value: Any) -> Iterator[str]:
    """The names of the images in an object, by their repositories."""
    if isinstance(value, dict):
        if {"image", "repository", "version"} <= value.keys():
            name = REPOSITORIES.get(f"{value['repository']}/{value['image']}")
            yield from [name] if name else []  # the driver of an NVIDIADriver has no row
        for below in value.values():
            yield from images(below)
    elif isinstance(value, list):
        for below in value:
            yield from images(below)
    elif isinstance(value, str) and ":labeller-" in value:
        yield "amd-node-labeller"
    elif isinstance(value, str) and value.partition("@")[0].rpartition(":")[0] in REPOSITORIES:
        yield REPOSITORIES[value.partition("@")[0].rpartition(":")[0]]


def emitted(inputs: Inputs, cluster: Cluster) -> list[str]:
    """The names of the charts and images in the output; a mirror would change those of images."""
    decided = plan(inputs, cluster._replace(registry=Registry()))
    names = {release.chart.release for release in releases(decided)}
    for manifest in emit(decided, emitters()):
        if manifest.body["kind"] not in ("HelmRelease", "Application"):
            names |= set(images(manifest.body))
    return sorted(names)


@pytest.mark.parametrize("subject", SUBJECTS.values(), ids=SUBJECTS)
def test_what_is_installed_is_what_is_emitted(subject: Subject) -> None:
    for rule in subject:
        for text in rule.good_examples:
            if any(finding.severity is Severity.ERROR for finding in findings(text)):
                continue
            inputs = inputs_of(text)
            for cluster in inputs.clusters:
                assert list(installed_software(inputs, cluster)) == emitted(inputs, cluster), rule.code
