"""Conform as a whole: which schema applies, what a finding contains, and that odd input does not crash it."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitgpu.diagnostic import Change, Diagnostic, Edit, ObjectRef, Severity
from gitgpu.load.schemas import Schemas
from gitgpu.objects.items import gather
from gitgpu.objects.schema.contracts import Contracts
from gitgpu.rule import FAILED
from gitgpu.rules.object_findings import object_findings
from gitgpu.rules.object_rulebook import object_rules
from gitgpu.source import Span
from tests.helping.cases import for_each
from tests.rules.objects.documents import SCALARS, mutants
from tests.rules.objects.samples import (
    EXAMPLES,
    KUBERNETES,
    conformed,
    example_bodies,
    label,
    read,
    shared_norms,
    somewhere,
)

DEPLOYMENT = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: ranker, namespace: serving}
spec: {template: {spec: {containers: [{name: main, image: "a:1", resources: {limits: {nvidia.com/gpu: 1}}}]}}}
"""


@for_each("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_examples_have_no_findings(path: Path) -> None:
    assert conformed(path.read_text("utf-8")) == []


def test_a_finding_has_a_message_a_place_and_a_remedy() -> None:
    (fault,) = conformed("\n\napiVersion: v1\nkind: Namespace\nmetadata: {name: a, lables: {}}\n")
    assert fault == Diagnostic(
        code="CNF001",
        severity=Severity.ERROR,
        message="unknown key 'lables'; did you mean 'labels'?",
        help="rename it to 'labels'",
        span=Span("objects.yaml", 5, 21),
        pointer="/metadata/lables",
        object=ObjectRef("Namespace", "", "a"),
        edit=Edit(Change.KEY, Span("objects.yaml", 5, 21), "labels"),
    )


def test_a_patch_may_omit_required_fields() -> None:
    assert [fault.message for fault in conformed(DEPLOYMENT)] == ["missing key 'selector'"]
    assert conformed(DEPLOYMENT, patch=True) == []
    wrong = DEPLOYMENT.replace("resources: {limits", "resources: {limit")
    (fault,) = conformed(wrong, patch=True)
    assert fault.message == "unknown key 'limit'; did you mean 'limits'?"


def test_a_patch_is_neither_a_duplicate_nor_a_target_of_references() -> None:
    whole = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: b}\n"
    both = [*read(whole), *read(whole, patch=True), *read(whole, patch=True)]
    assert object_findings(both, "1.34", shared_norms()) == []


class OneLine(Schemas):
    """The same schemas, but on one line each, as a release of kubernetes-validate may ship them."""

    def built_in(self, minor: str, name: str) -> str | None:
        """A file of a Kubernetes minor version."""
        text = Schemas().built_in_file(minor, name)
        return text and json.dumps(json.loads(text))


def test_the_layout_of_the_bundled_schemas_does_not_matter() -> None:
    spec = {"containers": [{"name": "a", "image": "b", "prots": []}]}
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "spec": spec}
    for schemas in (Schemas(), OneLine()):
        (fault,) = Contracts(schemas).find("1.34", "v1", "Pod").faults(pod)
        assert fault.message == "unknown key 'prots'; did you mean 'ports'?"


PATCHES = {
    "POD017": """
apiVersion: apps/v1
kind: Deployment
metadata: {name: chat, namespace: serving}
spec: {replicas: 3}
""",
    "GIT006": """
apiVersion: v1
kind: ConfigMap
metadata: {name: gpu-operator-values, namespace: gpu-operator}
data: {values.yaml: "driver: {enabled: false}"}
""",
}


@pytest.mark.parametrize(("code", "patch"), PATCHES.items(), ids=PATCHES)
def test_a_fault_that_a_patch_may_fix_is_not_reported(code: str, patch: str) -> None:
    rule = next(rule for rule in object_rules() if rule.code == code)
    for objects, expected in ((read(rule.bad), True), ([*read(rule.bad), *read(patch, patch=True)], False)):
        assert (code in {fault.code for fault in object_findings(objects, KUBERNETES, shared_norms())}) is expected


