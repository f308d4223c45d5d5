"""`gitgpu explain --effective`: a document as a cluster sees it; a cluster sees itself."""

import click

from gitgpu.cli.checking import findings
from gitgpu.cli.input.texts import read_named
from gitgpu.cli.output.outcome import exit_code, write_findings
from gitgpu.cli.output.refusal import nameless, refuse_name
from gitgpu.cli.output.streams import say, send
from gitgpu.cli.settings import Chosen, settings
from gitgpu.front import Checked
from gitgpu.load.spec.shape import shape
from gitgpu.model.linking.effective import Missing, Wanted, effective
from gitgpu.report.effective import as_json, as_yaml
from gitgpu.report.findings import Style
from gitgpu.spelling import nearest

KINDS = {
    "pool": "GpuPool",
    "gpupool": "GpuPool",
    "workload": "GpuWorkload",
    "gpuworkload": "GpuWorkload",
    "cluster": "Cluster",
}


def show_effective(name: str, cluster: str | None, path: str | None, form: str) -> int:
    """Writes the pool, workload or cluster as the cluster sees it; the exit status."""
    wanted = _wanted(name, cluster)
    where = settings((path,) if path else (), Chosen())
    texts, unread = read_named(where.paths)
    documents, faults = shape(texts)
    read = Checked(tuple(texts), None, (*where.faults, *unread, *faults), len(documents))
    if unread or not any(document.kind == "Fleet" and document.sound for document in documents):
        return _refuse(read, form)
    found = effective(documents, wanted)
    if isinstance(found, Missing):
        return refuse_name(nameless("CLI002", *found), form)
    if found.faults:
        return _refuse(read._replace(diagnostics=found.faults), form)
    say(as_yaml(found)) if form == "text" else send(as_json(found))
    return 0


def _wanted(name: str, cluster: str | None) -> Wanted:
    kind, _, rest = name.partition("/")
    namespace, _, last = rest.rpartition("/")
    if kind.lower() not in KINDS or not last or "/" in namespace:
        closest = nearest(kind.lower(), ("pool", "workload", "cluster")) if last and kind.lower() not in KINDS else ""
        usual = "write pool/NAME, workload/NAME, workload/NAMESPACE/NAME or cluster/NAME"
        hint = f"did you mean {closest}/{rest}?" if closest else usual
        message = f"'{name}' is not a pool, workload or cluster; {hint}"
        raise click.BadParameter(message, param_hint="--effective")
    found = KINDS[kind.lower()]
    if found == "Cluster" and cluster not in (None, last):
        raise click.UsageError("--cluster is not needed with --effective cluster/NAME")
    if not cluster and found != "Cluster":
        raise click.UsageError("--effective needs --cluster NAME: the cluster to show it for")
    return Wanted(found, namespace, last, cluster or last)


def _refuse(read: Checked, form: str) -> int:
    """Reports why there is nothing to show."""
    found = findings(read)
    if not found.diagnostics:
        return refuse_name(nameless("LNK001", "no Fleet document", "write one document of kind: Fleet"), form)
    write_findings(found, form, Style())
    return exit_code(found, "error") or 1
