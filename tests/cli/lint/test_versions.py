"""The releases of operators that the clusters run: --versions and lint.versions."""

from pathlib import Path

import pytest
import yaml

from gitgpu.cli.input.versions import projects
from tests.cli.conftest import Run
from tests.test_schemas import SCHEMAS, load
from tools.contracts import OF_RELEASES

POOL = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: gpu}
spec:
  disruption: {consolidateAfter: 5m, budgets: [{nodes: "1", reasons: [Unhealthy]}]}
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: gpu}
      requirements: [{key: karpenter.azure.com/sku-gpu-count, operator: Gt, values: ["0"]}]
"""
CONFIG = "apiVersion: gitgpu.dev/v1alpha1\nkind: Config\nlint:\n  versions: {karpenter: %s}\n"


@pytest.fixture(autouse=True)
def _pool(run: Run) -> None:
    Path("pool.yaml").write_text(POOL)


def test_without_a_version_any_release_in_use_may_be_meant(run: Run) -> None:
    ran = run("lint", "pool.yaml", "--select", "CNF")
    assert ran.code == 0
    assert "warning[CNF023]" in ran.out
    assert "accepted only as of Karpenter 1.15; node auto-provisioning runs 1.14.0" in ran.out


@pytest.mark.parametrize(("version", "code"), [("1.15", 0), ("v1.15.0", 0), ("1.16.2", 0), ("1.14", 1), ("1.14.3", 1)])
def test_a_version_decides(run: Run, version: str, code: int) -> None:
    ran = run("lint", "pool.yaml", "--select", "CNF", "--versions", f"keda=2.19, karpenter={version}")
    assert (ran.code, "CNF023" in ran.out) == (code, False)
    assert ("LNT014" in run("lint", "pool.yaml", "--versions", f"karpenter={version}").out) is version.startswith(
        "1.16"
    )


def test_a_project_can_have_several_versions(run: Run) -> None:
    ran = run("lint", "pool.yaml", "--select", "CNF", "--versions", "karpenter=1.14,karpenter=1.15")
    assert (ran.code, "CNF023" in ran.out) == (0, True)
    assert "name it in --versions" in run("lint", "pool.yaml").out
    assert "name it in --versions" not in ran.out


def test_the_configuration_names_versions_and_the_command_line_overrides_them(run: Run) -> None:
    Path(".gitgpu.yaml").write_text(CONFIG % '"1.14"')
    assert run("lint", "pool.yaml", "--select", "CNF").code == 1
    assert run("lint", "pool.yaml", "--select", "CNF", "--versions", "karpenter=1.15").out == ""
    Path(".gitgpu.yaml").write_text(CONFIG % '["1.14", "1.15"]')
    assert "CNF023" in run("lint", "pool.yaml", "--select", "CNF").out


def test_wrong_versions_are_refused(run: Run) -> None:
    assert (
        "'kubernetes' is not one of argo-cd, azure-service-operator, dra-driver"
        in run("lint", "--versions", "kubernetes=1.35").err
    )
    assert "'new' is not a version" in run("lint", "--versions", "karpenter=new").err
    assert "is not PROJECT=VERSION" in run("lint", "--versions", "karpenter").err
    Path(".gitgpu.yaml").write_text(CONFIG % "1.15")
    ran = run("lint", "pool.yaml")
    assert 'must be text or a list; found 1.15\n  = help: correct the value, for example "1.15"' in ran.out


def test_the_configuration_knows_every_project() -> None:
    schema = load(SCHEMAS / "config.schema.json")
    assert sorted(schema["definitions"]["lint"]["properties"]["versions"]["properties"]) == projects()


@pytest.mark.parametrize(
    ("version", "found"), [("0.19", "warning[CNF017]"), ("0.20", "error[CNF016]"), ("0.20.7", "error[CNF016]")]
)
def test_a_release_that_no_longer_serves_a_version_refuses_it(run: Run, version: str, found: str) -> None:
    queue = "apiVersion: kueue.x-k8s.io/v1beta1\nkind: LocalQueue\nmetadata: {name: q, namespace: a}\n"
    Path("pool.yaml").write_text(f"{queue}spec: {{clusterQueue: c}}\n")
    assert found in run("lint", "pool.yaml", "--versions", f"kueue={version}").out


SCALED = """
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: a, namespace: a}
spec:
  scaleTargetRef: {name: a}
  maxReplicaCount: 0
  triggers: [{type: cpu, metricType: Utilization, metadata: {value: "50"}}]
