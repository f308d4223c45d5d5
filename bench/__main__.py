"""`python -m bench [NAME...]`: runs the measurements and prints one table."""

import json
import os
import platform
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from bench import figures
from bench.figure import Bench, Figure, Row
from gitgpu.registry import collect
from gitgpu.report.findings import Style
from gitgpu.report.table import table

HEADERS = ("figure", "against", "measured", "goal", "verdict", "medians, or why not")


def main(words: Sequence[str]) -> int:
    """Runs the named figures, all by default. A missed goal is not a failure, because machines differ."""
    known = collect(figures, "FIGURE", Figure)
    asked = _arguments(known, words)
    rows: list[Row] = []
    with TemporaryDirectory(prefix="gitgpu-bench-") as folder:  # deleted at the end: it would slow down the next figure
        bench = Bench(Path(folder), asked.rounds, asked.clusters, Path(asked.peers))
        for figure in known:
            if figure.name in asked.names or not asked.names:
                print(f"{figure.name}: {figure.summary}", file=sys.stderr)
                rows += measured(figure, bench)
    print(_as_json(rows) if asked.output == "json" else _as_text(rows), end="")
    return 0


def measured(figure: Figure, bench: Bench) -> list[Row]:
    """The rows of a figure, which runs in its own directory. If it fails, a row gives the reason."""
    folder = bench.folder / figure.name
    folder.mkdir()
    try:
        return list(figure.measure(replace(bench, folder=folder)))
    except (OSError, RuntimeError) as error:
        return [Row(figure.name, "", None, None, f"failed: {error}")]


def _arguments(known: Sequence[Figure], words: Sequence[str]) -> Namespace:
    listed = "\n".join(f"  {figure.name:<10} {figure.summary}" for figure in known)
    parser = ArgumentParser("python -m bench", description=main.__doc__, epilog=f"figures:\n{listed}",
                            formatter_class=RawDescriptionHelpFormatter)  # fmt: skip
    names = [figure.name for figure in known]
    parser.add_argument("names", nargs="*", metavar="NAME", help="a figure to run; default: all")
    parser.add_argument("--quick", action="store_const", const=200, default=1000, dest="clusters", help="200 clusters")
    parser.add_argument("--clusters", type=int, metavar="N", help="how many clusters, 50 or more (default: 1000)")
    parser.add_argument("--rounds", type=int, default=3, help="how often subjects take turns (default: 3)")
    parser.add_argument("--peers", default=sys.prefix, help="a virtual environment that has cdk8s and kapitan")
    parser.add_argument("-o", "--output", choices=("text", "json"), default="text")
    asked = parser.parse_args(words)
    unknown = sorted(set(asked.names) - set(names))
    if unknown or asked.rounds < 1 or asked.clusters < 50:
        few = "--rounds must be 1 or more, --clusters 50 or more"
        parser.error(f"unknown figure '{unknown[0]}'" if unknown else few)
    return asked


def _as_text(rows: Sequence[Row]) -> str:
    return table(HEADERS, [_cells(row) for row in rows], Style())


def _cells(row: Row) -> tuple[str | None, ...]:
    measured = None if row.measured is None else f"{row.measured:.2f}"
    return (row.figure, row.against, measured, str(row.goal or ""), row.verdict, row.note)


def _as_json(rows: Sequence[Row]) -> str:
    machine = {"python": platform.python_version(), "platform": platform.platform(), "cpus": os.cpu_count()}
    body = {
        "apiVersion": "bench.gitgpu.dev/v1",
        "kind": "Measurements",
        "machine": machine,
        "rows": [{**row._asdict(), "goal": row.goal and str(row.goal), "verdict": row.verdict} for row in rows],
    }
    return json.dumps(body, indent=2) + "\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
