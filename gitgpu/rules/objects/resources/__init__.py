"""Resources: requests, limits, quotas and device names."""

from gitgpu.model.names.kinds import (
    CRON_JOB,
    DAEMON_SET,
    DEPLOYMENT,
    HORIZONTAL_POD_AUTOSCALER,
    JOB,
    LIMIT_RANGE,
    PERSISTENT_VOLUME_CLAIM,
    REPLICA_SET,
    RESOURCE_QUOTA,
    STATEFUL_SET,
)
from gitgpu.rules.kinds import ANY, PODS, kinds

PREFIX = "POD"  # of the codes of new rules
KINDS = kinds(
    about=ANY,
    first={
        "several_mig_instances": PODS,
        "invalid_quantity_outside_containers": (
            *PODS,
            LIMIT_RANGE,
            PERSISTENT_VOLUME_CLAIM,
            RESOURCE_QUOTA,
            HORIZONTAL_POD_AUTOSCALER,
        ),
        "invalid_resource_name": PODS,
        "gpu_quota_without_requests_prefix": (RESOURCE_QUOTA,),
        "misspelt_device": PODS,
        "negative_count": (
            DAEMON_SET,
            DEPLOYMENT,
            REPLICA_SET,
            STATEFUL_SET,
            CRON_JOB,
            JOB,
        ),
        "request_above_limit": PODS,
        "unequal_device_request": PODS,
    },
)
