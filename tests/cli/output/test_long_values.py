"""Values of 20,000 characters are shortened in every format."""

from pathlib import Path

import pytest
import yaml

from gitgpu.report import format_names
from gitgpu.report.long_values import short
from tests.cli.conftest import Run
from tests.cli.test_secret_values import NODE_POOL

LONG, UPPER, MANY = "x" * 20_000, "A_" * 10_000, "a b " * 5_000
OBJECTS = {
    "names": {
        "kind": "ConfigMap",
        "metadata": {"name": UPPER, "namespace": UPPER, "labels": {UPPER: UPPER, "a": LONG}},
    },
    "kind": {"kind": LONG, "metadata": {"name": "A"}},
    "version": {"apiVersion": f"{LONG}/v1", "kind": "A", "metadata": {"name": "A"}},
    "words": {"kind": "Pod", "metadata": {"name": "p"}, "spec": {"containers": [{"name": MANY, "image": MANY}]}},
    "pod": {
        "kind": "Pod",
        "metadata": {"name": "p"},
        "spec": {LONG: 1, "containers": [{"name": UPPER, "image": UPPER}]},
    },
    "workload": {
        "kind": "Pod",
        "metadata": {"name": "p"},
        "spec": {
            "nodeSelector": {LONG: LONG},
            "containers": [{"name": "a", "resources": {"limits": {"nvidia.com/gpu": 1, f"x/{LONG}": 1}}}],
        },
    },
    "kustomization": {
        "apiVersion": "kustomize.toolkit.fluxcd.io/v1",
        "kind": "Kustomization",
        "metadata": {"name": "k", "namespace": "a"},
        "spec": {"path": LONG, "sourceRef": {"kind": "GitRepository", "name": LONG}, "dependsOn": [{"name": LONG}]},
    },
}


@pytest.mark.parametrize("name", OBJECTS)
def test_only_the_beginning_of_a_long_value_is_shown(name: str, run: Run) -> None:
    Path("a.yaml").write_text(yaml.safe_dump({"apiVersion": "v1", **OBJECTS[name]}, width=100_000), encoding="utf-8")
    Path("pools.yaml").write_text(NODE_POOL, encoding="utf-8")
    shown = [run("lint", "a.yaml", "--whole-cluster", "--strict", "-o", form) for form in format_names()]
    shown += [
        run("simulate", "--pools", "pools.yaml", "--workloads", "a.yaml", "-o", form)
        for form in ("text", "json", "html")
    ]
    shown += [run("import", "a.yaml", "pools.yaml", "--dry-run", "-o", form) for form in ("text", "json")]
    assert max(len(line) for ran in shown for line in (ran.out + ran.err).splitlines()) < 5_000
    assert not any(LONG[:400] in ran.out + ran.err or UPPER[:400] in ran.out + ran.err for ran in shown)


def test_short_values_stay() -> None:
    path = "a/" * 140
    assert short(f"{path} is not read") == f"{path} is not read"
    assert short(f"the value '{'x y ' * 200}' is wrong") == f"the value '{('x y ' * 15)}'... is wrong"
    assert short(f"a {'x' * 301} b") == f"a {'x' * 60}... b"
