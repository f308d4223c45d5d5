"""Find why pods are Pending and nodes lack GPUs, from a dump of a cluster. Works offline."""

from functools import partial
from typing import NamedTuple

import click

from gitgpu.cli import options
from gitgpu.cli.diagnose.fleet import fleet_finder
from gitgpu.cli.input.regions import known_region
from gitgpu.cli.input.texts import read_named
from gitgpu.cli.output.outcome import COULD_NOT_RUN, write_findings
from gitgpu.cli.output.progress import progress
from gitgpu.cli.output.streams import note, say, send
from gitgpu.cli.output.terminal import error_style
from gitgpu.cli.parameters import as_value
from gitgpu.cli.settings import settings_without_fleet
from gitgpu.diagnose.diagnosis import Diagnosis
from gitgpu.diagnose.selected import about_node, about_pod
from gitgpu.diagnostic import in_order
from gitgpu.load.read import read_paths
from gitgpu.model.catalog import catalog
from gitgpu.model.names.kinds import NODE, POD
from gitgpu.report import render
from gitgpu.report.diagnosis.html import page
from gitgpu.report.diagnosis.json import as_json
from gitgpu.report.diagnosis.markdown import markdown
from gitgpu.report.diagnosis.sentences import summary
from gitgpu.report.diagnosis.text import text
from gitgpu.report.findings import Findings, Style
from gitgpu.runs.diagnose import of_dump
from gitgpu.spelling import nearest

_LARGEST = 512 * 1024 * 1024  # bytes of a file: a cluster of 5,000 pods and 20,000 events needs about 40 MB


class Arguments(NamedTuple):
    """The arguments and options of `gitgpu diagnose`."""

    paths: tuple[str, ...]
    pod: str
    node: str
    region: str
    fleet: tuple[str, ...]
    cluster: str
    today: str
    output_format: str
    style: Style


@click.command("diagnose", short_help=__doc__)
@click.argument("paths", nargs=-1, required=True, metavar="DUMP...")
@click.option("--pod", default="", metavar="NS/NAME", help="Only what holds back this pod.")
@click.option("--node", default="", metavar="NAME", help="Only what is wrong with this node.")
@click.option("--region", default="", metavar="REGION", help="The region of the cluster.  [default: as the dump says]")
@click.option(
    "--fleet",
    multiple=True,
    metavar="PATH",
    help="A file or directory of the fleet that the cluster belongs to: say which key to change; repeatable.",
)
@click.option(
    "--cluster", default="", metavar="NAME", help="With --fleet: the cluster.  [default: the one that the dump is of]"
)
@options.today(options.ON_ADVISORIES)
@options.output(("text", "json", "markdown", "html"), "Format of the diagnosis on stdout.")
@options.colour
@as_value(Arguments)
def COMMAND(arguments: Arguments) -> int:
    """Find why pods are Pending and nodes lack GPUs, from a dump of a cluster. Works offline.

    DUMP is the output of `kubectl get ... -o json` for nodes, NodeClaims, NodePools, AKSNodeClasses, pods, DaemonSets,
    events and more, in one file, in a directory of files, or as - on standard input; and that of `az aks show`. Values
    that may be secret are never read. Exit status: 0 nothing is wrong, 1 something is, 2 the dump cannot be read.

    \b
    gitgpu diagnose dump/
    gitgpu diagnose dump/ --pod ml/chat-7d9f
    gitgpu diagnose dump/ --fleet fleet.yaml --cluster prod
    kubectl get nodes,pods,events -A -o json | gitgpu diagnose -
    """
    if arguments.cluster and not arguments.fleet:
        raise click.UsageError("--cluster needs --fleet PATH")
    find_fleet = fleet_finder(arguments.fleet, arguments.cluster) if arguments.fleet else None
    settings = settings_without_fleet(arguments.paths)
    facts = catalog(settings.catalogs)
    texts, faults = read_named(arguments.paths, read=partial(read_paths, maximum=_LARGEST))
    with progress("reading the dump"):
        diagnosis = of_dump(texts, facts, known_region(arguments.region, facts), find_fleet, arguments.today)
    unread = [*settings.faults, *faults, *facts.files.faults, *diagnosis.unread]
    if diagnosis.empty:
        form = arguments.output_format if arguments.output_format in ("json", "markdown") else "text"
        write_findings(Findings(in_order(unread), len(texts), 0, {}), form, arguments.style)
        return COULD_NOT_RUN
    diagnosis = _selected(diagnosis._replace(unread=tuple(unread)), arguments)
    _write(diagnosis, arguments)
    if diagnosis.undecided and not diagnosis.wrong:
        return COULD_NOT_RUN
    return int(bool(diagnosis.wrong))


def _selected(diagnosis: Diagnosis, arguments: Arguments) -> Diagnosis:
    """What is about the pod or the node of the command line. Raises click.BadParameter for one that is not there."""
    if arguments.pod:
        namespace, _, name = arguments.pod.rpartition("/")
        diagnosis, known = about_pod(diagnosis, namespace or "default", name)
        if not known:
            raise _unknown(arguments.pod, "pod", [each.title for each in diagnosis.known if each.kind == POD.kind])
    if arguments.node:
        diagnosis, known = about_node(diagnosis, arguments.node)
        if not known:
            raise _unknown(arguments.node, "node", [each.name for each in diagnosis.known if each.kind == NODE.kind])
    return diagnosis


def _unknown(name: str, noun: str, known: list[str]) -> click.BadParameter:
    """The error about a name that is not in the dump. A pod of another namespace has the same last part."""
    same = (each for each in sorted(known) if each.rpartition("/")[2] == name.rpartition("/")[2])
    meant = next(same, "") or nearest(name, sorted(known))
    hint = f"; did you mean {meant}?" if meant else ""
    return click.BadParameter(f"'{name}' is not a {noun} of the dump{hint}", param_hint=f"--{noun}")


def _write(diagnosis: Diagnosis, arguments: Arguments) -> None:
    if diagnosis.unread and arguments.output_format != "json":
        say(render(Findings(diagnosis.unread, 0, 0, {}), "text", error_style()), err=True)
    if arguments.output_format == "json":
        send(as_json(diagnosis))
        return
    form = arguments.output_format
    if form == "html":
        send(page(diagnosis))
    else:
        shown = markdown(diagnosis) if form == "markdown" else text(diagnosis, arguments.style)
        say(shown, colour=arguments.style.colour)
    note(summary(diagnosis))
