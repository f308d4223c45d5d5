"""Objects with a schema error are judged by the rules that do not read what is wrong."""

import copy
import json
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitgpu.diagnostic import Diagnostic
from gitgpu.load.explain.fault import Fault
from gitgpu.objects.objects import identity
from gitgpu.objects.recording import RecordingMapping
from gitgpu.objects.schema.flaws import Flaw, flaws_of, without_flaws
from gitgpu.rules.object_findings import object_findings
from gitgpu.rules.object_rulebook import object_rules
from tests.helping.cases import for_each
from tests.helping.nested import values_inside
from tests.rules.named_examples import every_example
from tests.rules.objects.documents import Draw
from tests.rules.objects.samples import KUBERNETES, read, shared_norms

DEPLOYMENT = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: chat, namespace: models}
spec:
  selector: {matchLabels: {app: chat}}
  template:
    metadata: {labels: {app: chit}}
    spec:
      containers:
      - name: chat
        image: vllm/vllm-openai:v0.8.0
        resources: {limits: {nvidia.com/gpu: 1}, requests: {nvidia.com/gpu: 2}}
"""
NODE_POOL = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: a}
spec:
  weight: 7
  limits: {nvidia.com/gpus: 8}
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: a}
      requirements: [{key: karpenter.azure.com/sku-gpu-count, operator: In, values: ["1"]}]
"""
SCALED = """
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: chat, namespace: models}
spec:
  scaleTargetRef: {name: chat}
  minReplicaCount: 5
  maxReplicaCount: 2
  triggers: [{type: cron, metadata: {timezone: UTC, start: 0 8 * * *, end: 0 20 * * *, desiredReplicas: "2"}}]
"""
SERVICE = """
apiVersion: v1
kind: Service
metadata: {name: Chat_1, namespace: models}
spec: {selector: {app: chat}, ports: [{port: 80}]}
"""


def found(text: str) -> list[str]:
    """The codes of the findings, sorted."""
    return sorted(finding.code for finding in findings_in(text))


def findings_in(text: str) -> list[Diagnostic]:
    """The findings in a cluster that may have other objects."""
    return object_findings(read(text), KUBERNETES, shared_norms(), closed=False)


@for_each(
    ("text", "old", "new", "codes"),
    [
        (DEPLOYMENT, "spec:\n  selector", "spec:\n  replicas: two\n  selector", ["CNF001", "NAM001", "POD009"]),
        (DEPLOYMENT, "- name: chat", "- name: chat\n        imagePullPolcy: Always", ["CNF001", "NAM001", "POD009"]),
        (DEPLOYMENT, "{nvidia.com/gpu: 1}", "[1]", ["CNF001", "NAM001"]),
        (DEPLOYMENT, "{app: chit}", "{app: chit, v: 5}", ["CNF001", "NAM001", "POD009"]),
        (DEPLOYMENT, "matchLabels: {app: chat}", "matchLabel: {app: chat}", ["CNF001", "POD009"]),
        (DEPLOYMENT, "- name: chat", "- nam: chat", ["CNF001", "NAM001", "POD009"]),
        (DEPLOYMENT, "image: vllm", "command: [a, [b]]\n        image: vllm", ["CNF001", "NAM001", "POD009"]),
        (NODE_POOL, "weight: 7", "weight: high", ["CNF001", "NPL017"]),
        (NODE_POOL, "{nvidia.com/gpus: 8}", "[8]", ["CNF001"]),
        (SCALED, "spec:", "spec:\n  pollingInterval: 30s", ["CNF001", "KED004"]),
        (SCALED, "minReplicaCount: 5", "minReplicaCount: five", ["CNF001"]),
        (SCALED, "minReplicaCount: 5", "minReplicasCount: 5", ["CNF001"]),
        (SERVICE, "port: 80", "port: http", ["CNF001", "CNF003"]),
        (SERVICE, "namespace: models", "namespace: [models]", ["CNF001"]),
    ],
)
def test_everything_is_reported_at_once(text: str, old: str, new: str, codes: list[str]) -> None:
    others = {"CNF001", "CNF003", "KED004", "NAM001", "NPL017", "POD009"}
    assert [code for code in found(text.replace(old, new)) if code in others] == codes


def test_a_key_at_the_wrong_level_is_not_missing_too() -> None:
    pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n  - name: a\n    image: a:1\n"
    gpu = "    resources: {limits: {rdma/shared_ib: 1}}\n"
    assert "POD019" in found(pod + gpu)
    assert "POD019" not in found(f"{pod}{gpu}  securityContext: {{capabilities: {{add: [IPC_LOCK]}}}}\n")


def test_an_object_is_not_judged_by_parts_that_are_unknown() -> None:
    gone = SERVICE.replace("apiVersion: v1", "apiVersion: v2").replace("port: 80", "port: http")
    assert found(gone) == ["CNF016"]


def test_other_objects_are_judged_as_if_each_object_with_a_flaw_could_be_absent() -> None:
    second = SERVICE.replace("Chat_1", "b").replace("port: 80", "port: http")
    assert found(f"{DEPLOYMENT}---{SERVICE}---{second}") == ["CNF001", "CNF003", "NAM001", "POD009"]


CORPUS = [text for rule in object_rules() for _, text in every_example(rule)]
OWN = {("apiVersion",), ("kind",), ("metadata",), ("metadata", "name"), ("metadata", "namespace")}


