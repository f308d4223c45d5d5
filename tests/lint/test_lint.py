"""Which objects lint groups, what it skips, and the effect of your own CRDs."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from gitgpu.diagnostic import Diagnostic, ObjectRef, Severity, in_order
from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.load.schemas import Schemas
from gitgpu.load.text import Text
from gitgpu.model.catalog import Catalog
from gitgpu.objects.manifest.manifests import read_manifests
from gitgpu.policy import Policy, settle
from gitgpu.rule import FAILED
from gitgpu.rules.norms import norms
from gitgpu.runs.lint import LintOptions, LintResult, allowances, lint
from gitgpu.source import Span
from tests.helping.cases import for_each
from tests.oracles.cel import needs_crds, upstream_faults
from tests.rules.objects.documents import mutants
from tests.rules.objects.samples import example_bodies
from tools.contracts import CRDS

CATALOG = Catalog(CatalogFiles())
ASKED = LintOptions("1.34")
NAMESPACE = "apiVersion: v1\nkind: Namespace\nmetadata: {name: gpu}\n"
POOL = """\
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: cpu}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: CLASS}
      requirements: []
"""
CLASS = "apiVersion: karpenter.azure.com/v1beta1\nkind: AKSNodeClass\nmetadata: {name: NAME}\nspec: {}\n"


def linted(files: dict[str, str], asked: LintOptions = ASKED, crds: list[dict[str, Any]] | None = None) -> LintResult:
    """The result of lint for these files."""
    texts = [Text(name, content, name) for name, content in files.items()]
    return lint(read_manifests(texts), (), norms(Schemas(), CATALOG, crds=crds or ()), asked)


def codes(files: dict[str, str], asked: LintOptions = ASKED) -> list[str]:
    """The codes of the findings, without infos."""
    reported = in_order(linted(files, asked).diagnostics)
    return [finding.code for finding in reported if finding.severity is not Severity.INFO]


def pool(node_class: str) -> str:
    """A NodePool with this node class."""
    return POOL.replace("CLASS", node_class)


def test_separate_files_are_checked_together() -> None:
    assert codes({"a.yaml": pool("b"), "b.yaml": CLASS.replace("NAME", "b")}) == []
    assert codes({"a.yaml": pool("c"), "b.yaml": CLASS.replace("NAME", "b")}) == ["CNF012"]


def test_the_namespace_of_a_cluster_scoped_object_does_not_hide_it() -> None:
    """The API server removes it, so a NodePool still has its class."""
    odd = CLASS.replace("NAME", "b, namespace: default")
    assert "namespace: default" in odd
    assert codes({"a.yaml": pool("b"), "b.yaml": odd}) == ["CNF007"]


def test_objects_that_may_be_elsewhere_are_not_reported_as_missing() -> None:
    assert codes({"a.yaml": pool("c")}) == []


def test_files_that_define_one_object_twice_are_alternatives() -> None:
    both = {"a.yaml": pool("b"), "b.yaml": pool("c"), "c.yaml": CLASS.replace("NAME", "b")}
    assert codes(both) == []
    assert codes({"a.yaml": NAMESPACE + "---\n" + NAMESPACE}) == ["CNF008"]
    apart = {f"{folder}/{name}": text for folder in "xy" for name, text in both.items() if name != "b.yaml"}
    apart["y/a.yaml"] += "  weight: 2\n"
    assert codes(apart | {"y/c.yaml": CLASS.replace("NAME", "d")}) == ["CNF012"]
    (note,) = linted(both).diagnostics
    assert note.code == "LNT010"
    assert note.message == (
        "NodePool cpu is different in b.yaml:1:1: 3 files are not listed in a kustomization, and files in different "
        "directories are checked separately"
    )
    remedy = "list the files that are applied together in a kustomization.yaml, or lint one directory at a time"
    assert note.help == remedy


def test_what_kustomizations_name_belongs_together() -> None:
    files = {
        "base/kustomization.yaml": "resources: [pool.yaml]\n",
        "base/pool.yaml": pool("b"),
        "one/kustomization.yaml": "resources: [../base, class.yaml]\n",
        "one/class.yaml": CLASS.replace("NAME", "b"),
        "two/kustomization.yaml": "resources: [../base, class.yaml]\n",
        "two/class.yaml": CLASS.replace("NAME", "c"),
    }
    (fault,) = (diagnostic for diagnostic in linted(files).diagnostics if diagnostic.severity is Severity.ERROR)
    assert (fault.code, fault.span.file) == ("CNF012", "base/pool.yaml")


def test_a_patch_holds_only_a_part_and_a_missing_file_is_reported() -> None:
    patch = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec: {replicas: 2}\n"
    named = {"kustomization.yaml": "patches: [{path: p.yaml}]\nresources: [gone.yaml, 'https://x/y']\n"}
    assert codes(named | {"p.yaml": patch}) == ["LNT004"]
    assert codes({"p.yaml": patch}) == ["CNF001", "CNF001"]


@pytest.mark.parametrize("more", ["creationTimestamp: null", "annotations: null", "labels: null, finalizers: null"])
def test_a_null_field_is_not_a_difference(more: str) -> None:
    """kubectl writes such fields, and the API server drops them."""
    other = NAMESPACE.replace("name: gpu", f"name: gpu, {more}")
    files = {"a/p.yaml": f"{NAMESPACE}---\n{pool('missing')}", "b/c.yaml": f"{other}---\n" + CLASS.replace("NAME", "b")}
    assert codes(files) == ["CNF012"]
    assert [reported.code for reported in linted(files).diagnostics] == ["CNF012"]


def test_the_namespace_of_a_kustomization_counts() -> None:
    files = {
        "kustomization.yaml": "namespace: media\nresources: [a.yaml, b.yaml]\n",
        "a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: one}\n",
        "b.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: two}\n",
    }
    assert codes(files) == ["CNF008"]


def test_what_kustomize_will_change_is_reported_once() -> None:
    files = {
        "base/kustomization.yaml": "resources: [a.yaml]\nimages: []\n",
        "base/a.yaml": NAMESPACE,
        "one/kustomization.yaml": "resources: [../base]\nnamespace: x\nreplicas: [{name: a, count: 2}]\n",
        "two/kustomization.yaml": "resources: [../base]\nnamePrefix: b-\ncomponents: [../part]\n",
        "one/p.yaml": NAMESPACE,
        "part/kustomization.yaml": "kind: Component\nlabels: [{pairs: {a: b}}]\n",
    }
    (reported,) = linted(files).diagnostics
    assert (reported.code, reported.severity, str(reported.span)) == (
        "LNT008",
        Severity.INFO,
        "one/kustomization.yaml:3:1",
    )
    assert reported.message == (
        "the key replicas changes what is applied, and so do 2 other kustomizations: lint checked the files without "
        "this change"
    )
    assert reported.help.startswith("`kustomize build one | ")
    made = {"kustomization.yaml": "resources: [a.yaml]\nconfigMapGenerator: [{name: c}]\n", "a.yaml": NAMESPACE}
    assert [diagnostic.code for diagnostic in linted(made).diagnostics] == ["LNT008"]
    alone = {name: files[name] for name in ("base/kustomization.yaml", "base/a.yaml", "part/kustomization.yaml")}
    assert linted(alone).diagnostics == ()  # nothing includes the component


def test_unknown_kinds_are_skipped_and_never_counted_as_valid() -> None:
    unknown = "apiVersion: example.org/v1\nkind: Thing\nmetadata: {name: a}\n"
    result = linted({"a.yaml": unknown + "---\n" + NAMESPACE, "values.yaml": "a: 1\n"})
    assert (result.diagnostics, result.objects, result.skipped) == ((), 1, 2)
    assert codes({"a.yaml": unknown, "v.yaml": "a: 1\n"}, ASKED._replace(strict=True)) == ["LNT005", "LNT003"]
    lenient = ASKED._replace(strict=True, ignore_missing=True)
    assert codes({"a.yaml": unknown, "v.yaml": "a: 1\n"}, lenient) == ["LNT003"]
    assert codes({"a.yaml": unknown, "v.json": '{"a": 1}'}, lenient) == []


def test_a_fleet_that_was_named_is_noted_once() -> None:
    """Otherwise a fleet with errors would seem correct. Fleets in a directory are skipped."""
    fleet = "apiVersion: gitgpu.dev/v1alpha1\nkind: GpuPool\nmetadata: {name: a}\n"
    files = {"fleet.yaml": f"{fleet}---\n{fleet}", "ns.yaml": NAMESPACE}
    (note,) = linted(files, ASKED._replace(named=frozenset(files))).diagnostics
    assert (note.code, note.severity, note.span.line) == ("LNT003", Severity.INFO, 2)
    assert note.message == "a gitgpu document, which lint does not check"
    assert note.help == "run `gitgpu validate`"
    assert linted(files).diagnostics == ()


def test_a_file_that_was_named_and_holds_no_object_is_reported() -> None:
    named = ASKED._replace(named=frozenset({"v.yaml"}))
    (reported,) = linted({"v.yaml": "a: 1\n"}, named).diagnostics
    assert (reported.code, reported.severity) == ("LNT003", Severity.INFO)  # a hook passes all changed files
    assert codes({"v.yaml": ""}, named) == ["LNT003"]
    assert codes({"v.yaml": "a: ["}, named) == ["YML001"]
    assert linted({"v.yaml": ""}).diagnostics == ()


def test_a_kind_whose_pods_are_not_read_is_noted_once() -> None:
    head, pods = "apiVersion: example.com/v1\nkind: Server\nmetadata: {name: %s}\n", "{spec: {containers: [{name: c}]}}"
    servers = "---\n".join(f"{head % name}spec: {{groups: [{{template: {pods}}}]}}\n" for name in "ab")
    [note] = linted({"a.yaml": servers}).diagnostics
    assert (note.code, note.severity, note.object) == ("LNT015", Severity.INFO, ObjectRef("Server", "", "a"))
    assert note.message == "the pods of Server are not checked: gitgpu does not know where this kind has them"
    devices = "spec: {replicas: 2, resources: {limits: {nvidia.com/gpu: 1}}}\n"
    [note] = linted({"a.yaml": head % "a" + devices}).diagnostics
    assert note.code == "LNT015"
    assert linted({"a.yaml": head % "a" + "spec: {resources: {limits: {cpu: 1}}}\n"}).diagnostics == ()
    assert codes({"a.yaml": head % "a" + devices}) == [], "it is information"


def test_pods_of_a_known_kind_in_an_unknown_place_are_noted() -> None:
    """Another version of the kind can have them elsewhere."""
    pods = "{template: {spec: {containers: [{name: a, image: a}]}}}"
    for version, spec in (("v2", f"{{groups: [{pods}]}}"), ("v1", f"{{workers: {pods}}}")):
        text = f"apiVersion: ray.io/{version}\nkind: RayCluster\nmetadata: {{name: a}}\nspec: {spec}\n"
        [note] = linted({"a.yaml": text}).diagnostics
        assert (note.code, note.span.line) == ("LNT015", 2)
    read = f"apiVersion: ray.io/v1\nkind: RayCluster\nmetadata: {{name: a}}\nspec: {{headGroupSpec: {pods}}}\n"
    assert linted({"a.yaml": read}).diagnostics == ()


@for_each("skip", ["Deployment", "apps/v1/Deployment", "deployment", "Apps/V1/deployment"])
def test_kinds_can_be_skipped(skip: str) -> None:
    text = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec: {x: 1}\n"
    assert "CNF001" in codes({"a.yaml": text})
    result = linted({"a.yaml": text}, ASKED._replace(skip=frozenset({skip})))
    assert (result.diagnostics, result.objects, result.skipped) == ((), 0, 1)


def test_a_kind_that_is_almost_one_is_not_an_unknown_kind() -> None:
    (diagnostic,) = linted({"a.yaml": pool("default").replace("kind: NodePool", "kind: NodePools")}).diagnostics
    assert (diagnostic.code, diagnostic.help) == ("CNF019", "set kind: NodePool")


@pytest.mark.parametrize(
    ("api_version", "kind", "meant"),
    [("v1", "Namespac", "Namespace"), ("apps/v1", "Deploymen", "Deployment"), ("batch/v1", "CronJobs", "CronJob")],
)
def test_a_kind_of_kubernetes_own_that_is_misspelt(api_version: str, kind: str, meant: str) -> None:
    text = f"apiVersion: {api_version}\nkind: {kind}\nmetadata: {{name: a, namespace: b}}\n"
    (fault,) = (diagnostic for diagnostic in linted({"a.yaml": text}).diagnostics if diagnostic.code == "CNF019")
    assert fault.help == f"set kind: {meant}"


@for_each(
    "kind",
    [
        "monitoring.coreos.com/v1 Prometheus",
        "monitoring.coreos.com/v1 Alertmanager",
        "monitoring.coreos.com/v1 ThanosRuler",
        "monitoring.coreos.com/v1alpha1 PrometheusAgent",
        "monitoring.coreos.com/v1alpha1 ScrapeConfig",
        "karpenter.sh/v1 NodeClaim",
        "nvidia.com/v1alpha1 NicClusterPolicy",
        "argoproj.io/v1alpha1 ClusterWorkflowTemplate",
        "argoproj.io/v1alpha1 AppProject",
        "source.toolkit.fluxcd.io/v1 HelmChart",
        "keda.sh/v1alpha1 ClusterTriggerAuthentication",
    ],
)
def test_a_real_kind_is_not_a_slip_of_another_of_its_group(kind: str) -> None:
    api_version, name = kind.split()
    assert "CNF019" not in codes({"a.yaml": f"apiVersion: {api_version}\nkind: {name}\nmetadata: {{name: a}}\n"})


def test_fleet_documents_are_left_to_another_command() -> None:
    result = linted({"fleet.yaml": "apiVersion: gitgpu.dev/v1alpha1\nkind: Fleet\nmetadata: {name: a}\nspec: {}\n"})
    assert (result.diagnostics, result.objects, result.skipped) == ((), 0, 1)


WIDGET = yaml.load(
    """
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.org}
spec:
  group: example.org
  names: {kind: Widget, plural: widgets}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [size]
            x-kubernetes-validations:
            - {rule: "self.size <= self.most", message: too large}
            properties:
              size: {type: integer}
              most: {type: integer, default: 3}
              share: {type: integer, maximum: 10, exclusiveMaximum: true}
              weight: {type: number, x-kubernetes-validations: [{rule: self * 2.0 > 1.0, message: too light}]}
              batch: {type: integer, format: int32, multipleOf: 8}
              copies: {type: integer, x-kubernetes-validations: [{rule: 12 / self > 1, message: too many}]}
              label: {type: string, x-kubernetes-validations: [{rule: "self.find('[0-9]+') == '42'", message: not 42}]}
              ports:
                type: array
                items: {type: integer, x-kubernetes-validations: [{rule: self > 0, message: too small}]}
              until: {type: string, format: date-time}
              odd: {type: string, format: int-or-string}
              body: {type: object, x-kubernetes-embedded-resource: true, properties: {spec: {type: object}}}
              parts:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [name]
                items: {type: object, properties: {name: {type: string}}}