def test_a_patch_does_not_create_the_object_that_it_changes() -> None:
    pool = {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": "t4"}}
    owner = {"group": "karpenter.azure.com", "kind": "AKSNodeClass", "name": "t4"}
    pool |= {"spec": {"template": {"spec": {"nodeClassRef": owner, "requirements": []}}}}
    node_class = {"apiVersion": "karpenter.azure.com/v1beta1", "kind": "AKSNodeClass", "metadata": {"name": "t4"}}
    for patch, expected in ((False, []), (True, ["CNF012"])):
        given = [*somewhere(pool), *somewhere(node_class | {"spec": {}}, patch=patch)]
        assert [fault.code for fault in object_findings(given, KUBERNETES, shared_norms())] == expected


def test_a_file_that_only_kustomize_reads_is_not_an_object_of_the_cluster() -> None:
    """Two of them may have the same name."""
    kustomization = {
        "apiVersion": "kustomize.config.k8s.io/v1beta1",
        "kind": "Kustomization",
        "metadata": {"name": "a"},
    }
    assert object_findings(somewhere(kustomization, kustomization), KUBERNETES, shared_norms()) == []


@for_each("kind", ["Ranker", "../kustomize", "", "_kinds"])
def test_an_unknown_kind_is_reported_and_its_metadata_are_still_checked(kind: str) -> None:
    text = f"apiVersion: example.org/v1\nkind: {kind!r}\nmetadata: {{name: A_b}}\n"
    reported = [(fault.code, fault.severity) for fault in conformed(text)]
    expected = [("CNF002", Severity.INFO), ("CNF003", Severity.ERROR)] if kind else [("CNF001", Severity.ERROR)]
    assert reported == expected


def test_a_group_that_only_shares_a_prefix_with_a_known_one_is_unknown() -> None:
    assert [f.code for f in conformed("apiVersion: apps.example.com/v1\nkind: DaemonSet\nmetadata: {name: a}\n")] == [
        "CNF002"
    ]


@for_each(
    ("version", "checked_as"),
    [
        ("1.34", ""),
        ("v1.34.2", ""),
        ("1.34.5-aks", ""),
        ("1.99", "1.37"),
        ("1.9", "1.25"),
        ("1.100", "1.37"),
        ("x", "1.25"),
    ],
)
def test_the_version_of_kubernetes_is_clamped_and_reported(version: str, checked_as: str) -> None:
    text = "apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n"
    diagnostics = conformed(text, kubernetes=version)
    if not checked_as:
        assert diagnostics == []
    else:
        (note,) = diagnostics
        assert (note.code, note.severity) == ("CNF010", Severity.INFO)
        newest = Schemas().minors()[-1] if checked_as == "1.37" else checked_as
        unknown = f"Kubernetes {version} is not bundled with kubernetes-validate"
        assert note.message == f"{unknown}: built-in kinds were checked as {newest}"
        assert note.help == "install the release of kubernetes-validate that has it"


def test_the_kubernetes_version_decides_which_kinds_exist() -> None:
    claim = next(body for body in example_bodies() if body["kind"] == "ResourceClaimTemplate")
    manifest = somewhere(claim)
    assert object_findings(manifest, "1.34", shared_norms()) == []
    (fault,) = object_findings(manifest, "1.30", shared_norms())
    assert (fault.code, fault.message, fault.help) == (
        "CNF016",
        "Kubernetes 1.30 does not serve resource.k8s.io/v1 ResourceClaimTemplate, which comes with 1.34",
        "use a version that it serves, or upgrade the cluster first",
    )


def test_files_of_kustomize_are_not_objects() -> None:
    text = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [a.yaml]\n"
    assert conformed(f"{text}---\n{text}") == []
    assert [f.pointer for f in conformed(text.replace("resources", "resource"))] == ["/resource"]


@for_each(
    ("closed", "beyond", "expected"),
    [(True, (), True), (True, ("", "ConfigMap"), True), (True, ("*", "*"), False), (False, (), False)],
)
def test_a_cluster_that_may_have_objects_of_any_kind_is_not_complete(
    closed: bool, beyond: tuple[str, str] | tuple[()], expected: bool
) -> None:
    kinds = frozenset([beyond] if beyond else [])
    assert gather([], KUBERNETES, shared_norms(), closed=closed, beyond=kinds).closed is expected


def test_bundled_versions_are_in_order() -> None:
    minors = [int(minor.removeprefix("1.")) for minor in Schemas().minors()]
    assert minors == sorted(minors)
    assert len(minors) > 5


def test_facts_about_kinds_name_kinds_that_exist() -> None:
    """Every kind that is listed as cluster-scoped exists in some bundled version."""
    source = Schemas()
    missing = []
    for kind in shared_norms().kinds["cluster"]:
        family, _, name = kind.rpartition("/")
        stems = [f"{name.lower()}-{family.partition('.')[0]}-".replace("--", "-")]
        versions = ("v1", "v1alpha1", "v1alpha2", "v1alpha3", "v1beta1", "v1beta2")
        known = any(
            source.built_in_file(minor, stem + version)
            for minor in source.minors()
            for stem in stems
            for version in versions
        )
        missing += [] if known else [kind]
    assert missing == []


@settings(max_examples=50, deadline=None)
@given(data=st.data())
def test_no_object_causes_a_crash(data: st.DataObject) -> None:
    bodies = example_bodies()
    body = data.draw(mutants(data.draw(mutants(data.draw(st.sampled_from(bodies))))))
    patch = data.draw(st.booleans())
    if isinstance(body, dict):
        manifest = somewhere(body, patch=patch)
        diagnostics = object_findings(manifest, "1.34", shared_norms())
        assert all(fault.message and fault.help for fault in diagnostics)
        assert [fault for fault in diagnostics if fault.code == FAILED] == []


@settings(max_examples=25, deadline=None)
@given(metadata=st.dictionaries(st.sampled_from(["name", "namespace", "labels", "annotations"]), SCALARS), kind=SCALARS)
def test_no_metadata_causes_a_crash(metadata: dict[str, Any], kind: Any) -> None:
    for api_version in ("v1", "example.org/v1", None, 5, "karpenter.sh/v1"):
        body = {"apiVersion": api_version, "kind": kind, "metadata": metadata}
        assert FAILED not in {fault.code for fault in object_findings(somewhere(body), "1.34", shared_norms())}


def test_findings_do_not_depend_on_what_was_checked_before() -> None:
    bodies = [body for body in example_bodies() if body["kind"] == "NodePool"]
    text = json.dumps(bodies[0]).replace('"In"', '"Inn"', 1)
    first = conformed(text)
    assert [fault.code for fault in first] == ["CNF001", "CNF012"]
    for path in EXAMPLES:
        conformed(path.read_text("utf-8"))
    assert conformed(text) == first


@for_each(
    "body", example_bodies(), ids=[f"{label(b)}-{b.get('metadata', {}).get('name', '')}" for b in example_bodies()]
)
def test_null_means_absent_where_kubernetes_accepts_it(body: dict[str, Any]) -> None:
    if body["apiVersion"].count("/") == 0 or body["apiVersion"].startswith("apps/"):
        body["metadata"] |= {"labels": None, "annotations": None}
        assert object_findings(somewhere(body), "1.34", shared_norms()) == []
