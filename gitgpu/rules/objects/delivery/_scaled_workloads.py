"""Workloads with a scaler and a number of replicas in Git."""

BAD = """
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec:
  interval: 10m
  prune: true
  path: ./
  sourceRef: {kind: GitRepository, name: fleet}
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: fleet, namespace: flux-system}
spec: {interval: 5m, url: "https://github.com/contoso/fleet"}
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
      containers: [{name: main, image: "registry.contoso.com/chat:1.4.0"}]
---
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: chat, namespace: serving}
spec:
  scaleTargetRef: {name: chat}
  triggers: [{type: redis, metadata: {listName: prompts, address: "redis.queue:6379"}}]
"""
OF_ARGO = """
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: serving, namespace: argocd}
spec:
  project: default
  destination: {server: "https://kubernetes.default.svc", namespace: serving}
  source: {repoURL: "https://github.com/contoso/fleet", path: ., targetRevision: main}
  syncPolicy: {automated: {prune: true, selfHeal: true}}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: chat, namespace: serving}
spec:
  replicas: 2
  serviceName: chat
  selector: {matchLabels: {app: chat}}
  template:
    metadata: {labels: {app: chat}}
    spec:
      containers: [{name: main, image: "registry.contoso.com/chat:1.4.0"}]
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: chat, namespace: serving}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: StatefulSet, name: chat}
  minReplicas: 2
  maxReplicas: 8
  metrics: [{type: Pods, pods: {metric: {name: requests}, target: {type: AverageValue, averageValue: "4"}}}]
"""
HEALS = "  syncPolicy: {automated: {prune: true, selfHeal: true}}\n"
