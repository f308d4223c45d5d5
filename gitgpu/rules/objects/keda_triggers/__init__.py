"""KEDA triggers and their authentication."""

from gitgpu.model.names.kinds import (
    CLUSTER_TRIGGER_AUTHENTICATION,
    DEPLOYMENT,
    SCALED_OBJECT,
    STATEFUL_SET,
    TRIGGER_AUTHENTICATION,
)
from gitgpu.rules.kinds import PODS, SCALED, kinds

PREFIX = "KED"  # of the codes of new rules
KINDS = kinds(
    about=[*PODS, CLUSTER_TRIGGER_AUTHENTICATION, SCALED_OBJECT, TRIGGER_AUTHENTICATION],
    first={
        "address_with_query_path": SCALED,
        "averaged_twice": SCALED,
        "azure_prometheus_without_token": SCALED,
        "duplicate_trigger_name": SCALED,
        "ignored_trigger_parameter": SCALED,
        "invalid_azure_trigger": SCALED,
        "invalid_cron_trigger": SCALED,
        "invalid_pod_identity": (*SCALED, CLUSTER_TRIGGER_AUTHENTICATION, TRIGGER_AUTHENTICATION),
        "invalid_trigger_parameter": SCALED,
        "misplaced_trigger_field": SCALED,
        "missing_trigger_authentication": SCALED,
        "query_with_several_series": SCALED,
        "trigger_server_on_localhost": SCALED,
        "trigger_without_cached_metrics": SCALED,
        "trigger_without_credentials": SCALED,
        "unknown_trigger_type": SCALED,
        "unknown_trigger_variable": (DEPLOYMENT, STATEFUL_SET, SCALED_OBJECT),
        "unsupported_metric_type": SCALED,
    },
)
