"""The shape of documents: what is a valid fleet document, and where the faults are."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gitgpu.diagnostic import Diagnostic, ObjectRef, Severity
from gitgpu.load.spec.shape import KINDS, shape
from gitgpu.load.text import Text
from gitgpu.write.render import render
from tests.helping.cases import for_each
from tests.load.documents import documents

SKU = "sku: x"
POOL = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: t4}
spec:
  clusters: [a]
  sku: x
"""


def shaped(content: str) -> tuple[list[tuple[str, bool]], list[Diagnostic]]:
    """The kind of each document and whether it is valid, and the faults."""
    docs, faults = shape([Text("dir/f.yaml", content, "f.yaml")])
    assert all(fault.severity is Severity.ERROR and fault.message and fault.help for fault in faults)
    assert all(document.label == "f.yaml" for document in docs)
    return [(document.kind, document.sound) for document in docs], faults


def reported(content: str) -> list[tuple[str, int, int]]:
    """The code, line and column of each fault."""
    return [(finding.code, finding.span.line, finding.span.column) for finding in shaped(content)[1]]


def test_a_sound_document() -> None:
    assert shaped(POOL) == ([("GpuPool", True)], [])
    assert shaped(f"---\n---\n{POOL}---\n# nothing\n---\n{POOL}") == ([("GpuPool", True)] * 2, [])


@for_each(
    ("pod", "faults"),
    [
        ("restartPolicy: Never, containers: [{name: a, image: a}]", []),
        ("restartPolicy: OnFailure, containers: [{name: a, image: a}]", []),
        (
            "restartPolicy: Always, containers: [{name: a, image: a}]",
            ["must be one of Never, OnFailure; found 'Always'"],
        ),
        ("containers: [{name: a, image: a}]", ["missing key 'restartPolicy'"]),
        ("restartPolicy: Never, containers: [{name: a}]", ["missing key 'image'"]),
        ("restartPolicy: Never, hostPID: null, containers: [{name: a, image: a, env: null}]", []),
        (
            "restartPolicy: Never, containers: [{name: a, image: a, env: [{name: B, valu: b}]}]",
            ["unknown key 'valu'; did you mean 'value'?"],
        ),
        (
            "restartPolicy: Never, containers: [{name: a, image: a}, {name: a, image: a}]",
            ["must not contain two items with the same name"],
        ),
    ],
)
def test_a_job_is_one_that_kubernetes_accepts(pod: str, faults: list[str]) -> None:
    workload = f"""\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuWorkload
metadata: {{name: a, namespace: a}}
spec: {{pools: [a], target: {{kind: Job, name: a}}, job: {{template: {{spec: {{{pod}}}}}}}}}
"""
    assert [diagnostic.message for diagnostic in shaped(workload)[1]] == faults


def test_a_mistake_in_a_job_is_reported_at_its_place() -> None:
    workload = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuWorkload
metadata: {name: a, namespace: a}
spec:
  pools: [a]
  target: {kind: Job, name: a}
  job:
    backofLimit: 2
    template:
      spec:
        restartPolicy: Nver
        containers: [{name: a, image: a}]
"""
    assert reported(workload) == [("SHP003", 8, 5), ("SHP003", 11, 24)]


@pytest.mark.parametrize(
    ("template", "message"),
    [
        (
            "spec: {rings: {}, restartPolicy: Never, containers: [{name: a, image: a}]}",
            "GpuWorkload has no key 'rings'",
        ),
        ("rings: {}, spec: {restartPolicy: Never, containers: [{name: a, image: a}]}", "unknown key 'rings'"),
        ("spec: {pools: [a], restartPolicy: Never, containers: [{name: a, image: a}]}", "unknown key 'pools'"),
    ],
)
def test_a_key_of_another_kind_is_named_if_the_mapping_has_the_same_name_there(template: str, message: str) -> None:
    workload = f"""\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuWorkload
