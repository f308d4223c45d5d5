"""`gitgpu explain --effective`: a document with all defaults and overrides that apply to one cluster."""

import click

from gitgpu.cli.fleets.findings import findings
from gitgpu.cli.input.texts import read_named
from gitgpu.cli.output.outcome import exit_code, write_findings
from gitgpu.cli.output.refusal import nameless, refuse_name
from gitgpu.cli.output.streams import say, send
from gitgpu.cli.settings import fleet_settings
from gitgpu.load.spec.shape import shape
from gitgpu.model.effective import EffectiveQuery, Missing, effective
from gitgpu.report.effective import as_json, as_yaml
from gitgpu.report.findings import Style
from gitgpu.runs.validate import CheckedFleet
from gitgpu.spelling import nearest

KINDS = {
    "pool": "GpuPool",
    "gpupool": "GpuPool",
    "workload": "GpuWorkload",
    "gpuworkload": "GpuWorkload",
    "team": "GpuTeam",
    "gputeam": "GpuTeam",
    "cluster": "Cluster",
}


def show_effective(name: str, cluster: str | None, paths: tuple[str, ...], output_format: str) -> int:
    """Writes the pool, workload, team or cluster as it applies to the cluster. Returns the exit status."""
    query = _query(name, cluster)
    settings = fleet_settings(paths)
    texts, unread = read_named(settings.paths)
    documents, faults = shape(texts)
    read = CheckedFleet(tuple(texts), None, (*settings.faults, *unread, *faults), len(documents))
    if unread or not any(document.kind == "Fleet" and document.sound for document in documents):
        return _refuse(read, output_format)
    result = effective(documents, query)
    if isinstance(result, Missing):
        return refuse_name(nameless("CLI002", *result), output_format)
    if result.faults:
        return _refuse(read._replace(diagnostics=result.faults), output_format)
    say(as_yaml(result)) if output_format == "text" else send(as_json(result))
    return 0


def _query(name: str, cluster: str | None) -> EffectiveQuery:
    kind, _, rest = name.partition("/")
    namespace, _, last = rest.rpartition("/")
    if kind.lower() not in KINDS or not last or "/" in namespace:
        closest = (
            nearest(kind.lower(), ("pool", "workload", "team", "cluster")) if last and kind.lower() not in KINDS else ""
        )
        forms = "use pool/NAME, workload/NAME, workload/NAMESPACE/NAME, team/NAME or cluster/NAME"
        hint = f"did you mean {closest}/{rest}?" if closest else forms
        message = f"'{name}' is not a pool, workload, team or cluster; {hint}"
        raise click.BadParameter(message, param_hint="--effective")
    canonical = KINDS[kind.lower()]
    if canonical == "Cluster" and cluster not in (None, last):
        raise click.UsageError("--cluster is not needed with --effective cluster/NAME")
    if not cluster and canonical != "Cluster":
        raise click.UsageError("--effective needs --cluster NAME: the cluster to show it for")
    return EffectiveQuery(canonical, namespace, last, cluster or last)


def _refuse(read: CheckedFleet, output_format: str) -> int:
    """Reports why there is nothing to show."""
    reported = findings(read)
    if not reported.diagnostics:
        return refuse_name(nameless("LNK001", "no Fleet document", "create one document of kind: Fleet"), output_format)
    write_findings(reported, output_format, Style())
    return exit_code(reported, "error") or 1  # without an answer never 0, even if no finding is an error
