"""Which charts a cluster's dashboard has: those whose fields its exporters export.

The exporter writes the node's name as Hostname or as hostname, by its version. A matcher that also takes "" lets either
pass, because a label that a series does not have is "".
"""

from collections.abc import Collection

from gitgpu.plan.watching import Panel

Terms = dict[tuple[str, ...], str]

CHOSEN = '{Hostname=~"$node|",hostname=~"$node|",namespace=~"$namespace"}'
GPU = "{{Hostname}}{{hostname}} GPU {{gpu}} {{GPU_I_PROFILE}} {{namespace}}/{{pod}}"
ENGINE, UTIL = "DCGM_FI_PROF_GR_ENGINE_ACTIVE", "DCGM_FI_DEV_GPU_UTIL"
USED, FREE = "DCGM_FI_DEV_FB_USED", "DCGM_FI_DEV_FB_FREE"
BUSY: Terms = {(ENGINE,): ENGINE + CHOSEN, (UTIL,): f"{UTIL}{CHOSEN} / 100"}  # a partition (MIG) has the first only


def panels(exported: Collection[str]) -> tuple[Panel, ...]:
    """The charts, in the order in which they are shown."""
    wanted: tuple[tuple[str, str, Terms, str, str], ...] = (
        ("Busy", "percentunit", BUSY, "%s", GPU),
        ("Busy, by pod", "percentunit", BUSY, "avg by (namespace, pod) (%s)", "{{namespace}}/{{pod}}"),
        ("Tensor cores busy", "percentunit", _plain("DCGM_FI_PROF_PIPE_TENSOR_ACTIVE"), "%s", GPU),
        ("Memory used", "percentunit", {(USED, FREE): _share(USED, FREE)}, "%s", GPU),
        ("Temperature", "celsius", _plain("DCGM_FI_DEV_GPU_TEMP"), "%s", GPU),
        ("Power", "watt", _plain("DCGM_FI_DEV_POWER_USAGE"), "%s", GPU),
        ("Last XID error", "none", _plain("DCGM_FI_DEV_XID_ERRORS"), "%s", GPU),
    )
    return tuple(
        Panel(title, next(iter(found))[0], unit, frame % " or ".join(found.values()), legend)
        for title, unit, terms, frame, legend in wanted
        if (found := {fields: expr for fields, expr in terms.items() if set(fields) <= set(exported)})
    )


def _plain(field: str) -> Terms:
    return {(field,): field + CHOSEN}


def _share(part: str, rest: str) -> str:
    return f"{part}{CHOSEN} / ({part}{CHOSEN} + {rest}{CHOSEN})"
