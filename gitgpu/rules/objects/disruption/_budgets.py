"""A PodDisruptionBudget with its pods, and what scales them."""

BAD = """
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: chat, namespace: serving}
spec:
  minAvailable: 2
  selector: {matchLabels: {app: chat}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: chat, namespace: serving}
spec:
  replicas: 2
  selector: {matchLabels: {app: chat}}
  template:
    metadata: {labels: {app: chat}}
    spec:
      containers:
      - name: main
        resources: {limits: {nvidia.com/gpu: 1}}
"""
CANARY = """---
apiVersion: apps/v1
kind: Deployment
metadata: {name: chat-canary, namespace: serving}
spec:
  replicas: 1
  selector: {matchLabels: {app: chat, track: canary}}
  template:
    metadata: {labels: {app: chat, track: canary}}
    spec:
      containers:
      - name: main
        resources: {limits: {nvidia.com/gpu: 1}}
"""
WARMER = """---
apiVersion: v1
kind: Pod
metadata: {name: warmer, namespace: serving, labels: {app: chat}}
spec: {containers: [{name: main}]}
"""
WARMUP = """---
apiVersion: batch/v1
kind: Job
metadata: {name: warmup, namespace: serving}
spec:
  template:
    metadata: {labels: {app: chat}}
    spec: {restartPolicy: Never, containers: [{name: main}]}
"""
SCALER = """---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: chat, namespace: serving}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: chat}
  minReplicas: 1
  maxReplicas: 4
  metrics: [{type: Pods, pods: {metric: {name: queue}, target: {type: AverageValue, averageValue: "4"}}}]
"""
SCALED = """---
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: chat, namespace: serving}
spec:
  scaleTargetRef: {name: chat}
  minReplicaCount: 4
  maxReplicaCount: 8
  triggers: [{type: azure-queue, metadata: {queueName: prompts, connectionFromEnv: STORAGE}}]
"""
EXPRESSIONS = """
    matchExpressions: [{key: app, operator: In, values: [chat]}, {key: canary, operator: DoesNotExist}]
---"""
TEMPLATE = """---
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: gpu, namespace: serving}
spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.nvidia.com}}]}}}
"""
