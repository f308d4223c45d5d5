"""A repository with a fleet, and the two programs that people run in it."""

import os
import subprocess
from pathlib import Path
from typing import NamedTuple

from gitgpu.cli.main import main

IDENTITY = {
    f"GIT_{who}_{what}": value
    for who in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "n"), ("EMAIL", "e@example.com"))
}
ALONE = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, "GIT_EDITOR": "true"}


class Repository(NamedTuple):
    """A work tree. Commands run in it, regardless of the directory of the test."""

    root: Path

    def git(self, *words: str, fails: bool = False) -> str:
        """The output of a Git command. With `fails`, it may fail, such as a merge with conflicts."""
        outside = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
        environment = {**outside, **IDENTITY, **ALONE}
        done = subprocess.run(
            ["git", "-c", "commit.gpgsign=false", "-c", "init.defaultBranch=main", *words],
            cwd=self.root, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert fails or done.returncode == 0, (words, done.stdout, done.stderr)
        return done.stdout

    def gitgpu(self, *words: str) -> int:
        """The exit status of gitgpu, in process."""
        before = os.getcwd()
        os.chdir(self.root)
        try:
            return main(words)
        finally:
            os.chdir(before)

    def commit(self, message: str = "x") -> None:
        """Commits everything in the work tree."""
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", message)

    def files(self, folder: str = "overlays") -> dict[str, bytes]:
        """Every file below a folder, with its bytes."""
        paths = (path for path in (self.root / folder).rglob("*") if path.is_file())
        return {path.relative_to(self.root / folder).as_posix(): path.read_bytes() for path in paths}


def repository(root: Path) -> Repository:
    """A new repository without commits."""
    root.mkdir(parents=True, exist_ok=True)
    made = Repository(root)
    made.git("init", "--quiet")
    return made
