"""Documents that are not Kubernetes objects: nothing is dropped silently, and the report stays short."""

import pytest

from gitgpu.inventory.joined import ImportOptions
from tests.adopt.test_observing import KUSTOMIZATION, POOL, observe, shown

CHART = "apiVersion: v2\nname: app\nversion: 1.0.0\n"
TABLE = "NAME   NODECLASS   NODES   READY   AGE\ngpu    gpu         1       True    3d\n"
PATCH = "patches:\n- {path: gpu.yaml, target: {kind: NodePool}}\n"
ABOUT = "not a format that import reads: pass Kubernetes objects, the JSON of `az aks`, `terraform show -json` or"


def skipped(files: dict[str, str], asked: ImportOptions | None = None) -> list[str]:
    """The documents in a directory that are skipped, as `FILE:LINE NAME: REASON`."""
    inventory = observe(files, asked)
    return [f"{each.span.file}:{each.span.line} {each.name}: {each.reason}" for each in inventory.skipped]


def test_a_document_without_a_kind() -> None:
    files = {"a.yaml": f"{POOL}---\n{POOL.replace('kind: NodePool', 'x: y')}", "b.json": '{"kind": "NodePool"}'}
    assert shown(observe(files)) == ["/NodePool/gpu"]
    assert skipped(files) == [
        "a.yaml:6 a.yaml: not a Kubernetes object: it has no kind: add kind",
        "b.json:1 b.json: not a Kubernetes object: it has no apiVersion: add apiVersion",
    ]


def test_objects_without_gpus_share_a_line() -> None:
    files = {
        "pool.yaml": POOL,
        "package.json": '{"name": "a", "version": "1.0.0"}',
        "mkdocs.yml": "site_name: a\n",
        "ci/build.yaml": "steps: []\n---\nsteps: []\n",
    }
    assert skipped(files) == ["ci/build.yaml:1 4 documents: not a Kubernetes object, and not related to AKS or GPUs"]


def test_objects_with_gpus_have_a_line_each() -> None:
    [line] = skipped({"pool.yaml": POOL, "values.yaml": "resources: {limits: {nvidia.com/gpu: 1}}\n"})
    assert line.startswith(f"values.yaml:1 values.yaml: {ABOUT}")
    assert line.endswith("Helm values with `--values CHART=FILE`")


def test_the_output_of_az_beside_objects_is_read() -> None:
    """As YAML, in its own file or after objects in the same file."""
    pools = "- name: gpu1\n  vmSize: Standard_NC24ads_A100_v4\n  mode: User\n  count: 1\n"
    for files in ({"a.yaml": POOL, "b.yaml": pools}, {"a.yaml": f"{POOL}---\n{pools}"}):
        assert shown(observe(files)) == ["/node pool gpu1", "/NodePool/gpu"]


@pytest.mark.parametrize("content", [TABLE, POOL.replace("10}", "{{ .Values.cpu }}}")])
def test_a_named_file_is_a_fault(content: str) -> None:
    files = {"a.yaml": POOL, "b.yaml": content}
    assert [fault.span.file for fault in observe(files, ImportOptions(named=frozenset(files))).faults] == ["b.yaml"]


def test_a_document_without_a_kind_in_a_named_file_is_a_fault() -> None:
    files = {"a.yaml": f"{POOL}---\nmetadata: {{name: a}}\n"}
    inventory = observe(files, ImportOptions(named=frozenset(files)))
    assert [(fault.code, fault.span.line) for fault in inventory.faults] == [("IMP009", 6)]


def test_a_named_file_that_is_not_about_gpus_is_a_fault_too() -> None:
    other = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n---\ncolour: blue\n"
    files = {"a.yaml": POOL, "b.yaml": other}
    for asked in (ImportOptions(named=frozenset(files)), ImportOptions(named=None)):
        inventory = observe(files, asked)
        assert [fault.span.file for fault in inventory.faults] == ["b.yaml"]
        assert inventory.skipped == ()


def test_patches_and_values_are_used() -> None:
    files = {
        "kustomization.yaml": f"{KUSTOMIZATION}resources: [pool.yaml]\n{PATCH}",
        "pool.yaml": POOL,
        "gpu.yaml": "- {op: replace, path: /spec/limits/cpu, value: 99}\n",
    }
    assert skipped(files) == []


def test_a_chart_is_left_out_with_the_command_that_renders_it() -> None:
    """A chart is one line: its objects can be imported from the output of `helm template`."""
    values = "nodeSelector: {gpu: true}\n"
    files = {"pool.yaml": POOL, "app/Chart.yaml": CHART, "app/values.yaml": values, "app/values-prod.yaml": values}
    reason = "values of a chart are read from the rendered chart: `helm template app | gitgpu import -`"
    assert skipped(files) == [
        f"app/Chart.yaml:1 chart app: {reason}",
        "app/Chart.yaml:1 1 document: not a Kubernetes object, and not related to AKS or GPUs",
    ]
    template = POOL.replace("10", "{{ .Values.cpu }}")
    inventory = observe({**files, "app/templates/pool.yaml": template})
    assert [(fault.code, fault.message) for fault in inventory.faults] == [
        ("IMP003", "1 template of the chart app was not read")
    ]
    assert "gitgpu import" in inventory.faults[0].help
