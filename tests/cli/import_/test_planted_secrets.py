"""Secrets everywhere in an export: no output and no file has them, and what depends on one stays as it is."""

import json
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import yaml

from gitgpu.report import format_names
from gitgpu.report.import_formats import import_format_names
from tests.cli.conftest import KNOWN, Run
from tests.cli.import_.test_exports_of_one_cluster import show
from tests.runs.test_import import POOL

PLANTED = "plantedzq"
LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"
FORMS = (  # values that are secrets by their form, whatever their key is
    "DefaultEndpointsProtocol=https;AccountName=a;AccountKey={}==",
    "Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=n;SharedAccessKey={}=",
    "redis://:{}@redis:6379/0",
    "amqp://user:{}@rabbit:5672/vhost",
    "https://{}0123456789abcdef0123456789@dev.azure.com/acme/platform",
    "https://a.blob.core.windows.net/c?sv=2024&sig={}",
    "https://hooks.acme.io/x?token={}",
    "-----BEGIN RSA PRIVATE KEY-----\n{}\n",
)
NAMES = (  # keys and variables whose values are secrets
    "password", "HF_TOKEN", "clientSecret", "STORAGE_ACCOUNT_KEY", "sharedAccessKey", "OPENAI_API_KEY", "DB_PASS",
    "ENCRYPTION_KEY", "connectionString", "customAuthValue", ".dockerconfigjson", "licenseKey",
)  # fmt: skip


class Plants:
    """Numbered values, each in one place."""

    def __init__(self) -> None:
        self.numbers = count()

    def value(self, form: str = "{}") -> str:
        return form.replace("{}", f"{PLANTED}{next(self.numbers):03d}")

    def mapping(self) -> dict[str, str]:
        named = {name: self.value() for name in NAMES}
        return named | {f"other{number}": self.value(form) for number, form in enumerate(FORMS)}

    def variables(self) -> list[dict[str, str]]:
        return [{"name": name, "value": value} for name, value in self.mapping().items()]

    def notes(self) -> dict[str, str]:
        return {LAST_APPLIED: json.dumps(self.mapping()), **{f"acme.io/x{k}": v for k, v in self.mapping().items()}}


def deployment(name: str, plants: Plants) -> dict[str, Any]:
    container: dict[str, Any] = {"name": "c", "image": "acme.azurecr.io/x:1", "env": plants.variables()}
    container |= {"args": ["--api-key", plants.value()], "resources": {"limits": {"nvidia.com/gpu": 1}}}
    spec = {"tolerations": [{"key": "nvidia.com/gpu", "operator": "Exists"}], "containers": [container]}
    template = {"metadata": {"labels": {"app": name}, "annotations": plants.notes()}, "spec": spec}
    meta = {"name": name, "namespace": "ml", "annotations": plants.notes()}
    selector = {"matchLabels": {"app": name}}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": meta,
            "spec": {"selector": selector, "template": template}}  # fmt: skip


def scaler(name: str, **metadata: str) -> dict[str, Any]:
    trigger = {"type": "prometheus", "metadata": {"query": "sum(x)", "threshold": "5", **metadata}}
    spec = {"scaleTargetRef": {"name": name}, "maxReplicaCount": 4, "triggers": [trigger]}
    meta = {"name": name, "namespace": "ml"}
    return {"apiVersion": "keda.sh/v1alpha1", "kind": "ScaledObject", "metadata": meta, "spec": spec}


def release(chart: str, version: str, namespace: str, values: dict[str, Any]) -> dict[str, Any]:
    source = {"kind": "HelmRepository", "name": chart}
    spec = {"interval": "1h", "chart": {"spec": {"chart": chart, "version": version, "sourceRef": source}}}
    meta = {"name": chart, "namespace": namespace}
    return {"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease", "metadata": meta,
            "spec": {**spec, "values": values}}  # fmt: skip