@st.composite
def flawed(draw: Draw) -> tuple[str, int, dict[str, Any]]:
    """An example of a rule, and one of its objects with a different value, or another key, at one place."""
    text = draw(st.sampled_from(CORPUS))
    bodies = [each.body for each in read(text)]
    index = draw(st.integers(0, len(bodies) - 1))
    body = copy.deepcopy(dict(bodies[index]))
    paths = [path for path, _ in values_inside(body) if path not in OWN]
    *above, last = draw(st.sampled_from(paths or [("apiVersion",)]))
    parent: Any = body
    for part in above:
        parent = parent[part]
    value, change = parent[last], draw(st.sampled_from(["type", "null", "remove", "misspell"]))
    if change == "type":
        parent[last] = [7] if isinstance(value, str) else "x y"
    elif change == "null":
        parent[last] = None
    else:
        del parent[last]
        if change == "misspell" and isinstance(last, str):
            parent[f"{last[:1]}{last}"] = value
    return text, index, body


@given(flawed())
def test_a_flaw_never_causes_a_finding_of_a_rule(change: tuple[str, int, dict[str, Any]]) -> None:
    text, index, body = change
    objects = read(text)
    before = object_findings(objects, KUBERNETES, shared_norms())
    objects[index] = objects[index]._replace(body=body)
    after = object_findings(objects, KUBERNETES, shared_norms())
    own, schema = identity(body).ref, {"CNF001", "CNF002", "CNF016", "CNF018", "CNF019", "CNF023"}
    if any(finding.code == "CNF001" and finding.object == own for finding in after):
        new = {(each.code, each.span, each.pointer) for each in after if each.object == own and each.code not in schema}
        assert new <= {(each.code, each.span, each.pointer) for each in before}
    assert "INT001" not in {finding.code for finding in after}


def _matches(mapping: dict[str, Any]) -> bool:
    match mapping:
        case {"b": _}:
            return True
    return False


READING: Mapping[str, Callable[[dict[str, Any]], object]] = {
    "value": lambda mapping: "b" in mapping,
    "get": lambda mapping: mapping.get("b"),
    "unpacked": lambda mapping: {**mapping},
    "arguments": lambda mapping: "{a}".format(**mapping),
    "dict": dict,
    "json": json.dumps,
    "deepcopy": copy.deepcopy,
    "copy": lambda mapping: mapping.copy(),
    "list": list,
    "reversed": lambda mapping: list(reversed(mapping)),
    "len": len,
    "items": lambda mapping: list(mapping.items()),
    "keys": lambda mapping: mapping.keys() & {"a"},
    "values": lambda mapping: list(mapping.values()),
    "equal": lambda mapping: mapping == {"a": 1},
    "unequal": lambda mapping: mapping != {"a": 1},
    "or": lambda mapping: mapping | {},
    "other or": lambda mapping: {} | mapping,
    "match": _matches,
}


def recorded(read_it: Callable[[dict[str, Any]], object], missing: set[str] | None, *, is_part: bool) -> bool:
    """Whether an access to a mapping with the key a is recorded."""
    records: list[bool] = []
    read_it(RecordingMapping({"a": 1}, missing, lambda: records.append(True), is_part=is_part))
    return bool(records)


@for_each("name", READING)
def test_each_access_that_may_depend_on_a_flaw_is_recorded(name: str) -> None:
    assert recorded(READING[name], {"b"}, is_part=True)


@pytest.mark.parametrize("missing", [{"b"}, None])
def test_a_missing_key_that_is_read_is_recorded(missing: set[str] | None) -> None:
    def read_it(mapping: dict[str, Any]) -> object:
        with pytest.raises(KeyError):
            return mapping["b"]
        return None

    assert recorded(read_it, missing, is_part=True)
    assert not recorded(lambda mapping: (mapping["a"], mapping.get("a"), "a" in mapping), missing, is_part=True)


def test_other_access_is_not_recorded() -> None:
    assert not recorded(lambda mapping: (bool(mapping), mapping.get("c"), "c" in mapping), {"b"}, is_part=True)
    assert not recorded(lambda mapping: ({**mapping}, len(mapping)), {"b"}, is_part=False)
    records: list[bool] = []
    assert not RecordingMapping({}, set(), lambda: records.append(True), is_part=True)
    assert records  # whether it is empty depends on the flaw


def test_flaws_are_at_keys_and_leave_a_valid_object() -> None:
    body = {"spec": {"list": [1, 2], "odd": 1, "one": {"a": 1}}}

    def check(rest: Mapping[str, Any]) -> list[Fault]:
        needs = [("spec", "list"), *((("spec", "one", "b"),) if "one" in rest["spec"] else ())]
        return list(chain(_missing(rest, needs), _odd(rest)))

    assert flaws_of(body, [*check(body), Fault(("spec", "list", 1), "x", "x")], check) == {
        Flaw(("spec", "list")),
        Flaw(("spec", "odd"), at_key=True),
        Flaw(("spec", "one", "b")),
    }
    assert without_flaws(body, {Flaw(("spec", "list"))}) == {"spec": {"odd": 1, "one": {"a": 1}}}


def _missing(body: Mapping[str, Any], paths: list[tuple[str, ...]]) -> Iterator[Fault]:
    inside = {path for path, _ in values_inside(body)}
    yield from (Fault(path, "missing", "add it") for path in paths if path not in inside)


def _odd(body: Mapping[str, Any]) -> Iterator[Fault]:
    if "odd" in body["spec"]:
        yield Fault(("spec", "odd"), "unknown", "remove it", at_key=True)


@for_each("pointer", [(), ("kind",), ("metadata",), ("metadata", "name"), ("metadata", "namespace")])
def test_an_object_without_identity_has_no_part_to_judge(pointer: tuple[str, ...]) -> None:
    body = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": 1, "namespace": 2}}
    assert flaws_of(body, [Fault(pointer, "x", "x")], lambda _: []) == frozenset()
