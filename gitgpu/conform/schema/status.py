"""The status of an object is not part of what is applied."""

from collections.abc import Mapping

from gitgpu.conform.objects import Given
from gitgpu.load.explain.fault import Fault


def apart_from_status(given: Given, faults: list[Fault]) -> tuple[Given, list[Fault]]:
    """The faults that are not in the status, and the object, without a status that has some.

    The API server takes it from controllers only, so whatever `kubectl get` or a generator wrote there is not read.
    """
    if not isinstance(given.body.get("status"), Mapping):
        return given, faults
    kept = [fault for fault in faults if fault.pointer[:1] != ("status",)]
    if len(kept) == len(faults):
        return given, faults
    return given._replace(body={key: value for key, value in given.body.items() if key != "status"}), kept
