"""Limits of HorizontalPodAutoscalers, and the names that KEDA gives them."""

# The maximum of stabilizationWindowSeconds: pkg/apis/autoscaling/validation/validation.go in kubernetes/kubernetes.
MAX_STABILIZATION_WINDOW = 3600  # seconds
# What KEDA puts before the name of a ScaledObject: getHpaName in its scaledobject_webhook.go.
HPA_PREFIX = "keda-hpa-"
# Of the name of a ScaledObject and of its HorizontalPodAutoscaler, which KEDA also writes as label values.
MAX_NAME = 63  # characters
DEFAULT_MAX_REPLICAS = 100  # KEDA's default of maxReplicaCount
