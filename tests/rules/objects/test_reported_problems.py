"""Configuration problems that users reported upstream, and correct variants of each."""

import pytest

from tests.helping.cases import for_each
from tests.rules.objects.samples import conformed

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
QUEUE = '{type: redis, metadata: {listName: prompts, address: "redis.queue:6379"}}'
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


MINE = {"GIT015", "GIT016", "KAI018", *(f"POD{code:03}" for code in range(35, 40))}
MINE |= {f"KED{code:03}" for code in range(31, 38)}


def codes(*documents: str) -> list[str]:
    diagnostics = conformed("---".join(documents))
    return [f"{finding.code} {finding.object.kind}{finding.pointer}" for finding in diagnostics if finding.code in MINE]


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
    "no visible workload": ([CHAT % "", scaled()], []),
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


@for_each(("documents", "expected"), REPLICAS.values(), ids=REPLICAS)
def test_replicas_that_a_scaler_owns(documents: list[str], expected: list[str]) -> None:
    assert codes(*documents) == expected


TRIGGERS = {
    "none": (trigger("prometheus", 'serverAddress: "http://p.m.svc", query: x, threshold: "0"'), "threshold"),
    "rounded to none": (
        trigger("prometheus", 'serverAddress: "http://p.m.svc", query: x, threshold: "0.0004"'),
        "threshold",
    ),
    "little": (trigger("prometheus", 'serverAddress: "http://p.m.svc", query: x, threshold: "0.001"'), ""),
    "less than none": (trigger("azure-queue", 'queueName: p, connectionFromEnv: C, queueLength: "-1"'), "queueLength"),
    "none to wake at": (
        trigger("azure-queue", 'queueName: p, connectionFromEnv: C, queueLength: "1", activationQueueLength: "0"'),
        "",
    ),
    "filled in later": (trigger("azure-queue", 'queueName: p, connectionFromEnv: C, queueLength: "${length}"'), ""),
    "of a resource": (trigger("cpu", 'value: "0"', ", metricType: Utilization"), "value"),
    "none of a formula": (
        scaled(
            "{type: azure-queue, name: q, metadata: {queueName: p, connectionFromEnv: C, queueLength: '0'}}",
            spec='advanced: {scalingModifiers: {formula: q * 2, target: "5"}}',
        ),
        "",
    ),
}


@for_each(("text", "key"), TRIGGERS.values(), ids=TRIGGERS)
def test_targets_of_triggers(text: str, key: str) -> None:
    assert codes(text) == ([f"KED031 ScaledObject/spec/triggers/0/metadata/{key}"] if key else [])


@for_each(("amount", "reported"), [("0", True), ('"0"', True), ("-1", True), ("500m", False), ("1", False)])
def test_targets_of_an_autoscaler(amount: str, reported: bool) -> None:
    expected = ["KED031 HorizontalPodAutoscaler/spec/metrics/0/pods/target/averageValue"] if reported else []
    assert codes(HPA % (3, amount)) == expected


