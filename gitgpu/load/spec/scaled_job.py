"""Checks the Job of a workload against the contract for the Job in a KEDA ScaledJob."""

import json
from functools import cache, partial
from typing import Any

from gitgpu.load.explain import explain_faults
from gitgpu.load.explain.fault import Fault
from gitgpu.load.null_fields import without_null
from gitgpu.load.read import data_text
from gitgpu.load.validate.compiler import Dialect, Schema, compile_schema
from gitgpu.load.validate.formats import FORMATS
from gitgpu.load.validate.keywords import Check
from gitgpu.load.validate.releases import CHANGED, part_of_release, schema_of_release

_CONTRACT = Dialect(formats=FORMATS)


@cache
def _contract() -> dict[str, Any]:
    contract: dict[str, Any] = json.loads(data_text("schemas/contracts/keda.sh_scaledjob.json"))
    return contract


def _of_job(contract: dict[str, Any]) -> Schema:
    """The schema of the Job's spec in a ScaledJob."""
    job = contract["properties"]["spec"]["properties"]["jobTargetRef"]
    return {"properties": {"spec": {"properties": {"job": job}}}, "definitions": contract["definitions"]}


@cache
def _schema() -> Schema:
    """The same of the newest release. A build checks against that of the cluster."""
    changed = _contract()[CHANGED]
    return _of_job(schema_of_release(_contract(), len(changed) - 1, changed))


@cache
def _fits() -> Check:
    """Whether a Job matches it. Its parts are read when they are needed."""
    changed = _contract()[CHANGED]
    select = partial(part_of_release, index=len(changed) - 1, changed=changed)
    return compile_schema(_of_job(_contract()), Dialect(formats=FORMATS, select=select))


def job_faults(data: dict[str, Any]) -> list[Fault]:
    """Every fault in the Job of a document. Null counts as absent, as in Kubernetes."""
    spec = data.get("spec")
    job = spec.get("job") if isinstance(spec, dict) else None
    if not isinstance(job, dict):
        return []
    wrapped = {"spec": {"job": without_null(job)}}
    return [] if _fits()(wrapped) else explain_faults(_schema(), wrapped, _CONTRACT)