"""
KEDA = """
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: %s, namespace: keda}
spec:
  interval: 10m
  chart: {spec: {chart: keda, version: %s, sourceRef: {kind: HelmRepository, name: keda}}}
"""


@pytest.mark.parametrize(
    ("releases", "reported"),
    [
        ((), "warning[CNF023]"),
        (("2.19.0",), ""),
        (("2.20.2",), "error[CNF001]"),
        (("2.19.0", "2.20.2"), "warning[CNF023]"),
    ],
)
def test_releases_in_the_manifests_are_those_that_run(run: Run, releases: tuple[str, ...], reported: str) -> None:
    charts = [KEDA % (f"keda-{number}", version) for number, version in enumerate(releases)]
    Path("pool.yaml").write_text("---".join([SCALED, *charts]))
    out = run("lint", "pool.yaml", "--select", "CNF001,CNF023").out
    assert reported in out
    assert bool(reported) is bool(out)
    assert run("lint", "pool.yaml", "--select", "CNF001,CNF023", "--versions", "keda=2.19").out == ""


OPERATOR = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: keda-operator, namespace: keda}
spec:
  selector: {matchLabels: {app: keda}}
  template:
    metadata: {labels: {app: keda}}
    spec: {containers: [{name: keda-operator, image: "ghcr.io/kedacore/keda:2.20.2"}]}
"""
FLUX = """
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: keda, namespace: flux-system}
spec:
  interval: 10m
  prune: true
  path: ./keda
  sourceRef: {kind: GitRepository, name: flux-system}
  images: [%s]
"""
ARGO = """
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: keda, namespace: argocd}
spec:
  project: default
  destination: {server: https://kubernetes.default.svc, namespace: keda}
  source: {repoURL: https://github.com/contoso/fleet, path: keda, targetRevision: main, kustomize: {images: ["%s"]}}
"""
REMOTE = "https://github.com/kedacore/keda/releases/download/v2.20.2/keda-2.20.2.yaml"


@pytest.mark.parametrize("base", ["operator.yaml", REMOTE])
@pytest.mark.parametrize(
    ("image", "reported"),
    [
        ("newTag: 2.20.2", "error[CNF001]"),
        ("newTag: 2.19.0", ""),
        ("newTag: 2.19.0, newName: contoso.azurecr.io/keda", ""),
    ],
)
def test_a_kustomization_sets_the_release(run: Run, base: str, image: str, reported: str) -> None:
    Path("pool.yaml").write_text(SCALED)
    Path("operator.yaml").write_text(OPERATOR)
    if base != "operator.yaml":
        Path("operator.yaml").unlink()
    images = f"images: [{{name: ghcr.io/kedacore/keda, {image}}}]"
    Path("kustomization.yaml").write_text(f"resources: [pool.yaml, {base}]\n{images}\n")
    out = run("lint", ".", "--select", "CNF001,CNF023").out
    assert reported in out
    assert bool(reported) is bool(out)


def test_a_patch_of_a_kustomization_sets_the_release(run: Run) -> None:
    Path("pool.yaml").write_text(SCALED)
    Path("keda.yaml").write_text(KEDA % ("keda", "2.20.2"))
    patch = "[{target: {kind: HelmRelease}, patch: '[{op: replace, path: /spec/chart/spec/version, value: 2.19.0}]'}]"
    Path("kustomization.yaml").write_text(f"resources: [pool.yaml, keda.yaml]\npatches: {patch}\n")
    assert run("lint", ".", "--select", "CNF001,CNF023").out == ""


