"""Pods and jobs that have finished: they stay on the cluster as a record, and would run again if they were applied."""

from collections.abc import Mapping
from typing import Any

from gitgpu.access import reach, rows, text_at
from gitgpu.model.names.kinds import JOB_SET, SPARK_APPLICATION, WORKFLOW, group_kind

# Conditions of Jobs (Complete, Failed), JobSets (Completed), jobs of Kubeflow (Succeeded), TrainJobs (Complete).
_CONDITIONS = frozenset({"Complete", "Completed", "Failed", "Succeeded"})
# Phases of pods and Argo Workflows, of RayJobs (Complete), and of SparkApplications, which write them in capitals.
_PHASES = frozenset({"succeeded", "failed", "completed", "complete", "error"})
_PHASE_KEYS = (("phase",), ("jobDeploymentStatus",), ("applicationState", "state"), ("state", "phase"))
_OTHER_KINDS = frozenset({"Pod", JOB_SET.kind, SPARK_APPLICATION.kind, WORKFLOW.kind})


def is_finished(body: Mapping[str, Any]) -> bool:
    """Whether a server reports that a pod or job has ended, with or without success."""
    _, kind = group_kind(body)
    if kind not in _OTHER_KINDS and not kind.endswith("Job"):
        return False
    status = reach(body, "status")
    if any(text_at(status, *key).lower() in _PHASES for key in _PHASE_KEYS):
        return True
    conditions = rows(status, "conditions")
    return any(entry.get("type") in _CONDITIONS and entry.get("status") == "True" for entry in conditions)