@for_each(
    ("address", "reported"),
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
def test_servers_at_localhost(address: str, reported: bool) -> None:
    text = trigger("prometheus", f'serverAddress: "{address}", query: x, threshold: "5"')
    assert codes(text) == (["KED032 ScaledObject/spec/triggers/0/metadata/serverAddress"] if reported else [])


PAUSED = 'autoscaling.keda.sh/paused: "true"'


@pytest.mark.parametrize(
    ("workload", "scaler", "reported"), [(PAUSED, "", True), (PAUSED, PAUSED, False), ("", "", False)]
)
def test_a_pause_annotation_is_read_only_at_the_scaled_object(workload: str, scaler: str, reported: bool) -> None:
    expected = ["KED033 Deployment/metadata/annotations/autoscaling.keda.sh~1paused"] if reported else []
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
    "a token, without an identity": ("podIdentity: {azureWorkload: {enabled: true}}", "azure-workload", AT_IDENTITY),
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


@for_each(("values", "identity", "expected"), IDENTITIES.values(), ids=IDENTITIES)
def test_the_identity_of_keda(values: str, identity: str, expected: list[str]) -> None:
    assert codes(KEDA % values, IDENTITY % identity) == expected


STRENGTHS = {
    "vLLM": ("", "true", ["KAI018 Workspace/inference/adapters/0/strength"]),
    "transformers": ("kaito.sh/runtime: transformers", "true", []),
    "vLLM turned off": ("", "false", []),
}


@pytest.mark.parametrize(("notes", "gate", "expected"), STRENGTHS.values(), ids=STRENGTHS)
def test_the_lora_strength_of_an_adapter_needs_its_feature_gate(notes: str, gate: str, expected: list[str]) -> None:
    assert codes(ADAPTED % (notes, 'strength: "0.5"'), KAITO % gate) == expected


APPLICATION = """
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: chat, namespace: argocd}
spec:
  project: default
  destination: {server: "https://kubernetes.default.svc", namespace: serving}
  source: {repoURL: "https://github.com/contoso/fleet", path: chat, targetRevision: main}
  ignoreDifferences: [%s]
"""
IGNORED_DIFFERENCES = {
    "a version": ("{group: apps/v1, kind: Deployment}", "group"),
    "core by name": ("{group: core, kind: Secret}", "group"),
    "core by version": ("{group: v1, kind: Secret}", "group"),
    "core": ('{group: "", kind: Secret}', ""),
    "core, omitted": ("{kind: Secret}", ""),
    "no group": ("{kind: Deployment}", "kind"),
    "another's kind": ("{group: apps, kind: ClusterIssuer}", "kind"),
    "a pattern": ('{group: "*", kind: "*"}', ""),
    "any of a group": ('{group: apps, kind: "*"}', ""),
    "a custom kind": ("{group: serving.knative.dev, kind: Service}", ""),
}


@for_each(("entry", "key"), IGNORED_DIFFERENCES.values(), ids=IGNORED_DIFFERENCES)
def test_differences_that_are_ignored(entry: str, key: str) -> None:
    written = entry.replace("}", ", jsonPointers: [/spec]}")
    expected = [f"GIT016 Application/spec/ignoreDifferences/0/{key}"] if key else []
    assert codes(APPLICATION % written) == expected


WORKER = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: chat, namespace: serving, labels: {%s}}
spec:
  selector: {matchLabels: {app: chat}}
  template:
    metadata: {labels: {app: chat%s}}
    spec:
      containers: [{name: main, image: "registry.contoso.com/chat:1.4.0"%s}]
"""
BUS = "queueName: prompts, connectionFromEnv: BUS"
AT_BUS = ["KED035 ScaledObject/spec/triggers/0/metadata/connectionFromEnv"]
VARIABLES = {
    "there": (', env: [{name: BUS, value: "x"}]', "", []),
    "not there": (', env: [{name: TRAM, value: "x"}]', "", AT_BUS),
    "perhaps there": (", envFrom: [{secretRef: {name: bus}}]", "", []),
    "of each pod": (", env: [{name: BUS, valueFrom: {fieldRef: {fieldPath: metadata.name}}}]", "", AT_BUS),
    "not read": ("", ", authenticationRef: {name: bus, kind: ClusterTriggerAuthentication}", []),
}


@for_each(("env", "more", "expected"), VARIABLES.values(), ids=VARIABLES)
def test_variables_of_the_container(env: str, more: str, expected: list[str]) -> None:
    assert codes(WORKER % ("", "", env), trigger("azure-servicebus", BUS, more)) == expected


@for_each(
    ("address", "more", "reported"),
    [
        ("https://a-b1.swedencentral.prometheus.monitor.azure.com", "", True),
        ("https://a-b1.swedencentral.prometheus.monitor.azure.com", ", authenticationRef: {name: azure}", False),
        ("http://prometheus.monitoring.svc", "", False),
        ("https://prometheus.monitor.azure.com.example", "", False),
    ],
)
def test_azure_prometheus_requires_a_token(address: str, more: str, reported: bool) -> None:
    text = trigger("prometheus", f'serverAddress: "{address}", query: x, threshold: "5"', more)
    assert codes(text) == (["KED036 ScaledObject/spec/triggers/0/metadata/serverAddress"] if reported else [])


USE = 'azure.workload.identity/use: "true"'
LABELS = {
    "at the pods": ("", f", {USE}", []),
    "at the workload": (USE, "", ["POD037 Deployment/metadata/labels/azure.workload.identity~1use"]),
    "at both": (USE, f", {USE}", []),
    "in capitals": (
        "",
        f", {USE.replace('true', 'True')}",
        ["POD037 Deployment/spec/template/metadata/labels/azure.workload.identity~1use"],
    ),
    "not wanted": ("", f", {USE.replace('true', 'false')}", []),
}


@for_each(("above", "own", "expected"), LABELS.values(), ids=LABELS)
def test_the_label_of_workload_identity(above: str, own: str, expected: list[str]) -> None:
    assert codes(WORKER % (above, own, "")) == expected


POOL = """
apiVersion: containerservice.azure.com/v1api20240901
kind: ManagedClustersAgentPool
metadata: {name: gpuspot, namespace: fleet}
spec: {owner: {name: %s}, vmSize: %s, mode: User, count: 1%s}
"""
DAEMON = """
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: exporter, namespace: gpu}
spec:
  selector: {matchLabels: {app: exporter}}
  template:
    metadata: {labels: {app: exporter}}
    spec:
      nodeSelector: {%s}
      tolerations: [%s]
      containers: [{name: main, image: "nvcr.io/nvidia/k8s/dcgm-exporter:4.4.1-4.6.0-distroless"}]
