"""Any value of any type, at any place of an object of each kind that lint and the simulation read."""

import copy
from typing import Any

import yaml
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from gitgpu.diagnostic import Diagnostic
from gitgpu.load.schemas import Schemas
from gitgpu.load.text import Text
from gitgpu.objects import crds
from gitgpu.objects.manifest.manifests import read_manifests
from gitgpu.objects.objects import identity
from gitgpu.objects.schema.crd import is_usable
from gitgpu.rule import FAILED
from gitgpu.rules.norms import norms
from gitgpu.rules.object_rulebook import object_rules
from gitgpu.runs.lint import LintOptions, allowances, lint
from tests.fuzz.material import DUMPER, LOADER
from tests.helping.nested import values_inside
from tests.rules.objects.samples import example_bodies
from tests.simulate.clusters import group_of_pods, hpa, job, scaled_job, scaled_object
from tests.simulate.worlds import CLASS, Body, catalog, daemon, deployment, forecasts, pod_spec, pool

JUNK: tuple[Any, ...] = (
    *(None, True, 0, -1, 1.5, "", "x", "${X}", "a\nb", [], [None], ["x"], [{}]),
    *({}, {"a": None}, {"a": "x"}, {"": [1]}),
)
TEMPLATE = {"metadata": {"labels": {"app": "t"}, "annotations": {"a": "b"}}, "spec": pod_spec()}
CRD = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: foos.x.io}
spec:
  group: x.io
  scope: Namespaced
  names: {kind: Foo, plural: foos}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {a: {type: string}}}}}}
  - name: v0
    served: false
    storage: false
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: string, pattern: "a+"}}}}
"""
FOO = {"apiVersion": "x.io/v1", "kind": "Foo", "metadata": {"name": "a"}, "spec": {"a": "x"}}
KUSTOMIZATION = """\
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
namespace: a
resources: [all.yaml]
patches: [{target: {kind: Pod, options: {allowNameChange: true}}, path: p.yaml}, {patch: "- op: remove\\n  path: /a"}]
images: [{name: a, newTag: b}]
labels: [{pairs: {a: b}, includeSelectors: true}]
replacements: [{source: {kind: Pod, fieldPath: a.b}, targets: [{select: {kind: Pod}, fieldPaths: [a.b]}]}]
configMapGenerator: [{name: a, literals: [a=b], files: [x.yaml], options: {disableNameSuffixHash: true}}]
helmCharts: [{name: keda, repo: https://kedacore.github.io/charts, version: 2.18.0, valuesInline: {a: b}}]
"""
FACTS = norms(Schemas(), catalog())


def _kinds() -> list[Body]:
    """An object of each kind that a rule or an example has."""
    written = [rule.good for rule in object_rules()] + [rule.bad for rule in object_rules()]
    bodies = [*example_bodies(), *(body for text in written for body in yaml.load_all(text, LOADER) if body)]
    by_kind: dict[tuple[str, str], Body] = {}
    for body in bodies:
        by_kind.setdefault(identity(body)[:2], body)
    return list(by_kind.values())


KINDS = _kinds()
LIMITED = pool(
    "p", "Standard_NC24ads_A100_v4", limits={"nvidia.com/gpu": "4"}, disruption={"budgets": [{"nodes": "1"}]}
)
JOBS = {"replicatedJobs": [{"name": "a", "replicas": 2, "template": {"spec": {"template": TEMPLATE}}}]}
RAY = {
    "headGroupSpec": {"template": TEMPLATE},
    "workerGroupSpecs": [{"replicas": 1, "maxReplicas": 2, "template": TEMPLATE}],
}
LEADERS = {"replicas": 1, "leaderWorkerTemplate": {"size": 2, "workerTemplate": TEMPLATE}}
ALSO = ("NodeOverlay", "ManagedClustersAgentPool", "NodeClaim", "PersistentVolumeClaim", "ResourceClaimTemplate")
CLUSTER: list[Body] = [
    *(LIMITED, CLASS, deployment("d", 2), daemon("s", {"cpu": "1"}), job("j", parallelism=2), scaled_job("k")),
    *(hpa("d", 1, 4), scaled_object("d"), group_of_pods("JobSet", JOBS), group_of_pods("RayCluster", RAY)),
    *(group_of_pods("LeaderWorkerSet", LEADERS), *(body for body in KINDS if body["kind"] in ALSO)),
]
LABELS = ("spec", "replicatedJobs", 0, "template", "spec", "template", "metadata", "labels")


def changed(bodies: list[Body], at: int, place: tuple[Any, ...], junk: Any) -> list[Body]:
    """The objects with a different value at a place of one."""
    result = copy.deepcopy(bodies)
    parent: Any = result[at]
    for part in place[:-1]:
        parent = parent[part]
    parent[place[-1]] = copy.deepcopy(junk)
    return result


def places(bodies: list[Body]) -> list[tuple[int, tuple[Any, ...]]]:
    """The places of all values, each with the position of its object."""
    return [(at, place) for at, body in enumerate(bodies) for place, _ in values_inside(body)]


def linted(bodies: list[Body], kustomization: str = "", running: list[Body] | None = None) -> tuple[Diagnostic, ...]:
    """The findings about these objects, in one file."""
    text = yaml.dump_all(bodies, Dumper=DUMPER, sort_keys=False)
    files = {"all.yaml": text, "p.yaml": "kind: Pod\n"}
    if kustomization:
        files["kustomization.yaml"] = kustomization
    manifests = read_manifests(Text(name, content, name) for name, content in files.items())
    list(allowances(manifests))
    using = FACTS if running is None else norms(Schemas(), catalog(), crds=running)
    return lint(manifests, (), using, LintOptions("1.34", closed=True)).diagnostics


calm = settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@given(st.sampled_from(places(KINDS)), st.sampled_from(JUNK))
@calm
def test_lint_reports_an_odd_object(where: tuple[int, tuple[Any, ...]], junk: Any) -> None:
    at, place = where
    (odd,) = changed([KINDS[at]], 0, place, junk)
    reported = linted([odd, *(body for body in KINDS if body["kind"] in ("NodePool", "Deployment"))])
    assert [fault for fault in reported if fault.code == FAILED] == []
    assert all(fault.message and fault.help for fault in reported)


@given(st.sampled_from(places([yaml.load(KUSTOMIZATION, LOADER)])), st.sampled_from(JUNK))
@calm
def test_lint_reads_an_odd_kustomization(where: tuple[int, tuple[Any, ...]], junk: Any) -> None:
    (odd,) = changed([yaml.load(KUSTOMIZATION, LOADER)], *where, junk)
    linted(KINDS[:3], yaml.dump(odd, Dumper=DUMPER))


@given(st.sampled_from(places([yaml.load(CRD, LOADER)])), st.sampled_from(JUNK))
@example((0, ("spec", "versions", 1, "schema", "openAPIV3Schema", "properties", "spec")), "x")
@calm
def test_an_odd_crd_is_refused_or_used(where: tuple[int, tuple[Any, ...]], junk: Any) -> None:
    (odd,) = changed([yaml.load(CRD, LOADER)], *where, junk)
    read = read_manifests([Text("crd.yaml", yaml.dump(odd, Dumper=DUMPER), "crd.yaml")])
    readable = [loaded for file in read.files.values() for loaded in file.objects if crds._is_crd(loaded)]
    usable = [loaded.body for loaded in readable if not crds._fault(loaded) and is_usable(loaded.body)]
    assert [fault for fault in linted([FOO], running=usable) if fault.code == FAILED] == []


@given(st.sampled_from(places(CLUSTER)), st.sampled_from(JUNK))
@example((8, LABELS), "x")
@calm
def test_an_odd_object_is_simulated_or_refused(where: tuple[int, tuple[Any, ...]], junk: Any) -> None:
    assert len(forecasts(*changed(CLUSTER, *where, junk))) <= 2
