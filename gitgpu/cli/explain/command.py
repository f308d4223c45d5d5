"""Explain a field of the fleet documents or of .gitgpu.yaml, such as GpuPool.spec.limits."""

from typing import NamedTuple

import click

from gitgpu.cli import options
from gitgpu.cli.explain.effective import show_effective
from gitgpu.cli.explain.fields import explain_field
from gitgpu.cli.parameters import as_value


class Arguments(NamedTuple):
    """The arguments and options of `gitgpu explain`."""

    field: str | None
    recursive: bool
    effective: str | None
    cluster: str | None
    fleet: tuple[str, ...]
    output_format: str


@click.command("explain", short_help=__doc__)
@click.argument("field", required=False)
@click.option("--recursive", is_flag=True, help="Also list the keys below each key.")
@click.option(
    "--effective",
    metavar="KIND/NAME",
    help="Show this pool, workload, team or cluster with its defaults and overrides.",
)
@click.option("--cluster", metavar="NAME", help="With --effective: the cluster.")
@click.option(
    "--fleet",
    multiple=True,
    metavar="PATH",
    help="With --effective: a file or directory of the fleet; repeatable.  "
    "[default: `fleet` in .gitgpu.yaml, or fleet.yaml, or fleet]",
)
@options.answer_format
@as_value(Arguments)
def COMMAND(arguments: Arguments) -> int:
    """Explain a FIELD of the fleet documents, or of .gitgpu.yaml as Config: KIND.KEY.KEY, case-insensitive.

    FIELD can also be the end of a path, such as osDiskGB; if several fields match, they are listed. Without FIELD, list
    the kinds. With --effective, show a pool or workload as it applies to one cluster, or a cluster, with all defaults
    and overrides, and the file and line of each value.

    \b
    gitgpu explain GpuPool.spec.disruption
    gitgpu explain GpuPool.spec --recursive
    gitgpu explain osDiskGB
    gitgpu explain config.allow
    gitgpu explain --effective pool/t4 --cluster staging
    gitgpu explain --effective workload/serving/chat --cluster prod --fleet fleet/
    gitgpu explain --effective cluster/prod
    """
    if arguments.effective is not None:
        if arguments.field:
            raise click.UsageError("--effective shows no field; name the fleet with --fleet PATH")
        return show_effective(arguments.effective, arguments.cluster, arguments.fleet, arguments.output_format)
    if arguments.cluster or arguments.fleet:
        raise click.UsageError(f"{'--cluster' if arguments.cluster else '--fleet'} needs --effective KIND/NAME")
    return explain_field(arguments.field, arguments.output_format, recursive=arguments.recursive)