metadata: {{name: a, namespace: a}}
spec: {{pools: [a], target: {{kind: Job, name: a}}, job: {{template: {{{template}}}}}}}
"""
    (fault,) = shaped(workload)[1]
    assert fault.message.startswith(message)
    assert (fault.help == "set it in the Fleet, as spec.rings") is message.endswith("has no key 'rings'")


def test_a_job_where_none_belongs_is_one_fault() -> None:
    assert [diagnostic.message for diagnostic in shaped(f"{POOL}  job: {{a: b}}\n")[1]] == [
        "GpuPool has no key 'job' here"
    ]


@for_each(
    ("change", "remedy"),
    [
        (("kind: GpuPool", "kind: GPUPool"), "set kind: GpuPool"),
        (("v1alpha1", "v1alpah1"), "set apiVersion: gitgpu.dev/v1alpha1"),
        (("apiVersion", "apiversion"), "rename it to 'apiVersion'"),
        (("sku:", "skus:"), "rename it to 'sku'"),
        (
            ("metadata", "apiVersion: a\nkind: b\nmetadata"),
            "add --- above it to start a document, or keep one of them",
        ),
    ],
)
def test_a_misspelt_head_is_one_fault_and_the_kind_is_known(change: tuple[str, str], remedy: str) -> None:
    documents, faults = shaped(POOL.replace(*change))
    assert [fault.help for fault in faults] == [remedy]
    assert [kind for kind, _ in documents] == ["GpuPool"]


@for_each(
    ("change", "message"),
    [
        (("kind: GpuPool", "kind: GPUPool"), "unknown kind 'GPUPool' of 'gitgpu.dev/v1alpha1'"),
        (("v1alpha1", "v1"), "unknown apiVersion 'gitgpu.dev/v1' for GpuPool"),
        (("kind: GpuPool\n", ""), "kind missing"),
        (("kind: GpuPool\n", "kin: GpuPool\n"), "unknown key 'kin'"),
        (("apiVersion: gitgpu.dev/v1alpha1\nkind: GpuPool\n", "knd: GpuPool\n"), "apiVersion and kind missing"),
    ],
)
def test_what_is_unknown_about_a_head(change: tuple[str, str], message: str) -> None:
    (fault,) = shaped(POOL.replace(*change))[1]
    assert fault.message == message


def test_a_pool_gives_its_sizes_in_one_way_only() -> None:
    for sizes, remedy in (
        ("weight: 1", "add one of them"),
        (f"{SKU}\n  requirements: {{vcpus: 4}}", "remove it, or what"),
    ):
        _, (fault,) = shaped(POOL.replace(SKU, sizes))
        assert fault.help.startswith(remedy)
    assert shaped(POOL.replace(SKU, "nodeRequirements: []"))[1] == []
    assert shaped(POOL.replace(SKU, f"{SKU}\n  nodeRequirements: []"))[1] == []


def test_a_kind_of_another_tool_is_not_a_fleet_document() -> None:
    documents, faults = shaped("apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\n")
    assert not documents
    remedy = f"use one of {', '.join(KINDS)}; keep other manifests outside the fleet"
    assert [fault.help for fault in faults] == [remedy]


@for_each(
    ("content", "faults"),
    [
        ("", [("SHP001", 1, 1)]),
        ("# only words\n", [("SHP001", 1, 1)]),
        ("---\n---\n", [("SHP001", 2, 1)]),
        ("- a\n", [("SHP001", 1, 1)]),
        ("hello\n", [("SHP001", 1, 1)]),
        ("# x\na: 1\n", [("SHP001", 2, 1)]),
        ("kind: Fleet\n", [("SHP001", 1, 1)]),
        ("apiVersion: v1\nkind: Pod\n", [("SHP002", 2, 7)]),
        ("apiVersion: gitgpu.dev/v1\nkind: Fleet\n", [("SHP002", 1, 13)]),
        ("apiVersion: gitgpu.dev/v1alpha1\nkind: fleet\n", [("SHP002", 2, 7)]),
        ("apiVersion: gitgpu.dev/v1alpha1\nkind: [Fleet]\n", [("SHP002", 2, 7)]),
        ("apiVersion: gitgpu.dev/v1alpha1\nkind: {a: 1}\n", [("SHP002", 2, 7)]),
        ("apiVersion: gitgpu.dev/v1alpha1\nkind:\n", [("SHP002", 2, 6)]),
        ("apiVersion: [x]\nkind: GpuPool\n", [("SHP002", 1, 13)]),
        ("c: [\n", [("YML001", 1, 5)]),
        ("a: 1\n---\nb: 2\n---\nc: [\n", [("YML001", 5, 5), ("SHP001", 1, 1), ("SHP001", 3, 1)]),
    ],
)
def test_what_is_not_a_fleet_document(content: str, faults: list[tuple[str, int, int]]) -> None:
    assert reported(content) == faults


@pytest.mark.parametrize(
    ("content", "message", "remedy"),
    [
        ("# only words\n", "the file contains no document", "add one, or remove the file"),
        (
            "- a\n",
            "a document must be a mapping with apiVersion and kind",
            "start with apiVersion: gitgpu.dev/v1alpha1",
        ),
        (
            "a: 1\n",
            "apiVersion and kind missing",
            f"set apiVersion: gitgpu.dev/v1alpha1 and kind: one of {', '.join(KINDS)}",
        ),
    ],
)
def test_what_a_document_needs(content: str, message: str, remedy: str) -> None:
    (fault,) = shaped(content)[1]
    assert (fault.message, fault.help) == (message, remedy)


def test_all_faults_of_shape_have_places() -> None:
    content = (
        POOL.replace("name: t4", "name: T4, nmae: x").replace("[a]", "[]").replace("sku: x", "sku: 3\n  zones: [0]")
    )
    kinds, faults = shaped(content)
    assert kinds == [("GpuPool", False)]
    places = [(fault.code, fault.pointer, fault.span.line) for fault in faults]
    assert places == [
        ("SHP003", "/metadata/name", 3),
        ("SHP003", "/metadata/nmae", 3),
        ("SHP003", "/spec/clusters", 5),
        ("SHP003", "/spec/sku", 6),
        ("SHP003", "/spec/zones/0", 7),
    ]
    assert {fault.object for fault in faults} == {ObjectRef("GpuPool", "", "T4")}
    assert {fault.span.file for fault in faults} == {"dir/f.yaml"}


@for_each("metadata", ["3", "[a]", "{name: [a]}", "{name: {b: c}}", "{name: 1}", "", "{}"])
def test_a_document_without_a_name_still_has_faults_with_places(metadata: str) -> None:
    kinds, faults = shaped(POOL.replace("{name: t4}", metadata))
    assert kinds == [("GpuPool", False)]
    assert all(fault.code == "SHP003" and fault.span.line in (1, 3) for fault in faults)
    assert {fault.object.name for fault in faults} == {""}


@for_each(
    "name",
    ["../../etc", "a/b", "a\\nb", "a\\e[31m", "A", "-a", "a-", "a.b", "", " a", "a" * 64, "ü", "a_b", "\\u202ea"],
)
def test_names_are_dns_labels(name: str) -> None:
    documents = {
        "Fleet": "metadata: {name: %s}\nspec: {delivery: {repository: https://x/y}}",
        "Cluster": 'metadata: {name: %s}\nspec: {region: a, kubernetesVersion: "1.34"}',
        "GpuPool": "metadata: {name: %s}\nspec: {clusters: [a], sku: x}",
        "GpuWorkload": "metadata: {name: %s, namespace: a}\nspec: {pools: [a], target: {kind: Job, name: a}}",
        "GpuTeam": "metadata: {name: %s}\nspec: {namespaces: [a], quota: [{pool: a, gpus: 1}]}",
    }
    for kind, rest in documents.items():
        head = f"apiVersion: gitgpu.dev/v1alpha1\nkind: {kind}\n"
        assert reported(head + rest % "a-1") == []
        assert reported(head + rest % f'"{name}"') == [("SHP003", 3, 18)]
    workload = "apiVersion: gitgpu.dev/v1alpha1\nkind: GpuWorkload\n" + documents["GpuWorkload"] % "a"
    assert reported(workload.replace("namespace: a", f'namespace: "{name}"')) == [("SHP003", 3, 32)]


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
def test_what_the_schema_accepts_is_found_sound_until_it_has_an_unknown_key(kind: str, data: st.DataObject) -> None:
    """The documents are read from text. An unknown key is added to each of the mappings that every document has."""
    document: dict[str, Any] = data.draw(documents(kind))
    docs, faults = shape([Text("f", render(document), "f")])
    assert faults == []
    assert [(doc.kind, doc.data, doc.sound) for doc in docs] == [(kind, document, True)]
    for where in (document, document["metadata"], document["spec"]):
        where["surprise"] = 1
        docs, faults = shape([Text("f", render(document), "f")])
        assert [doc.sound for doc in docs] == [False]
        assert ["surprise" in fault.message for fault in faults] == [True]
        del where["surprise"]
