"""What controllers fill in, or the API server does not require, is not reported."""

from gitgpu.edit import apply_edits
from gitgpu.runs.lint import LintOptions
from tests.helping.cases import for_each
from tests.lint.test_lint import codes, linted

_IMAGE = 'image: "contoso.azurecr.io/tools:1.0"'
KNATIVE = f"""
apiVersion: serving.knative.dev/v1
kind: Service
metadata: {{name: chat, namespace: serving}}
spec:
  template:
    spec:
      containers: [{{{_IMAGE}, ports: [{{containerPort: 1}}]}}, {{{_IMAGE}}}, {{name: main, {_IMAGE}}}]
"""
TEKTON = f"""
apiVersion: tekton.dev/v1
kind: TaskRun
metadata: {{name: copy, namespace: serving}}
spec:
  taskSpec:
    steps: [{{{_IMAGE}}}, {{{_IMAGE}}}, {{name: push, {_IMAGE}}}]
    sidecars: [{{name: push, {_IMAGE}}}, {{{_IMAGE}}}, {{{_IMAGE}}}]
"""


def _mounts(*names: str) -> str:
    mounts = ", ".join(f'{{name: "{name}", mountPath: /a/{number}}}' for number, name in enumerate(names))
    return f"{{name: main, {_IMAGE}, volumeMounts: [{mounts}]}}"


def _mpi_job(*names: str) -> str:
    return f"""
apiVersion: kubeflow.org/v2beta1
kind: MPIJob
metadata: {{name: train, namespace: serving}}
spec: {{mpiReplicaSpecs: {{Launcher: {{template: {{spec: {{containers: [{_mounts(*names)}]}}}}}}}}}}
"""


def _ray_cluster(*names: str) -> str:
    return f"""
apiVersion: ray.io/v1
kind: RayCluster
metadata: {{name: train, namespace: serving}}
spec: {{headGroupSpec: {{rayStartParams: {{}}, template: {{spec: {{containers: [{_mounts(*names)}]}}}}}}}}
"""


def _workflow(*names: str) -> str:
    return f"""
apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {{name: train, namespace: serving}}
spec: {{entrypoint: a, templates: [{{name: a, container: {_mounts(*names)}}}]}}
"""


@for_each("text", [KNATIVE, TEKTON], ids=["knative", "tekton"])
def test_containers_without_names_get_their_own_names(text: str) -> None:
    assert "NAM002" not in codes({"a.yaml": text})
    twice = text.replace(f"{{name: main, {_IMAGE}}}", f"{{name: a, {_IMAGE}}}, {{name: a, {_IMAGE}}}")
    twice = twice.replace(f"{{name: push, {_IMAGE}}}]", f"{{name: push, {_IMAGE}}}, {{name: push, {_IMAGE}}}]")
    assert codes({"a.yaml": twice}) == ["NAM002"]


@for_each(
    "text, others",
    [
        (_mpi_job("mpi-job-config", "ssh-auth"), _mpi_job("mpi-job-configs")),
        (_ray_cluster("ray-token"), _ray_cluster("ssh-auth")),
        (_workflow("{{inputs.parameters.claim}}"), _workflow("claim")),
    ],
    ids=["mpi", "ray", "argo"],
)
def test_volumes_that_a_controller_adds_are_not_missing(text: str, others: str) -> None:
    assert "NAM005" not in codes({"a.yaml": text})
    assert "NAM005" in codes({"a.yaml": others})


@for_each("kubernetes", ["1.34", "1.36", "1.37"])
def test_claims_need_no_spec(kubernetes: str) -> None:
    head = "apiVersion: resource.k8s.io/v1\nmetadata: {name: gpu, namespace: serving}\nkind: "
    template = f"{head}ResourceClaimTemplate\n"
    for text in (template, f"{template}spec: {{}}\n", f"{head}ResourceClaim\n"):
        assert codes({"a.yaml": text}, LintOptions(kubernetes)) == []
    assert codes({"a.yaml": f"{template}spec: {{spec: {{devics: {{}}}}}}\n"}, LintOptions(kubernetes)) == ["CNF001"]


@for_each(
    "wrong, right",
    [
        ("metdata: {labels: {a: b}}\n      ", "metadata: {labels: {a: b}}\n      "),
        ("", ""),
    ],
    ids=["of-the-template", "of-the-container"],
)
def test_a_fix_in_a_pod_template_changes_the_template(wrong: str, right: str) -> None:
    head = "apiVersion: ray.io/v1\nkind: RayCluster\nmetadata: {name: ray, namespace: serving}\n"
    place = f"{head}spec:\n  headGroupSpec:\n    rayStartParams: {{}}\n    template:\n      "
    text = f"{place}{wrong}spec: {{containers: [{{name: a, {_IMAGE}, imagePullPolcy: Always}}]}}\n"
    edits = [finding.edit for finding in linted({"a.yaml": text}).diagnostics if finding.edit]
    expected = f"{place}{right}spec: {{containers: [{{name: a, {_IMAGE}, imagePullPolicy: Always}}]}}\n"
    assert apply_edits(text, edits) == (expected, len(edits))


def test_a_key_moves_inside_its_pod_template() -> None:
    head = "apiVersion: ray.io/v1\nkind: RayCluster\nmetadata: {name: ray, namespace: serving}\n"
    place = f"{head}spec:\n  headGroupSpec:\n    rayStartParams: {{}}\n    template:\n"
    pods = f"containers: [{{name: a, {_IMAGE}}}]\n"
    text = f"{place}      schedulerName: x\n      spec:\n        {pods}"
    fixes = {finding.help: finding.edit for finding in linted({"a.yaml": text}).diagnostics if finding.edit}
    assert [*fixes] == ["move it to spec.headGroupSpec.template.spec"]
    assert apply_edits(text, fixes.values()) == (f"{place}      spec:\n        schedulerName: x\n        {pods}", 1)
