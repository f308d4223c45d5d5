"""The contracts compared with the CRDs that they are derived from, of each release."""

import copy
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitgpu.diagnostic import Severity
from gitgpu.load.schemas import Schemas
from gitgpu.load.validate.keywords import Check
from gitgpu.load.validate.releases import CHANGED, schema_of_release
from gitgpu.objects.schema.contract import Contract
from gitgpu.objects.schema.contracts import Contracts
from gitgpu.rules.object_findings import object_findings
from tests.helping.cases import for_each
from tests.helping.single_changes import changed
from tests.oracles.cel import has_upstream, holds, needs_crds, structural_faults, upstream_faults, upstream_schema
from tests.rules.objects.documents import documents, mutants, places
from tests.rules.objects.samples import example_bodies, label, shared_norms, somewhere
from tools.contracts import (
    CONTRACTS,
    CRDS,
    KINDS,
    MORE,
    OF_RELEASES,
    OTHER_VERSIONS,
    contract,
    crd,
    folders_of,
    is_committed,
    release_list,
    rule_list,
)

FILES = sorted(path for path in CONTRACTS.glob("*.json") if not path.name.startswith("_"))
OWN = ("kustomize.config.k8s.io_", "gitgpu.dev_", "aks.azure.com_")  # written by hand: no CRD was read
REDUCED = [path for path in FILES if not path.name.startswith(OWN)]
ELSEWHERE = {name.replace("policies", "policy").removesuffix("s") for name in MORE}  # their CRDs are not next to us
HEAD = ("apiVersion", "kind", "metadata")
WRONG: tuple[Any, ...] = (None, True, 0, -1, 1.5, "", "x", "1h\n", [], {}, [None], {"x": "y"})


def stem(body: dict[str, Any]) -> str:
    """The name of the contract of an object."""
    group, _, version = body["apiVersion"].rpartition("/")
    own = version if any(version in versions for versions in OTHER_VERSIONS.values()) else ""
    return "_".join(part for part in (group, body["kind"].lower(), own) if part)


CUSTOM = [body for body in example_bodies() if stem(body) in {path.stem for path in REDUCED}]
NEAR = [body for body in CUSTOM if stem(body) not in ELSEWHERE]


def named(body: dict[str, Any]) -> str:
    """The name of an example in the list of tests."""
    return f"{label(body)}-{body['metadata']['name']}"


each_example = pytest.mark.parametrize("body", CUSTOM, ids=[named(body) for body in CUSTOM])
needs_releases = pytest.mark.skipif(not OF_RELEASES.is_dir(), reason="the CRDs of releases are not next to the project")


def contract_of(name: str) -> Contract:
    """The contract of a kind, by the name of its file."""
    head = json.loads((CONTRACTS / f"{name}.json").read_text("utf-8"))["properties"]
    return Contracts(Schemas()).find("", head["apiVersion"]["const"], head["kind"]["const"])


@cache
def folders(name: str) -> list[tuple[Path, Check]]:
    """The folders with the CRDs of the releases that changed a kind, oldest first, each with its compiled contract."""
    found = contract_of(name)
    if not found.project:
        return [(CRDS, found.whole)]
    [crd] = (
        crd
        for crd in KINDS
        if crd.startswith(f"{name.partition('_')[0]}_")
        and f"{name}.json"
        in (contract(crd)[0], *(contract(crd, version)[0] for version in OTHER_VERSIONS.get(crd, ())))
    )
    by_number = folders_of(crd)
    if not found.variants:
        return [(folder, found.whole) for folder in by_number.values()]
    return [(by_number[variant.since], variant.whole) for variant in found.variants]


@pytest.fixture(scope="module", autouse=True)
def _memory() -> Iterator[None]:
    """What only these tests need is 80 MB."""
    yield
    for cached in (folders, contract, crd, upstream_schema):
        cached.cache_clear()


@needs_crds
@needs_releases
@pytest.mark.parametrize("name", KINDS)
def test_a_contract_is_derived_from_its_crds(name: str) -> None:
    file, body = contract(name)
    assert is_committed(file, body), "run: python -m tools.contracts --update"


@needs_releases
@pytest.mark.parametrize(
    ("name", "version"), [(name, version) for name, versions in OTHER_VERSIONS.items() for version in versions]
)
def test_a_contract_of_another_version_is_derived_too(name: str, version: str) -> None:
    assert is_committed(*contract(name, version))


def test_the_list_of_releases_is_derived_too() -> None:
    assert is_committed(*release_list()), "run: python -m tools.contracts --update"


@needs_releases
def test_the_rules_are_derived_too() -> None:
    assert is_committed(*rule_list())


@for_each("path", FILES, ids=lambda path: path.stem)
def test_a_contract_names_its_source_and_holds_no_prose(path: Path) -> None:
    text = path.read_text("utf-8")
    schema = json.loads(text)
    assert " @ " in schema["$comment"]
    assert schema["x-gitgpu-scope"] in ("Namespaced", "Cluster", "File")
    assert not {'"description"', '"default"', '"title"'} & {part for part in text.split() if part.endswith('":')}
    kind = {key: schema["properties"][key]["const"] for key in ("apiVersion", "kind")}
    assert path.stem == stem(kind)


def test_every_contract_has_an_example_and_comes_from_a_listed_crd() -> None:
    assert {stem(body) for body in CUSTOM} == {path.stem for path in REDUCED}
    assert len(REDUCED) == len(KINDS) + len(MORE) + sum(map(len, OTHER_VERSIONS.values()))