def test_flux_and_argo_cd_set_the_release(run: Run) -> None:
    Path("pool.yaml").unlink()
    for path, text in {"pool.yaml": SCALED, "operator.yaml": OPERATOR}.items():
        (Path("keda") / path).parent.mkdir(exist_ok=True)
        (Path("keda") / path).write_text(text)
    images = {"": "error[CNF001]", "2.19.0": ""}
    for tag, reported in images.items():
        Path("apply.yaml").write_text(FLUX % (f"{{name: ghcr.io/kedacore/keda, newTag: {tag}}}" if tag else ""))
        out = run("lint", ".", "--select", "CNF001,CNF023").out
        assert (reported in out, bool(out)) == (True, bool(reported)), ("flux", tag, out)
    (Path("keda") / "kustomization.yaml").write_text("resources: [pool.yaml, operator.yaml]\n")
    for tag, reported in images.items():
        for image in (f"ghcr.io/kedacore/keda:{tag}", f"ghcr.io/kedacore/keda=contoso.azurecr.io/keda:{tag}"):
            Path("apply.yaml").write_text(ARGO % (image if tag else ""))
            out = run("lint", ".", "--select", "CNF001,CNF023").out
            assert (reported in out, bool(out)) == (True, bool(reported)), ("argo", image, out)


def test_each_cluster_is_checked_against_its_own_release(run: Run) -> None:
    Path("pool.yaml").unlink()
    for name, version in (("dev", "2.20.2"), ("prod", "2.19.0")):
        Path(name).mkdir()
        Path(name, "keda.yaml").write_text(KEDA % ("keda", version))
        Path(name, "kustomization.yaml").write_text("resources: [keda.yaml, ../base]\n")
    Path("base").mkdir()
    Path("base", "app.yaml").write_text(SCALED)
    Path("base", "kustomization.yaml").write_text("resources: [app.yaml]\n")
    ran = run("lint", ".", "--select", "CNF001,CNF023")
    assert (ran.out.count("error[CNF001]"), "CNF023" in ran.out) == (1, False)
    Path("base", "app.yaml").write_text(SCALED.replace("maxReplicaCount: 0", "maxReplicaCount: 1"))
    Path("prod", "app.yaml").write_text(SCALED)
    Path("prod", "kustomization.yaml").write_text("resources: [keda.yaml, app.yaml]\n")
    assert run("lint", ".", "--select", "CNF001,CNF023").out == ""
    assert "error[CNF001]" in run("lint", ".", "--select", "CNF001,CNF023", "--versions", "keda=2.20").out


@pytest.mark.skipif(not OF_RELEASES.is_dir(), reason="the CRDs of releases are not next to the project")
@pytest.mark.parametrize(("number", "code"), [("2.19.0", 0), ("2.21.0", 1)])
def test_lint_checks_against_the_release_whose_crds_are_in_the_tree(run: Run, number: str, code: int) -> None:
    Path("pool.yaml").unlink()
    body = {
        "apiVersion": "keda.sh/v1alpha1",
        "kind": "ScaledObject",
        "metadata": {"name": "a", "namespace": "a"},
        "spec": {"scaleTargetRef": {"name": "a"}, "maxReplicaCount": 0, "triggers": [{"type": "x", "metadata": {}}]},
    }
    Path("a.yaml").write_text(yaml.safe_dump(body))
    ran = run("lint", ".", "--select", "CNF")
    assert (ran.code, "CNF023" in ran.out) == (0, True)
    Path("crd.yaml").write_text((OF_RELEASES / f"keda-{number}" / "keda.sh_scaledobjects.yaml").read_text("utf-8"))
    ran = run("lint", ".", "--select", "CNF")
    assert (ran.code, "CNF023" in ran.out) == (code, False)


APPLICATION = """
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: gpu-operator, namespace: argocd}
spec:
  project: default
  source: {repoURL: https://helm.ngc.nvidia.com/nvidia, chart: gpu-operator, targetRevision: v26.7.0}
  destination: {server: https://kubernetes.default.svc, namespace: gpu-operator}
  syncPolicy: {syncOptions: [ServerSideApply=true]}
"""


@pytest.mark.parametrize(("versions", "reported"), [("", 1), ("3.5", 1), ("3.6", 0), ("v3.7.1", 0), ("3.5,3.6", 1)])
def test_argo_cd_compares_on_the_server_since_3_6(run: Run, versions: str, reported: int) -> None:
    Path("pool.yaml").write_text(APPLICATION)
    named = ",".join(f"argo-cd={version}" for version in versions.split(",") if version)
    out = run("lint", "pool.yaml", "--select", "GIT020", *(("--versions", named) if named else ())).out
    assert out.count("[GIT020]") == reported
