"""Builds the site: `python -m tools.site [--ref v0.1.0]` writes build/site/html.

The sources are written to build/site/source, then Sphinx runs with warnings as errors. `--ref` is what links to files
of the repository name. `--sources` stops before Sphinx.
"""

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from gitgpu import __version__
from tools.owner import owner
from tools.site.contents import contents, llms, releases
from tools.site.pages import Page, Site, read
from tools.site.rules import Group, groups, with_group
from tools.site.search import entries
from tools.site.sizes import facts

ROOT = Path(__file__).parents[2]
SITE = ROOT / "site"
BUILD = ROOT / "build" / "site"
EXPLORED = ("how-to/choose-a-size.md", "reference/sizes.md")  # pages that the size explorer is an addition to
EXPLORER = "\nThe [size explorer](../size-explorer.md) filters and compares sizes.\n"


def sources(site: Site, about: Mapping[str, str]) -> dict[str, str]:
    """The text of each file that Sphinx reads, by its path."""
    by_code = {code: group for group in groups(site.by_path) for code in group.rules}
    explorer = (SITE / "size-explorer.md").read_text(encoding="utf-8")
    made = {"size-explorer.md": explorer, "releases.md": releases(site, about["address"], about["version"])}
    return made | {page.name: _source(page, site, by_code) for page in site.pages}


def data(site: Site) -> dict[str, str]:
    """What the scripts of the site read, by its path in _static. Scripts too: a file cannot load JSON."""
    return {
        "search-data.js": f"window.GITGPU_SEARCH = {_json(entries(site))};\n",
        "sizes-data.js": f"window.GITGPU_SIZES = {_json(facts())};\n",
    }


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _source(page: Page, site: Site, by_code: Mapping[str, Group]) -> str:
    text = site.text(page)
    if page.is_rule:
        code = Path(page.name).stem
        return with_group(text, code, by_code[code])
    if page.name in EXPLORED:
        return re.sub(r"^(# .+\n)", rf"\1{EXPLORER}", text, count=1, flags=re.MULTILINE)
    return f"{text}\n{contents(site)}" if page.name == "index.md" else text


def write(files: Mapping[str, str], folder: Path) -> None:
    """Writes what has changed, and removes what is not in it: Sphinx reads only changed pages again."""
    for path in [path for path in folder.rglob("*") if path.is_file()]:
        if path.relative_to(folder).as_posix() not in files:
            path.unlink()
    for name, text in files.items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")


def main(arguments: Sequence[str]) -> int:
    """Runs the command. Returns the exit status of Sphinx: 1 for a warning."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--ref", default="main", help="the tag or branch that links to files name")
    parser.add_argument("--sources", action="store_true", help="only write the sources")
    options = parser.parse_args(arguments)
    name = owner(ROOT)
    repository = f"https://github.com/{name}/gitgpu"
    version = __version__ if options.ref == f"v{__version__}" else f"{__version__} ({options.ref})"
    about = {"version": version, "repository": repository, "address": f"https://{name}.github.io/gitgpu/"}
    site = Site(ROOT, read(ROOT), f"{repository}/blob/{options.ref}")
    write(sources(site, about), BUILD / "source")
    write(data(site), BUILD / "static")
    write({"llms.txt": llms(site, about["address"])}, BUILD / "extra")
    (BUILD / "facts.json").write_text(json.dumps(about), encoding="utf-8")
    if options.sources:
        return 0
    strict = ("--fail-on-warning", "--keep-going", "--jobs", "auto", "--quiet")
    folders = ("-c", SITE, "-d", BUILD / "doctrees", BUILD / "source", BUILD / "html")
    return subprocess.run([sys.executable, "-m", "sphinx", *strict, *folders], cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
