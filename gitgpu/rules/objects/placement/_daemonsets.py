"""DaemonSets for GPU nodes with a taint."""

BAD = """
apiVersion: containerservice.azure.com/v1api20240901
kind: ManagedClustersAgentPool
metadata: {name: gpuspot, namespace: fleet}
spec:
  owner: {name: prod}
  vmSize: Standard_NC24ads_A100_v4
  scaleSetPriority: Spot
  mode: User
  count: 1
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: nvidia-device-plugin, namespace: gpu-resources}
spec:
  selector: {matchLabels: {app: nvidia-device-plugin}}
  template:
    metadata: {labels: {app: nvidia-device-plugin}}
    spec:
      tolerations: [{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}]
      containers:
      - name: main
        image: nvcr.io/nvidia/k8s-device-plugin:v0.19.3
        volumeMounts: [{name: sockets, mountPath: /var/lib/kubelet/device-plugins}]
      volumes: [{name: sockets, hostPath: {path: /var/lib/kubelet/device-plugins}}]
"""
EXISTS = "{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}"
SPOT_POOL = "{key: kubernetes.azure.com/scalesetpriority, operator: Equal, value: spot, effect: NoSchedule}"
OTHER = """
apiVersion: containerservice.azure.com/v1api20240901
kind: ManagedClustersAgentPool
metadata: {name: system, namespace: fleet}
spec: {owner: {name: lab}, vmSize: Standard_D8s_v5, mode: System, count: 1}
"""
SECOND = """---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: nvidia-device-plugin-spot, namespace: gpu-resources}
spec:
  selector: {matchLabels: {app: nvidia-device-plugin-spot}}
  template:
    metadata: {labels: {app: nvidia-device-plugin-spot}}
    spec:
      tolerations: EFFECT
      containers:
      - name: main
        image: nvcr.io/nvidia/k8s-device-plugin:v0.19.3
        volumeMounts: [{name: sockets, mountPath: /var/lib/kubelet/device-plugins}]
      volumes: [{name: sockets, hostPath: {path: /var/lib/kubelet/device-plugins}}]
"""
EXPORTER = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: a100}
spec:
  limits: {nvidia.com/gpu: 8}
  template:
    metadata: {labels: {gpu: a100}}
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: default}
      requirements: [{key: karpenter.azure.com/sku-name, operator: In, values: [Standard_NC24ads_A100_v4]}]
      taints: [{key: nvidia.com/gpu, effect: NoSchedule}, {key: team, value: research, effect: NoSchedule}]
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: dcgm-exporter, namespace: monitoring}
spec:
  selector: {matchLabels: {app: dcgm-exporter}}
  template:
    metadata: {labels: {app: dcgm-exporter}}
    spec:
      nodeSelector: {gpu: a100}
      tolerations: [{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}]
      containers:
      - name: exporter
        image: nvcr.io/nvidia/k8s/dcgm-exporter:4.5.2-4.8.1-ubuntu22.04
        ports: [{name: metrics, containerPort: 9400}]
"""
