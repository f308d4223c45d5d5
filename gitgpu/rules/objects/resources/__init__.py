"""Resources: requests, limits, quotas and device names."""

from gitgpu.rules.kinds import ANY, PODS, kinds

PREFIX = "POD"  # of the codes of new rules
KINDS = kinds(
    about=ANY,
    first={
        "several_mig_instances": PODS,
        "invalid_quantity_outside_containers": (
            *PODS,
            "LimitRange",
            "PersistentVolumeClaim",
            "ResourceQuota",
            "autoscaling/HorizontalPodAutoscaler",
        ),
        "invalid_resource_name": PODS,
        "gpu_quota_without_requests_prefix": ("ResourceQuota",),
        "misspelt_device": PODS,
        "negative_count": (
            "apps/DaemonSet",
            "apps/Deployment",
            "apps/ReplicaSet",
            "apps/StatefulSet",
            "batch/CronJob",
            "batch/Job",
        ),
        "request_above_limit": PODS,
        "unequal_device_request": PODS,
    },
)