def objects(plants: Plants) -> list[dict[str, Any]]:
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s", "annotations": plants.notes()}}
    url = plants.value("https://u:{}@github.com/acme/platform")
    policy = {"devicePlugin": {"env": plants.variables()}, "dcgmExporter": {"env": plants.variables()}}
    return [
        {**secret, "stringData": plants.mapping(), "data": {"a": "cGxhbnRlZHpx"}},
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}, "data": plants.mapping()},
        deployment("url", plants),
        scaler("url", serverAddress=plants.value("http://prometheus:9090/?token={}")),
        deployment("headers", plants),
        scaler("headers", serverAddress="http://prometheus:9090", customHeaders=plants.value("X-Key={}")),
        release("keda", "2.20.2", "keda", {"env": plants.variables(), "podAnnotations": {"keda": plants.notes()}}),
        release("gpu-operator", "v26.7.0", "gpu-operator", {"driver": {"enabled": False}, **plants.mapping()}),
        {"apiVersion": "nvidia.com/v1", "kind": "ClusterPolicy", "metadata": {"name": "p"}, "spec": policy},
        {"apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "GitRepository",
         "metadata": {"name": "fleet", "namespace": "flux-system"}, "spec": {"interval": "1m", "url": url}},
        {"apiVersion": "argoproj.io/v1alpha1", "kind": "Application", "metadata": {"name": "kueue"}, "spec": {
            "project": "default", "destination": {"name": "prod-swc"}, "source": {
                "repoURL": plants.value("https://u:{}@charts.acme.io"), "chart": "kueue", "targetRevision": "0.14.0",
                "helm": {"parameters": plants.variables(), "valuesObject": plants.mapping()}}}},
    ]  # fmt: skip


def azure(plants: Plants) -> str:
    """The output of `az aks show`, with what Azure does not print but other tools add."""
    own = {"adminUsername": "a", "adminPassword": plants.value()}
    addons = {"omsagent": {"enabled": False, "config": {"workspaceSharedKey": plants.value()}}}
    more = {"windowsProfile": own, "addonProfiles": addons, "tags": plants.mapping()}
    return json.dumps(json.loads(show("prod-swc", "Auto")) | {"agentPoolProfiles": []} | more)


@pytest.fixture
def export(run: Run) -> Path:
    """An export with a secret in every place."""
    plants, folder = Plants(), Path("export")
    folder.mkdir()
    [pool, node_class] = yaml.load_all(POOL, yaml.CSafeLoader)
    pool["metadata"]["annotations"] = plants.notes()
    (folder / "nodes.yaml").write_text(yaml.safe_dump_all([pool, node_class]), encoding="utf-8")
    (folder / "objects.yaml").write_text(yaml.safe_dump_all(objects(plants)), encoding="utf-8")
    (folder / "show.json").write_text(azure(plants), encoding="utf-8")
    return folder


def test_no_output_and_no_file_has_a_planted_secret(run: Run, export: Path) -> None:
    shown = [run("import", "export", *KNOWN, "--dry-run", "-o", form) for form in import_format_names()]
    shown += [run("import", "export", *KNOWN), run("import", "export", *KNOWN, "--force")]
    assert Path("fleet/clusters/prod-swc/pools/gpu.yaml").exists()
    shown += [run("import", "export", "--check", "-o", form) for form in import_format_names()]
    built = run("build", "fleet")
    assert built.code == 0
    shown += [built, *(run("lint", "export", "-o", form) for form in format_names())]
    assert [ran for ran in shown if PLANTED in ran.out + ran.err] == []
    written = [*Path("fleet").rglob("*.yaml"), *Path("overlays").rglob("*.*")]
    assert [path for path in written if path.is_file() and PLANTED in path.read_text(encoding="utf-8")] == []


def test_what_depends_on_a_secret_stays_with_its_owner(run: Run, export: Path) -> None:
    """Without the value, a build would change it."""
    ran = run("import", "export", *KNOWN)
    left = ran.out.partition("Not adopted:")[2]
    for name in ("url", "headers"):
        place = "serverAddress" if name == "url" else "customHeaders"
        assert f"ScaledObject/ml/{name}: it stays with its owner: /spec/triggers/0/metadata/{place} may be a" in left
    assert "1 HelmRelease: /spec/values/env/0/value may be a secret, which does not belong in Git" in left
    assert "keda: none" in Path("fleet/clusters/prod-swc/cluster.yaml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "text",
    [
        f"apiVersion: v1\nkind: Secret\nstringData: {{a: {PLANTED}: b}}\n",
        f"apiVersion: apps/v1\nkind: Deployment\nspec: {{env: [{{name: A_TOKEN, value: {PLANTED}\n",
        f'{{"apiVersion": "v1", "kind": "Secret", "stringData": {{"a": "{PLANTED}" "b"}}}}',
        f"apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata:\n  name: gpu\n  token: {PLANTED}\n   x: 1\n",
    ],
)
@pytest.mark.parametrize("form", import_format_names())
def test_no_error_shows_a_planted_secret(run: Run, text: str, form: str) -> None:
    Path("a.json" if text.startswith("{") else "a.yaml").write_text(text, encoding="utf-8")
    for path in (".", "a.json" if text.startswith("{") else "a.yaml"):
        ran = run("import", path, *KNOWN, "-o", form)
        assert ran.code in (1, 2)
        assert PLANTED not in ran.out + ran.err
