"""Configuration problems that users reported upstream, and the cases beside them that are well."""

import pytest

from tests.conform.samples import conformed

CHAT = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: chat, namespace: serving, annotations: {%s}}
spec:
  replicas: 2
  selector: {matchLabels: {app: chat}}
  template:
    metadata: {labels: {app: chat}}
    spec:
      containers: [{name: main, image: "registry.contoso.com/chat:1.4.0"}]
"""
SCALED = """
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: chat, namespace: serving, annotations: {%s}}
spec:
  scaleTargetRef: {name: chat}
  %s
  triggers: [%s]
"""
QUEUE = "{type: azure-queue, metadata: {queueName: prompts, accountName: contoso}}"
FLUX = """
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec:
  interval: 10m
  prune: true
  path: ./
  sourceRef: {kind: GitRepository, name: fleet}
  %s
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: fleet, namespace: flux-system}
spec: {interval: 5m, url: "https://github.com/contoso/fleet"}
"""
ARGO = """
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: chat, namespace: argocd}
spec:
  project: default
  destination: {server: "https://kubernetes.default.svc", namespace: serving}
  source: {repoURL: "https://github.com/contoso/fleet", path: ".", targetRevision: main}
  syncPolicy: {automated: {%s}}
  ignoreDifferences: [%s]
"""
KEDA = """
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: keda, namespace: keda}
spec:
  interval: 1h
  chart: {spec: {chart: keda, version: 2.20.2, sourceRef: {kind: HelmRepository, name: kedacore}}}
  values: {%s}
"""
IDENTITY = """
apiVersion: keda.sh/v1alpha1
kind: TriggerAuthentication
metadata: {name: azure, namespace: serving}
spec: {podIdentity: {provider: %s}}
"""
CLIENT = "11111111-2222-3333-4444-555555555555"
HPA = """
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: chat, namespace: serving}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: chat}
  maxReplicas: %s
  metrics: [{type: Pods, pods: {metric: {name: queue}, target: {type: AverageValue, averageValue: %s}}}]
"""
ADAPTED = """
apiVersion: kaito.sh/v1beta1
kind: Workspace
metadata: {name: phi-3, namespace: serving, annotations: {%s}}
resource:
  instanceType: Standard_NC24ads_A100_v4
  labelSelector: {matchLabels: {apps: phi-3}}
inference:
  preset: {name: phi-3-mini-128k-instruct}
  adapters: [{source: {name: support, image: "contoso.azurecr.io/adapters/support:1.0"}, %s}]
"""
KAITO = """
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: kaito-workspace, namespace: kaito-workspace}
spec:
  interval: 1h
  chart: {spec: {chart: workspace, version: 0.12.0, sourceRef: {kind: HelmRepository, name: kaito}}}
  values: {featureGates: {vLLM: %s}}
