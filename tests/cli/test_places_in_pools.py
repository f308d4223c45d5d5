"""Findings about the objects of a pool point to the key in the spec that sets the value."""

import json

import pytest

from tests.cli.conftest import Run
from tests.cli.fleets import SOUND, write

CASES = {
    "linuxOSConfig: {swapFileSize: 1Gi}": ("ANC002", "1Gi"),
    "kubelet: {cpuCFSQuotaPeriod: 5s}": ("ANC008", "5s"),
    "nodeRequirements: [{key: a.b/c, operator: Exists}, {key: b, operator: Gt, values: [abc]}]": ("NPL001", "abc"),
    "nodeRequirements: [{key: kubernetes.azure.com/foo, operator: In, values: [a]}]": (
        "CNF011",
        "kubernetes.azure.com",
    ),
}


@pytest.mark.parametrize("more", CASES)
@pytest.mark.parametrize("shared", [False, True])
def test_a_finding_points_at_the_key(run: Run, more: str, shared: bool) -> None:
    code, value = CASES[more]
    text = SOUND.replace("limits: {gpus: 2}", f"limits: {{gpus: 2}}, {more}")
    if shared and "nodeRequirements" not in more:
        text = SOUND.replace("spec: {delivery", f"spec: {{defaults: {{pool: {{{more}}}}}, delivery", 1)
        assert text != SOUND
    write(text)
    results = json.loads(run("build", "--check", "-o", "json").out)["results"]
    (place,) = [finding for finding in results if finding["code"] == code]
    line = text.splitlines()[place["line"] - 1]
    assert line[place["column"] - 1 :].startswith(value)