@needs_crds
@each_example
def test_upstream_accepts_the_examples(body: dict[str, Any]) -> None:
    assert not has_upstream(body) or upstream_faults(body) == []


@needs_crds
@needs_releases
@pytest.mark.parametrize("body", NEAR, ids=[named(body) for body in NEAR])
def test_every_small_change_gets_the_verdict_of_upstream(body: dict[str, Any]) -> None:
    found = folders(stem(body))
    contract = contract_of(stem(body))
    for folder, check in {found[0], found[-1]}:  # one, if no release changed the kind
        for change, other in changes(body):
            accepted = check(other)
            assert accepted is (structural_faults(other, folder) == []), (folder.name, change)
            assert accepted or not contract.fits_everywhere(other), (folder.name, change)


def changes(body: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The object with one value below spec removed or replaced, or with a field added, by a name for the change."""
    for path in places({key: part for key, part in body.items() if key not in HEAD}):
        *above, last = path
        parent: Any = body
        for part in above:
            parent = parent[part]
        for at, value in enumerate((..., "limts", *WRONG)):
            if at == 0:
                other = changed(body, path)
            elif at == 1 and isinstance(parent, dict):
                other = changed(body, (*above, "limts"), {})
            else:
                other = changed(body, path, value)
            yield f"{[*above, last]} {value!r}", other


@needs_crds
@needs_releases
@pytest.mark.parametrize("path", [path for path in REDUCED if path.stem not in ELSEWHERE], ids=lambda path: path.stem)
@settings(max_examples=8, deadline=None)
@given(data=st.data())
def test_any_document_gets_the_verdict_of_each_release(path: Path, data: st.DataObject) -> None:
    schema = json.loads(path.read_text("utf-8"))
    if CHANGED in schema:
        schema = schema_of_release(schema, len(schema[CHANGED]) - 1, schema[CHANGED])
    below = {key: part for key, part in schema["properties"].items() if key not in (*HEAD, "status")}
    root = {"type": "object", "properties": below, "definitions": schema.get("definitions", {})}
    required = [key for key in schema.get("required", ()) if key in below]
    rest = data.draw(documents(root | ({"required": required} if required else {"minProperties": 0})))
    head = {key: schema["properties"][key]["const"] for key in ("apiVersion", "kind")}
    changed = data.draw(mutants(rest))
    for value in (rest, changed if isinstance(changed, dict) else {}):
        body = head | {"metadata": {"name": "a", "namespace": "b"}} | value
        everywhere = contract_of(path.stem).fits_everywhere(body)
        for folder, check in folders(path.stem):
            faults = structural_faults(body, folder)
            assert check(body) is (faults == []), (folder.name, faults)
            assert not (everywhere and faults), (folder.name, faults)


# Conditions that upstream checks only in CEL, and the rules that check them here.

POOL = next(body for body in CUSTOM if body["kind"] == "NodePool")
TEMPLATE = ("spec", "template")


@needs_crds
@for_each(
    ("path", "value", "code"),
    [
        ((*TEMPLATE, "metadata", "labels", "accelerator"), "nvidia", "CNF011"),
        ((*TEMPLATE, "metadata", "labels", "kubernetes.io/hostname"), "a", "CNF011"),
        ((*TEMPLATE, "metadata", "labels", "karpenter.sh/nodepool"), "a", "CNF011"),
        ((*TEMPLATE, "metadata", "labels", "notkarpenter.sh/team"), "a", "CNF011"),
        ((*TEMPLATE, "metadata", "labels", "kubernetes.azure.com/agentpool"), "a", "CNF011"),
        ((*TEMPLATE, "spec", "requirements", 0, "key"), "karpenter.azure.com/sku-hyperv-generation", "CNF011"),
        ((*TEMPLATE, "spec", "requirements", 0, "key"), "kubernetes.azure.com/cluster", ""),
        ((*TEMPLATE, "metadata", "labels", "example.org/accelerator"), "nvidia", ""),
        (("spec", "disruption", "budgets", 0, "schedule"), "@daily", "CNF013"),
        (("spec", "disruption", "budgets", 0, "duration"), "1h", "CNF013"),
    ],
    ids=str,
)
def test_rules_and_cel_agree(path: tuple[str | int, ...], value: Any, code: str) -> None:
    body = copy.deepcopy(POOL)
    parent: Any = body
    for part in path[:-1]:
        parent = parent[part]
    parent[path[-1]] = value
    node_class = next(example for example in CUSTOM if example["kind"] == "AKSNodeClass")
    manifests = somewhere(body, node_class)
    assert bool(upstream_faults(body)) is bool(code)
    faults = object_findings(manifests, "1.34", shared_norms())
    assert [fault.code for fault in faults if fault.severity is Severity.ERROR] == ([code] if code else [])


@pytest.mark.parametrize(
    ("rule", "value", "expected"),
    [
        ("self.all(x, !x.find('^([^/]+)').endsWith('karpenter.sh'))", {"karpenter.sh/x": ""}, False),
        ("self.split(' ')[1] == '5'", "4 5", True),
        ("has(self.a) ? self.a > 1 : true", {}, True),
        ("self.a > 1", {}, False),
        ("has(self.a) || self.b == 1", {"a": 1}, True),
        ("self.matches('^a$')", "a\n", False),
        ("size(self) == 2", ["a", "b"], True),
    ],
)
def test_cel_is_evaluated_as_in_the_api_server(rule: str, value: Any, expected: bool) -> None:
    assert holds(rule, value) is expected