"""
A100 = "Standard_NC24ads_A100_v4"
SPOT = ", scaleSetPriority: Spot"
TOLERATED = "{key: kubernetes.azure.com/scalesetpriority, operator: Equal, value: spot, effect: NoSchedule}"
DAEMONS = {
    "spot": ([POOL % ("prod", A100, SPOT), DAEMON % ("", "")], True),
    "spot by its label": ([POOL % ("prod", A100, SPOT), DAEMON % ("accelerator: nvidia", "")], True),
    "tolerated": ([POOL % ("prod", A100, SPOT), DAEMON % ("", TOLERATED)], False),
    "regular": ([POOL % ("prod", A100, ""), DAEMON % ("", "")], False),
    "a taint of its own": ([POOL % ("prod", A100, ", nodeTaints: ['sku=gpu:NoSchedule']"), DAEMON % ("", "")], True),
    "other nodes": ([POOL % ("prod", A100, SPOT), DAEMON % ("agentpool: t4", "")], False),
    "no GPUs": ([POOL % ("prod", "Standard_D4s_v5", SPOT), DAEMON % ("", "")], False),
    "two clusters": (
        [POOL % ("prod", A100, SPOT), (POOL % ("test", A100, "")).replace("gpuspot", "gpu"), DAEMON % ("", "")],
        False,
    ),
    "another daemon": (
        [
            POOL % ("prod", A100, SPOT),
            DAEMON % ("", ""),
            (DAEMON % ("", TOLERATED)).replace("name: exporter", "name: spot"),
        ],
        False,
    ),
}


@for_each(("documents", "reported"), DAEMONS.values(), ids=DAEMONS)
def test_daemons_for_spot_nodes(documents: list[str], reported: bool) -> None:
    assert codes(*documents) == (["POD036 DaemonSet/spec/template/spec/containers/0/image"] if reported else [])


TRAINER = """
apiVersion: v1
kind: Pod
metadata: {name: trainer, namespace: research}
spec:
  terminationGracePeriodSeconds: %s
  nodeSelector: {%s}
  tolerations: [{operator: Exists}]
  containers: [{name: main, image: "registry.contoso.com/trainer:1.4.0", resources: {limits: {nvidia.com/gpu: 1}}}]
"""
NODES = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: a100}
spec:
  limits: {nvidia.com/gpu: 8}
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: default}
      taints: [{key: nvidia.com/gpu, effect: NoSchedule}]
      requirements:
      - {key: karpenter.azure.com/sku-name, operator: In, values: [Standard_NC24ads_A100_v4]}
      - {key: karpenter.sh/capacity-type, operator: In, values: [%s]}
"""


@for_each(
    ("grace", "selector", "capacity", "reported"),
    [
        (31, "karpenter.sh/capacity-type: spot", "spot", True),
        (30, "karpenter.sh/capacity-type: spot", "spot", False),
        (600, "kubernetes.azure.com/scalesetpriority: spot", "on-demand, spot", True),
        (600, "", "on-demand, spot", True),
        (600, "", "on-demand", False),
        (600, "karpenter.sh/capacity-type: on-demand", "on-demand, spot", False),
    ],
)
def test_a_grace_period_on_spot_nodes(grace: int, selector: str, capacity: str, reported: bool) -> None:
    expected = ["POD035 Pod/spec/terminationGracePeriodSeconds"] if reported else []
    assert codes(TRAINER % (grace, selector), NODES % capacity) == expected


