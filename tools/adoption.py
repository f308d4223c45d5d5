"""How many GPU pools `import` adopts: `python -m tools.adoption PATH...` counts them, and prints why others are not.

A PATH is a directory or file as `gitgpu import` reads it, a clone without a work tree (`<owner>+<name>/repo`), or a
directory of such. Of Markdown, the YAML blocks with pools are read. Each group of pools that belong together is
imported alone, so that one example says nothing about another. Exit status 1: fewer than 95% are adopted.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from gitgpu.adopt.adoption import Fate
from gitgpu.adopt.clusters import ClusterOptions
from gitgpu.cli.import_.inventory import read_clusters
from gitgpu.model.catalog import catalog
from gitgpu.model.names.kinds import MANAGED_CLUSTERS_AGENT_POOL, NODE_POOL
from gitgpu.runs.import_ import import_fleet

LEAST = 0.95
_POOLS = (NODE_POOL.kind, MANAGED_CLUSTERS_AGENT_POOL.kind)
_WANTED = re.compile(r"karpenter\.azure\.com|ManagedClustersAgentPool|agentPoolProfiles")
_GPU = re.compile(r"gpu|nvidia|Standard_N|'N'", re.IGNORECASE)
_BLOCK = re.compile(r"^( *)(?:```|~~~) *ya?ml[^\n]*\n(.*?)^ *(?:```|~~~) *$", re.MULTILINE | re.DOTALL)
_HEREDOC = re.compile(r"<<-? *['\"]?(EOF|END)['\"]?[^\n]*\n(.*?)^\s*\1\s*$", re.MULTILINE | re.DOTALL)
_OPTIONS = ClusterOptions("example", "swedencentral", "1.34", "https://github.com/example/fleet")


class Count(NamedTuple):
    """What an import made of the GPU pools of a source: how many it adopted, and the reason for each other one.

    `wrong` are pools that the API server rejects or that never create a node: they run nowhere.
    """

    adopted: int = 0
    refused: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()


def count(path: Path) -> Count:
    """The pools in a directory or file."""
    read = read_clusters([str(path)], _OPTIONS, (), catalog(()))
    if not any(cluster.objects for cluster in read.inventory.clusters):
        return Count()
    made = import_fleet(read.inventory, _OPTIONS, (), "fleet")
    lost: dict[Fate, list[str]] = {Fate.INEXPRESSIBLE: [], Fate.WRONG: []}
    for outcome in made.adopted.outcomes:
        body = outcome.observed.body
        if outcome.fate in lost and not outcome.pointer and body.get("kind") in _POOLS and _GPU.search(str(body)):
            lost[outcome.fate].append(f"{outcome.observed.name}: {outcome.reason}")
    refused = [f"{each.change.name}: {each.reason}" for each in made.verdicts if not each.keeps_nodes]
    refused += lost[Fate.INEXPRESSIBLE]
    return Count(sum(each.keeps_nodes for each in made.verdicts), tuple(refused), tuple(lost[Fate.WRONG]))


def sources(path: Path, folder: Path) -> Iterator[tuple[str, Path]]:
    """Each group of pools below a path, with its name. What has to be written out first goes to `folder`."""
    if (path / "HEAD").is_file():
        yield from _of_clone(path, folder)
    elif path.is_dir() and (repositories := sorted(path.glob("*+*/repo"))):
        for repository in repositories:
            yield from _of_clone(repository, folder)
    else:
        yield path.name, path


def _of_clone(repository: Path, folder: Path) -> Iterator[tuple[str, Path]]:
    """Each file with pools in a clone without a work tree, on its own."""
    listed = _git(
        repository, "grep", "--name-only", "-I", "-E", _WANTED.pattern, "HEAD", "--", "*.yaml", "*.yml", "*.md"
    )
    for line in listed.splitlines():
        name = line.removeprefix("HEAD:")
        text = _git(repository, "show", f"HEAD:{name}")
        title = f"{repository.parent.name.replace('+', '/')}/{name}"
        for number, block in enumerate(_blocks(text) if name.endswith(".md") else [text]):
            if _WANTED.search(block):
                file = folder / f"{len(list(folder.iterdir()))}.yaml"
                file.write_text(block, encoding="utf-8")
                yield f"{title}#{number}", file


def _blocks(text: str) -> Iterator[str]:
    """The YAML in a page: its blocks, and what its commands pass on standard input."""
    for indent, block in _BLOCK.findall(text):
        yield re.sub(f"^{indent}", "", block, flags=re.MULTILINE)
    for _, block in _HEREDOC.findall(text):
        yield block


def _git(repository: Path, *words: str) -> str:
    done = subprocess.run(["git", "-C", str(repository), *words], capture_output=True, text=True, check=False)
    return done.stdout


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the share of adopted pools, and the reasons of the others. Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH")
    paths = parser.parse_args(arguments).paths
    adopted, refused, wrong = 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for path in paths:
            for title, source in sources(path, Path(folder)):
                found = count(source)
                adopted, refused, wrong = (
                    adopted + found.adopted,
                    refused + len(found.refused),
                    wrong + len(found.wrong),
                )
                if found != Count():
                    print(f"{title}: {found.adopted} adopted, {len(found.refused)} not, {len(found.wrong)} wrong")
                for reason in (*found.refused, *found.wrong):
                    print(f"  {reason}")
    total = adopted + refused
    share = adopted / total if total else 0.0
    print(f"{adopted} of {total} GPU pools are adopted: {share:.1%}; {wrong} more are wrong, and create no nodes")
    return int(share < LEAST)


if __name__ == "__main__":
    sys.exit(main())
