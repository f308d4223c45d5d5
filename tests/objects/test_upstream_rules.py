"""The CEL rules of upstream's CRDs: each compiles, and each that an object can break is in the contracts.

test_broken_rules.py has an object that breaks each rule of the contracts.
"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from gitgpu.load.schemas import Schemas
from gitgpu.objects.schema.cel import Engine
from gitgpu.objects.schema.cel_rules import DOCUMENT
from gitgpu.objects.schema.rules_of_schema import RULES

SHARED = Path(__file__).parents[3] / "shared"
FILES = sorted([*SHARED.glob("crds/*.yaml"), *SHARED.glob("upstream/crds/*/*.yaml")])
VALUES: tuple[Any, ...] = ({}, "", [], 0)  # one of each type that rules read
STATUS = ("properties", "status")
# Kueue's controller makes Workloads, and AKS runs no commit of the provider that is not released.
LEFT = {"kueue.x-k8s.io_workload": "", "karpenter.azure.com_aksnodeclass": "karpenter-provider-azure-main-352646f5"}
# Kinds with an older API version, whose rules are those of the version that the contracts have, but for this one.
OLDER = {"!has(self.cohort) && has(self.resourceGroups)": "v1beta1"}

pytestmark = [
    pytest.mark.skipif(not FILES, reason="the upstream CRDs are not next to the project"),
    pytest.mark.skipif(Engine().missing, reason="cel-expr-python is not installed"),
]


def rules_in(schema: Any, *path: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Each rule, with its path in the schema."""
    if isinstance(schema, dict):
        yield from ((path, rule["rule"]) for rule in schema.get(RULES) or ())
        for key, part in schema.items():
            yield from rules_in(part, *path, key) if key != RULES else ()
    elif isinstance(schema, list):
        for part in schema:
            yield from rules_in(part, *path, "")


@cache
def evaluated() -> dict[str, frozenset[str]]:
    """The rules of the contracts, by the name of the kind."""
    document = Schemas().contract(DOCUMENT) or {}
    return {name: frozenset(rule for _, rule in rules_in(part)) for name, part in document.items() if name[0] != "$"}


@cache
def upstream() -> tuple[tuple[str, str, str, tuple[str, ...], str], ...]:
    """The folder, the kind, the API version, the path and the text of each rule."""
    return tuple(_upstream())


def _upstream() -> Iterator[tuple[str, str, str, tuple[str, ...], str]]:
    for file in FILES:
        text = file.read_text("utf-8")
        if RULES not in text:
            continue
        spec = yaml.load(text, yaml.CSafeLoader)["spec"]
        for version in spec["versions"]:
            for path, rule in rules_in(version.get("schema", {}).get("openAPIV3Schema")):
                yield file.parent.name, f"{spec['group']}_{spec['names']['kind'].lower()}", version["name"], path, rule


def test_each_rule_compiles() -> None:
    """For a value of some type, the engine does not leave the rule, as it would for an unknown function."""
    found = {rule.replace("oldSelf", "self") for *_, rule in upstream()}
    assert len(found) > 100
    left = found
    for value in VALUES:
        engine = Engine()
        for rule in left:
            engine.holds(rule, value)
        left = engine.left
    assert left == set()


def test_each_rule_about_one_object_is_evaluated() -> None:
    """Not those that compare with the older object, and those of the status, which is not in manifests."""
    left = set()
    for folder, kind, version, path, rule in upstream():
        if "oldSelf" in rule or path[:2] == STATUS or rule in evaluated().get(kind, ()):
            continue
        is_older = any(rule.startswith(start) and version == of for start, of in OLDER.items())
        if not is_older and LEFT.get(kind) not in ("", folder):
            left.add((folder, kind, version, rule))
    assert left == set()
