"""After any merge of two branches, a build corrects the output if the spec is resolved."""

import os
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.journeys.fleet_edits import BASE, Fleet, branch, edited, merged, write_spec
from tests.journeys.repository import Repository, repository

EXAMPLES = int(os.environ.get("GITGPU_MERGES", "2"))  # `GITGPU_MERGES=500` looks for longer
LEFT = ("as it is", "ours", "theirs", "deleted", "some deleted")
REMOVING = ("build", "--allow-removal", "*")
slowly = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def proposed(here: Repository, fleet: Fleet) -> None:
    """A commit of a spec and of its output."""
    write_spec(here.root, fleet)
    assert here.gitgpu(*REMOVING) == 0
    here.commit()


def begun(root: Path, fleet: Fleet) -> Repository:
    """A repository whose branch main has this fleet."""
    here = repository(root / "here")
    proposed(here, fleet)
    return here


def fresh(root: Path, fleet: Fleet) -> dict[str, bytes]:
    """The output of a fleet, built where there is none."""
    there = Repository(root / "there")
    shutil.rmtree(there.root, ignore_errors=True)
    there.root.mkdir()
    write_spec(there.root, fleet)
    assert there.gitgpu("build") == 0
    return there.files()


def leave(here: Repository, how: str, numbers: list[int]) -> None:
    """The generated files after a merge, as someone might leave them."""
    if how in ("ours", "theirs"):
        side = "HEAD" if how == "ours" else "MERGE_HEAD"
        here.git("checkout", "--force", side, "--", "overlays", fails=True)
    if how == "deleted":
        shutil.rmtree(here.root / "overlays", ignore_errors=True)
    if how == "some deleted":
        paths = sorted(here.files())
        for number in numbers if paths else ():
            (here.root / "overlays" / paths[number % len(paths)]).unlink(missing_ok=True)


@slowly
@given(data=st.data())
def test_after_a_merge_a_build_gives_the_right_output(data: Any) -> None:
    base = data.draw(edited(BASE))
    ours, theirs = data.draw(branch(base, commits=2)), data.draw(branch(base, commits=2))
    resolved = data.draw(st.sampled_from((merged(base, ours[-1], theirs[-1]), ours[-1], theirs[-1])))
    with TemporaryDirectory() as folder:
        here = begun(Path(folder), base)
        for name, fleets in (("theirs", theirs), ("ours", ours)):
            here.git("checkout", "--quiet", "-b", name, "main")
            for fleet in fleets:
                proposed(here, fleet)
        here.git("merge", "--no-ff", "--no-commit", "theirs", fails=True)
        leave(here, data.draw(st.sampled_from(LEFT)), data.draw(st.lists(st.integers(0, 99), max_size=9)))
        write_spec(here.root, resolved)
        if data.draw(st.booleans()):
            here.commit()  # the merge, with whatever is in the generated files
        if data.draw(st.booleans()):
            shutil.rmtree(here.root / ".gitgpu_cache")
        assert here.gitgpu("build") == 0
        assert here.files() == fresh(Path(folder), resolved)
        assert here.gitgpu("build", "--check") == 0


@slowly
@given(data=st.data())
def test_after_a_rebase_a_build_gives_the_right_output(data: Any) -> None:
    base = data.draw(edited(BASE))
    upstream, topic = data.draw(branch(base, commits=2)), data.draw(branch(base, commits=10))
    with TemporaryDirectory() as folder:
        here = begun(Path(folder), base)
        here.git("checkout", "--quiet", "-b", "topic")
        for fleet in topic:
            proposed(here, fleet)
        here.git("checkout", "--quiet", "main")
        for fleet in upstream:
            proposed(here, fleet)
        here.git("checkout", "--quiet", "topic")
        here.git("rebase", "main", fails=True)
        for _ in range(11):
            if (here.root / ".git/rebase-merge").exists():
                here.git("add", "--all")  # generated files with the markers of conflicts
                here.git("rebase", "--continue", fails=True)
        assert not (here.root / ".git/rebase-merge").exists()
        resolved: Fleet = upstream[-1]
        for before, after in zip((base, *topic), topic, strict=False):
            resolved = merged(before, resolved, after)
        write_spec(here.root, resolved)
        assert here.gitgpu("build") == 0
        assert here.files() == fresh(Path(folder), resolved)
