"""Sets who owns this repository, in every page and workflow: `python -m tools.owner NAME`.

The setting is `project.urls.Source` of pyproject.toml. A copy starts with `OWNER`, which no release may have
(tools/release.py), and its pages say to replace that; once there is an owner, they no longer do. Exit status: 2 for a
name that GitHub does not allow.
"""

import argparse
import re
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,37}[A-Za-z0-9])?")  # what GitHub allows
PLACEHOLDER = re.compile(r"`OWNER`\s+with\s+the\s+owner\s+of\s+your\s+copy(?:\s+of\s+gitgpu)?,\s+and\s+(?=`COMMIT`)")
SOURCE = re.compile(r"https://github\.com/([^/]+)/gitgpu")


def owner(root: Path) -> str:
    """The owner in pyproject.toml."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found = SOURCE.fullmatch(project["urls"]["Source"])
    if found is None:
        raise ValueError(
            "project.urls.Source of pyproject.toml is not the address of a repository named gitgpu on GitHub"
        )
    return found[1]


def files(root: Path) -> list[Path]:
    """The tracked files that name the repository."""
    name = f"{owner(root)}/gitgpu"
    command = ["git", "-C", str(root), "grep", "--name-only", "--fixed-strings", "-I", "-e", name]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return [root / line for line in done.stdout.splitlines()]


def renamed(text: str, old: str, new: str) -> str:
    """The text with the new owner of the repository, and without what says to replace it; other names stay."""
    named = re.sub(rf"(?<![\w-]){re.escape(old)}/gitgpu(?![\w-])", f"{new}/gitgpu", text)
    return named if named == text else PLACEHOLDER.sub("", named)


def main(arguments: Sequence[str]) -> int:
    """Runs the command. Returns its exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("name", help="the user or organization on GitHub")
    name = parser.parse_args(arguments).name
    if NAME.fullmatch(name) is None:
        print(f"{name!r} is not a name of a user or an organization on GitHub", file=sys.stderr)
        return 2
    old = owner(ROOT)
    for path in files(ROOT):
        text = path.read_text(encoding="utf-8")
        if (new := renamed(text, old, name)) != text:
            path.write_text(new, encoding="utf-8")
            print(path.relative_to(ROOT).as_posix())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
