"""Objects that are applied together with the release that installs their CRD."""

BAD = """
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: scaling, namespace: flux-system}
spec:
  interval: 1h
  prune: true
  path: ./
  sourceRef: {kind: GitRepository, name: fleet}
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: keda, namespace: flux-system}
spec:
  interval: 1h
  targetNamespace: keda
  install: {createNamespace: true}
  chart: {spec: {chart: keda, version: 2.20.2, sourceRef: {kind: HelmRepository, name: kedacore}}}
---
apiVersion: keda.sh/v1alpha1
kind: ClusterTriggerAuthentication
metadata: {name: azure}
spec: {secretTargetRef: [{parameter: connection, name: queue, key: connection}]}
"""
OF_ARGO = """
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: fleet, namespace: argocd}
spec:
  project: default
  destination: {server: "https://kubernetes.default.svc", namespace: argocd}
  source: {repoURL: "https://github.com/contoso/fleet", path: ., targetRevision: main}
---
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: gpu-operator, namespace: argocd}
spec:
  project: default
  destination: {server: "https://kubernetes.default.svc", namespace: gpu-operator}
  source:
    repoURL: https://helm.ngc.nvidia.com/nvidia
    chart: gpu-operator
    targetRevision: v26.7.0
    helm: {valuesObject: {driver: {nvidiaDriverCRD: {enabled: true}}}}
---
apiVersion: nvidia.com/v1alpha1
kind: NVIDIADriver
metadata: {name: default}
spec: {driverType: gpu, repository: nvcr.io/nvidia, image: driver, version: 580.95.05}
"""
OF_OPERATOR = """
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: gpu, namespace: flux-system}
spec:
  interval: 1h
  prune: true
  path: ./
  sourceRef: {kind: GitRepository, name: fleet}
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: gpu-operator, namespace: flux-system}
spec:
  interval: 1h
  targetNamespace: gpu-operator
  install: {createNamespace: true}
  chart: {spec: {chart: gpu-operator, version: v26.7.0, sourceRef: {kind: HelmRepository, name: nvidia}}}
  values: {driver: {nvidiaDriverCRD: {enabled: true}}}
---
apiVersion: nvidia.com/v1alpha1
kind: NVIDIADriver
metadata: {name: default}
spec: {driverType: gpu, repository: nvcr.io/nvidia, image: driver, version: 580.95.05}
"""
FIRST = """---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: cluster, namespace: flux-system}
spec: {interval: 1h, prune: true, path: ./cluster, sourceRef: {kind: GitRepository, name: fleet}}
"""
ANOTHER = """
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: keda, namespace: keda}
spec:
  interval: 1h
  chart: {spec: {chart: keda, version: 2.20.2, sourceRef: {kind: HelmRepository, name: kedacore}}}
"""
LATE = "  annotations: {argocd.argoproj.io/sync-options: SkipDryRunOnMissingResource=true}\n"