""",
    yaml.CSafeLoader,
)


@for_each(
    ("spec", "expected"),
    [
        ("{size: 1}", []),
        ("{size: 4}", ["CNF018 too large"]),
        ("{size: 4, most: 5}", []),
        ("{size: 3, most: null}", []),
        ("{size: 1, ports: [1, 0]}", ["CNF018 too small"]),
        ("{size: 1, copies: 5}", []),
        ("{size: 1, copies: 0}", ["CNF018 too many"]),  # cannot be evaluated
        ("{size: 1, label: a42b}", []),
        ("{size: 1, label: a}", ["CNF018 not 42"]),
        ("{size: 1, share: 5}", []),
        ("{size: 1, share: 10}", ["CNF001 must be a whole number less than 10; found 10"]),
        ("{size: 1, batch: 16, until: '2026-11-21T10:00:00.5+01:00', odd: x}", []),
        ("{size: 1, batch: 12}", ["CNF001 must be a multiple of 8; found 12"]),
        ("{size: 1, batch: 4294967296}", ["CNF001 4294967296 is not a valid int32"]),
        ("{size: 1, until: tomorrow}", ["CNF001 'tomorrow' is not a valid date-time"]),
        ("{size: 1, weight: 3}", ["LNT006 1 CEL rule of the CRDs was not evaluated"]),
        ("{size: 1, body: {apiVersion: v1, kind: A, metadata: {name: b}}}", []),
        ("{}", ["CNF001 missing key 'size'"]),
        ("{size: 1, colour: red}", ["CNF001 unknown key 'colour'"]),
        (
            "{size: 1, parts: [{name: a}, {name: a}]}",
            ["CNF001 must not contain two items with the same name"],
        ),
    ],
)
def test_your_own_crds_decide(spec: str, expected: list[str]) -> None:
    text = f"apiVersion: example.org/v1\nkind: Widget\nmetadata: {{name: a, namespace: b}}\nspec: {spec}\n"
    result = linted({"a.yaml": text}, crds=[WIDGET])
    assert [f"{diagnostic.code} {diagnostic.message}" for diagnostic in result.diagnostics] == expected
    assert (result.objects, result.skipped) == (1, 0)
    unsupported = "they use functions that the CEL engine does not support; the API server still evaluates them"
    assert all(note.help == unsupported for note in result.diagnostics if note.code == "LNT006")


def test_without_the_engine_it_says_how_much_was_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gitgpu.objects.schema.cel.PACKAGE", "no_such_package")
    text = "apiVersion: example.org/v1\nkind: Widget\nmetadata: {name: a, namespace: b}\nspec: {size: 4}\n"
    (note,) = linted({"a.yaml": text}, crds=[WIDGET]).diagnostics
    assert (note.code, note.severity, note.help) == ("LNT006", Severity.INFO, "install gitgpu[cel]")
    assert (note.message, note.span) == ("1 CEL rule of the CRDs was not evaluated", Span("", 0, 0))
    (note,) = linted({"a.yaml": text.replace("size: 4", "size: 4, weight: 3")}, crds=[WIDGET]).diagnostics
    assert note.message == "2 CEL rules of the CRDs were not evaluated"


@needs_crds
@pytest.mark.parametrize("kind", ["NodePool", "AKSNodeClass", "ScaledObject", "NVIDIADriver", "Workspace"])
def test_passed_upstream_crds_give_the_verdict_of_upstream(kind: str) -> None:
    crds = [
        yaml.load(path.read_text("utf-8"), yaml.CSafeLoader) for path in sorted(CRDS.glob(f"*_{kind.lower()}*.yaml"))
    ]
    body = next(example_body for example_body in example_bodies() if example_body["kind"] == kind)
    for changed in (body, _without(body), {**body, "spec": {**body.get("spec", {}), "limts": 1}}):
        diagnostics = linted({"a.yaml": yaml.safe_dump(changed)}, crds=crds).diagnostics
        refused = [finding for finding in diagnostics if finding.code in ("CNF001", "CNF018")]
        assert bool(refused) is bool(upstream_faults(changed)), diagnostics


def _without(body: dict[str, Any]) -> dict[str, Any]:
    """The object without the fields that are specific to its kind."""
    return {key: part for key, part in body.items() if key in ("apiVersion", "kind", "metadata")}


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_no_object_causes_a_crash(data: st.DataObject) -> None:
    changed = data.draw(mutants(data.draw(st.sampled_from(example_bodies()))))
    diagnostics = linted({"a.yaml": yaml.safe_dump(changed)}).diagnostics
    assert all(fault.message and fault.help for fault in diagnostics)
    assert [fault for fault in diagnostics if fault.code == FAILED] == []


def test_a_request_for_devices_may_be_null() -> None:
    spec = {"spec": {"devices": {"requests": [None]}}}
    body = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaimTemplate",
        "metadata": {"name": "a"},
        "spec": spec,
    }
    diagnostics = linted({"a.yaml": yaml.safe_dump(body)}).diagnostics
    assert [fault for fault in diagnostics if fault.code == FAILED] == []


@pytest.mark.parametrize("spec", ["text", 5, [1], {"limits": [{}]}, {"template": "text"}, {"template": {"spec": [1]}}])
def test_a_kind_of_another_group_is_not_read_as_the_kind_that_rules_know(spec: Any) -> None:
    kinds = {body["kind"] for body in example_bodies()} - {"AKSNodeClass", "ManagedClustersAgentPool"}
    bodies = [{"apiVersion": "x/v1", "kind": kind, "metadata": {"name": "a"}, "spec": spec} for kind in sorted(kinds)]
    diagnostics = linted({"a.yaml": yaml.safe_dump_all(bodies)}).diagnostics
    assert [fault for fault in diagnostics if fault.severity is Severity.ERROR] == []


@for_each("amount", ["9" * 40, "1e60", "0.5e40", "9" * 5000, "1" * 30 + "E"])
def test_an_amount_may_have_any_number_of_digits(amount: str) -> None:
    text = pool("a").replace("cpu", "nvidia.com/gpu").replace("'100'", f"'{amount}'").replace('"100"', f'"{amount}"')
    pod = f"""