"""


MINE = {"GIT015", "KAI018", "KED031", "KED032", "KED033", "KED034"}


def codes(*documents: str) -> list[str]:
    found = conformed("---".join(documents))
    return [f"{one.code} {one.object.kind}{one.pointer}" for one in found if one.code in MINE]


def scaled(trigger: str = QUEUE, notes: str = "", spec: str = "maxReplicaCount: 8") -> str:
    return SCALED % (notes, spec, trigger)


def trigger(kind: str, metadata: str, more: str = "") -> str:
    return scaled(f"{{type: {kind}, metadata: {{{metadata}}}{more}}}")


AT_REPLICAS = "GIT015 Deployment/spec/replicas"
IGNORED = "{group: apps, kind: Deployment, jsonPointers: [/spec/replicas]}"
REPLICAS = {
    "Flux": ([FLUX % "", CHAT % "", scaled()], [AT_REPLICAS]),
    "Flux, a suspended one": ([FLUX % "suspend: true", CHAT % "", scaled()], []),
    "Flux, which ignores replicas": ([FLUX % "ignore: [{paths: [/spec/replicas]}]", CHAT % "", scaled()], []),
    "Flux, which writes it once": (
        [FLUX % "", CHAT % "kustomize.toolkit.fluxcd.io/ssa: IfNotPresent", scaled()],
        [],
    ),
    "nobody that is seen": ([CHAT % "", scaled()], []),
    "no scaler": ([FLUX % "", CHAT % ""], []),
    "a scaler with one number": ([FLUX % "", CHAT % "", HPA % (1, 5)], []),
    "an HPA": ([FLUX % "", CHAT % "", HPA % (3, 5)], [AT_REPLICAS]),
    "from none to one": ([FLUX % "", CHAT % "", scaled(spec="maxReplicaCount: 1")], [AT_REPLICAS]),
    "Argo CD heals": ([ARGO % ("selfHeal: true", ""), CHAT % "", scaled()], [AT_REPLICAS]),
    "Argo CD does not heal": ([ARGO % ("prune: true", ""), CHAT % "", scaled()], []),
    "Argo CD is off": ([ARGO % ("selfHeal: true, enabled: false", ""), CHAT % "", scaled()], []),
    "Argo CD ignores it": ([ARGO % ("selfHeal: true", IGNORED), CHAT % "", scaled()], []),
    "Argo CD ignores another": (
        [ARGO % ("selfHeal: true", IGNORED.replace("apps, ", "apps, name: web, ")), CHAT % "", scaled()],
        [AT_REPLICAS],
    ),
}


@pytest.mark.parametrize(("documents", "expected"), REPLICAS.values(), ids=REPLICAS)
def test_replicas_that_a_scaler_owns(documents: list[str], expected: list[str]) -> None:
    assert codes(*documents) == expected


TRIGGERS = {
    "none": (trigger("prometheus", 'serverAddress: "http://p.m.svc", query: x, threshold: "0"'), "threshold"),
    "rounded to none": (
        trigger("prometheus", 'serverAddress: "http://p.m.svc", query: x, threshold: "0.0004"'),
        "threshold",
    ),
    "little": (trigger("prometheus", 'serverAddress: "http://p.m.svc", query: x, threshold: "0.001"'), ""),
    "less than none": (trigger("azure-queue", 'queueName: p, accountName: c, queueLength: "-1"'), "queueLength"),
    "none to wake at": (
        trigger("azure-queue", 'queueName: p, accountName: c, queueLength: "1", activationQueueLength: "0"'),
        "",
    ),
    "filled in later": (trigger("azure-queue", 'queueName: p, accountName: c, queueLength: "${length}"'), ""),
    "of a resource": (trigger("cpu", 'value: "0"', ", metricType: Utilization"), "value"),
    "none of a formula": (
        scaled(
            "{type: azure-queue, name: q, metadata: {queueName: p, accountName: c, queueLength: '0'}}",
            spec='advanced: {scalingModifiers: {formula: q * 2, target: "5"}}',
        ),
        "",
    ),
}


@pytest.mark.parametrize(("text", "key"), TRIGGERS.values(), ids=TRIGGERS)
def test_targets_of_triggers(text: str, key: str) -> None:
    assert codes(text) == ([f"KED031 ScaledObject/spec/triggers/0/metadata/{key}"] if key else [])


@pytest.mark.parametrize(("amount", "told"), [("0", True), ('"0"', True), ("-1", True), ("500m", False), ("1", False)])
def test_targets_of_an_autoscaler(amount: str, told: bool) -> None:
    expected = ["KED031 HorizontalPodAutoscaler/spec/metrics/0/pods/target/averageValue"] if told else []
    assert codes(HPA % (3, amount)) == expected


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("http://localhost:9090", True),
        ("http://127.0.0.1:9090/prom", True),
        ("https://[::1]:9090", True),
        ("localhost:9090", True),
        ("http://prometheus.localhost.example:9090", False),
        ("http://prometheus.monitoring.svc:9090", False),
        ("http://${HOST}:9090", False),
        ("http://[bad", False),
    ],
)
def test_servers_at_localhost(address: str, told: bool) -> None:
    text = trigger("prometheus", f'serverAddress: "{address}", query: x, threshold: "5"')
    assert codes(text) == (["KED032 ScaledObject/spec/triggers/0/metadata/serverAddress"] if told else [])


PAUSED = 'autoscaling.keda.sh/paused: "true"'


@pytest.mark.parametrize(("workload", "scaler", "told"), [(PAUSED, "", True), (PAUSED, PAUSED, False), ("", "", False)])
def test_a_pause_is_read_at_the_scaled_object(workload: str, scaler: str, told: bool) -> None:
    expected = ["KED033 Deployment/metadata/annotations/autoscaling.keda.sh~1paused"] if told else []
    assert codes(CHAT % workload, scaled(notes=scaler)) == expected


AT_CHART = ["KED034 HelmRelease/spec/values"]
AT_IDENTITY = ["KED034 TriggerAuthentication/spec/podIdentity/provider"]
IDENTITIES = {
    "no token": ("", f"azure-workload, identityId: {CLIENT}", AT_CHART),
    "a token": ("podIdentity: {azureWorkload: {enabled: true}}", f"azure-workload, identityId: {CLIENT}", []),
    "a label": (
        "podLabels: {keda: {azure.workload.identity/use: 'true'}}",
        f"azure-workload, identityId: {CLIENT}",
        [],
    ),
    "a token, and nobody": ("podIdentity: {azureWorkload: {enabled: true}}", "azure-workload", AT_IDENTITY),
    "a token, and the chart's": (
        f"podIdentity: {{azureWorkload: {{enabled: true, clientId: {CLIENT}}}}}",
        "azure-workload",
        [],
    ),
    "an account of one's own": (
        "podIdentity: {azureWorkload: {enabled: true}}, serviceAccount: {operator: {create: false}}",
        "azure-workload",
        [],
    ),
    "mounted by hand": ("env: [{name: AZURE_FEDERATED_TOKEN_FILE, value: /t}]", "azure-workload", []),
    "another identity": ("", "aws", []),
}


@pytest.mark.parametrize(("values", "identity", "expected"), IDENTITIES.values(), ids=IDENTITIES)
def test_the_identity_of_keda(values: str, identity: str, expected: list[str]) -> None:
    assert codes(KEDA % values, IDENTITY % identity) == expected


STRENGTHS = {
    "vLLM": ("", "true", ["KAI018 Workspace/inference/adapters/0/strength"]),
    "transformers": ("kaito.sh/runtime: transformers", "true", []),
    "vLLM turned off": ("", "false", []),
}


@pytest.mark.parametrize(("notes", "gate", "expected"), STRENGTHS.values(), ids=STRENGTHS)
def test_the_strength_of_an_adapter(notes: str, gate: str, expected: list[str]) -> None:
    assert codes(ADAPTED % (notes, 'strength: "0.5"'), KAITO % gate) == expected