PLACED = """
apiVersion: v1
kind: Pod
metadata: {name: trainer, namespace: research}
spec:
  nodeSelector: {%s}
  tolerations: [%s]
  containers: [{name: main, image: "registry.contoso.com/trainer:1.4.0"}]
"""
NAMED = "agentpool: gpuspot"
PODS = {
    "kept off": ([POOL % ("prod", A100, SPOT), PLACED % (NAMED, "")], True),
    "tolerated": ([POOL % ("prod", A100, SPOT), PLACED % (NAMED, TOLERATED)], False),
    "no taint": ([POOL % ("prod", A100, ""), PLACED % (NAMED, "")], False),
    "a gentle taint": ([POOL % ("prod", A100, ", nodeTaints: ['a=b:PreferNoSchedule']"), PLACED % (NAMED, "")], False),
    "another pool": ([POOL % ("prod", A100, SPOT), PLACED % ("agentpool: other", "")], False),
    "any pool": ([POOL % ("prod", A100, SPOT), PLACED % ("", "")], False),
}


@for_each(("documents", "reported"), PODS.values(), ids=PODS)
def test_pods_of_a_node_pool(documents: list[str], reported: bool) -> None:
    assert codes(*documents) == (["POD039 Pod/spec/tolerations"] if reported else [])


KEY = "kubernetes.azure.com/scalesetpriority"


@for_each(
    ("toleration", "part"),
    [
        (TOLERATED, None),
        (f"{{key: {KEY}, operator: Exists}}", None),
        (f"{{key: {KEY}, value: spot}}", None),
        (f"{{key: {KEY}, value: Spot, effect: NoSchedule}}", "/value"),
        (f"{{key: {KEY}, effect: NoSchedule}}", ""),
        (f"{{key: {KEY}, value: regular}}", None),
        (f"{{key: {KEY}, value: spot, effect: NoExecute}}", "/effect"),
        ("{key: kubernetes.azure.com/scaleSetPriority, operator: Exists}", "/key"),
        (f"{{key: {KEY}, value: Spot}}, {TOLERATED}", None),
    ],
)
def test_tolerations_of_spot_nodes(toleration: str, part: str | None) -> None:
    assert codes(PLACED % ("", toleration)) == ([] if part is None else [f"POD038 Pod/spec/tolerations/0{part}"])


@pytest.mark.parametrize(("kind", "reported"), [("metrics-api", True), ("external", False)])
def test_keys_of_a_trigger_among_its_parameters(kind: str, reported: bool) -> None:
    text = trigger(kind, 'url: "http://a", scalerAddress: "a:1", metricType: Value')
    assert codes(text) == (["KED037 ScaledObject/spec/triggers/0/metadata/metricType"] if reported else [])


@for_each(
    ("kind", "metadata", "key"),
    [
        ("redis", 'address: "localhost:6379", listName: jobs, listLength: "5"', "address"),
        ("redis", 'address: "127.0.0.1:6379,redis.cache.svc:6379", listName: jobs, listLength: "5"', "address"),
        (
            "redis-streams",
            'address: "localhost:6379", stream: jobs, consumerGroup: w, pendingEntriesCount: "5"',
            "address",
        ),
        (
            "rabbitmq",
            'host: "amqp://guest:guest@localhost:5672/", queueName: jobs, mode: QueueLength, value: "5"',
            "host",
        ),
        ("redis", 'address: "redis.cache.svc:6379", listName: jobs, listLength: "5"', ""),
        ("redis", 'addressFromEnv: REDIS, listName: jobs, listLength: "5"', ""),
    ],
)
def test_queues_at_localhost(kind: str, metadata: str, key: str) -> None:
    reported = [code for code in codes(trigger(kind, metadata)) if code.startswith("KED032")]
    assert reported == ([f"KED032 ScaledObject/spec/triggers/0/metadata/{key}"] if key else [])