apiVersion: v1
kind: Pod
metadata: {{name: a, namespace: b}}
spec:
  containers:
  - {{name: a, image: "a:1", resources: {{limits: {{nvidia.com/gpu: "{amount}"}}}}}}
"""
    assert [fault for fault in linted({"a.yaml": text, "b.yaml": pod}).diagnostics if fault.code == FAILED] == []


@for_each("name", ["K" * 300, "../catalog/skus", "a/../../b", "karpenter.sh_nodepool", "a\\b"])
def test_a_kind_or_group_is_not_taken_for_the_name_of_a_file(name: str) -> None:
    for api_version, kind in ((f"{name}/v1", "Foo"), ("x.io/v1", name), (f"{name}/v1", name)):
        body = {"apiVersion": api_version, "kind": kind, "metadata": {"name": "a"}}
        diagnostics = linted({"a.yaml": yaml.safe_dump(body)}).diagnostics
        assert {fault.code for fault in diagnostics} <= {"CNF019"}


@settings(max_examples=15, deadline=None)
@given(st.permutations(["a", "b", "c", "d"]))
def test_the_order_of_files_does_not_matter(names: list[str]) -> None:
    texts = [pool("b"), CLASS.replace("NAME", "b"), NAMESPACE, pool("c").replace("cpu", "other")]
    by_name: dict[str, list[Diagnostic]] = {}
    files = {f"{name}.yaml": texts["abcd".index(name)] for name in names}
    by_name["x"] = list(in_order(linted(files).diagnostics))
    assert [(finding.code, finding.span.file) for finding in by_name["x"]] == [("CNF012", "d.yaml")]


def test_every_example_of_a_karpenter_repository_is_read_alone(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.yaml").write_text(f"{pool(name)}---\n{CLASS.replace('NAME', name)}")
    files = {str(path): path.read_text() for path in tmp_path.iterdir()}
    assert codes(files) == []


def widget(head: str = "apiVersion: example.org/v1", meta: str = "{name: a, namespace: b}") -> str:
    """A Widget with a valid spec."""
    return f"{head}\nkind: Widget\nmetadata: {meta}\nspec: {{size: 1}}\n"


def test_a_crd_says_nothing_of_metadata_and_they_are_checked_all_the_same() -> None:
    text = widget(meta="{name: a, namespace: b, labels: {team: 5}, annotations: [1]}")
    diagnostics = in_order(linted({"a.yaml": text}, crds=[WIDGET]).diagnostics)
    assert [diagnostic.pointer for diagnostic in diagnostics] == ["/metadata/labels/team", "/metadata/annotations"]


def test_a_version_that_the_crd_does_not_serve() -> None:
    (diagnostic,) = linted({"a.yaml": widget("apiVersion: example.org/v2")}, crds=[WIDGET]).diagnostics
    assert (diagnostic.code, diagnostic.pointer) == ("CNF016", "/apiVersion")
    message = "the given CRD of Widget does not serve example.org/v2"
    assert (diagnostic.message, diagnostic.help) == (message, "use a version that it serves")


def test_null_means_absent() -> None:
    text = pool("default").replace("spec:\n  template", "spec:\n  weight: null\n  disruption: null\n  template", 1)
    assert codes({"a.yaml": text}) == []
    assert codes({"a.yaml": pool("default").replace("requirements: []", "requirements: null")}) == ["CNF001"]


def test_an_item_of_a_list_that_is_not_an_object_is_not_lost() -> None:
    text = "apiVersion: v1\nkind: List\nitems:\n- {kind: Pod}\n"
    assert linted({"a.yaml": text}).skipped == 1
    assert codes({"a.yaml": text}, ASKED._replace(strict=True)) == ["LNT003"]


def test_an_annotation_allows_whatever_namespace_a_kustomization_gives() -> None:
    claim = (
        "apiVersion: v1\nkind: Pod\nmetadata: {name: a, annotations: {gitgpu.dev/ignore: 'POD009: known'}}\n"
        "spec: {containers: [{name: m, image: 'x:1.0', resources: {requests: {nvidia.com/gpu: 1}}}]}\n"
    )
    files = {"k/kustomization.yaml": "namespace: media\nresources: [pod.yaml]\n", "k/pod.yaml": claim}
    sheets = read_manifests([Text(name, content, name) for name, content in files.items()])
    diagnostics = lint(sheets, (), norms(Schemas(), CATALOG), ASKED).diagnostics
    assert "POD009" in {finding.code for finding in diagnostics}
    assert settle(diagnostics, allowances(sheets), Policy()) == []


def test_a_base_in_two_overlays_is_an_object_of_each() -> None:
    scaler = (
        "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web}\nspec: {maxReplicas: 3, "
        "scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}\n"
    )
    web = (
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {selector: {matchLabels: {a: b}}, "
        "template: {metadata: {labels: {a: b}}, spec: {containers: [{name: m, image: 'x:1.0'}]}}}\n"
    )
    overlay = "resources: [../base, scaler.yaml]\nnamespace: "
    files = {
        "kustomization.yaml": "resources: [one, two]\n",
        "base/kustomization.yaml": "resources: [web.yaml]\n",
        "base/web.yaml": web,
    }
    for name in ("one", "two"):
        files |= {f"{name}/kustomization.yaml": overlay + name + "\n", f"{name}/scaler.yaml": scaler}
    assert codes(files) == []


def test_an_export_of_a_cluster_is_not_a_fault() -> None:
    server = "creationTimestamp: null, generation: 3, uid: abc, resourceVersion: '1', managedFields: [{manager: x}]"
    text = pool("default").replace("{name: cpu}", f"{{name: cpu, {server}}}") + "status: {nodes: 3, conditions: []}\n"
    assert codes({"a.yaml": text}) == []


def test_a_patched_object_is_not_checked_without_its_patch() -> None:
    gpu = pool("default").replace(
        "requirements: []", "requirements: [{key: karpenter.azure.com/sku-gpu-name, operator: Exists}]"
    )
    patch = "apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {name: cpu}\nspec: {limits: {nvidia.com/gpu: 4}}\n"
    files = {"kustomization.yaml": "resources: [a.yaml]\n", "a.yaml": gpu, "p.yaml": patch}
    assert {"NPL015", "NPL016"} <= set(codes({"a.yaml": gpu}))
    files["kustomization.yaml"] += "patches: [{path: p.yaml}]\n"
    assert set(codes(files)) == {"NPL015", "NPS014"}  # the patch adds limits, which are too small for the largest size
