"""File ownership without a cache: after a clone, a merge or a rename, in real repositories."""

import shutil
from pathlib import Path

import pytest

from tests.cli.fleets import CLUSTER, FLEET, POOL, SOUND, WARNED, many
from tests.journeys.repository import Repository, repository

NODES = "overlays/c1/nodes/nodepool-t4.yaml"
OTHER = POOL.replace("name: t4}", "name: t4-new}")


def spec(here: Repository, text: str) -> None:
    """Writes the spec."""
    (here.root / "fleet.yaml").write_text(text)


@pytest.fixture
def here(tmp_path: Path) -> Repository:
    """A repository with a fleet and its output, committed."""
    made = repository(tmp_path / "here")
    spec(made, SOUND)
    assert made.gitgpu("build") == 0
    made.commit()
    return made


def built(here: Repository, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The output of a successful build."""
    capsys.readouterr()
    assert here.gitgpu("build", *words) == 0
    out, err = capsys.readouterr()
    return f"{out}{err}"


def edit(here: Repository, text: str = "# mine\n", path: str = NODES) -> None:
    """Edits a file by hand."""
    (here.root / path).write_text((here.root / path).read_text() + text)


@pytest.mark.parametrize("clone", [False, True])
@pytest.mark.parametrize("change", [False, True])
def test_a_hand_edit_is_reported_with_and_without_a_cache(
    here: Repository, capsys: pytest.CaptureFixture[str], *, clone: bool, change: bool
) -> None:
    if clone:
        shutil.rmtree(here.root / ".gitgpu_cache")
    edit(here)
    spec(here, SOUND.replace("gpus: 2", "gpus: 3") if change else SOUND)
    output = built(here, capsys)
    assert output.count("edited manually") == 1
    assert f"{NODES} was edited manually" in output
    assert "mine" not in (here.root / NODES).read_text()


def test_a_committed_hand_edit_is_reported_in_the_clone_of_the_last_build(
    here: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    edit(here)
    here.commit()
    assert "edited manually" in built(here, capsys)


def test_an_edit_of_the_header_is_a_hand_edit(here: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.rmtree(here.root / ".gitgpu_cache")
    (here.root / NODES).write_text("kind: NodePool\n")
    assert "edited manually" in built(here, capsys)


@pytest.mark.parametrize("how", ["checkout", "merge", "pull with a different spec"])
def test_what_git_brings_is_not_a_hand_edit(here: Repository, capsys: pytest.CaptureFixture[str], how: str) -> None:
    here.git("checkout", "--quiet", "-b", "other")
    spec(here, SOUND.replace("gpus: 2", "gpus: 5"))
    built(here, capsys)
    here.commit()
    here.git("checkout", "--quiet", "main")
    if how == "checkout":
        here.git("checkout", "--quiet", "other")
        spec(here, SOUND)
    elif how == "merge":
        spec(here, f"{SOUND}---\n{OTHER}")
        built(here, capsys)
        here.commit()
        here.git("merge", "--quiet", "--no-edit", "other", "-X", "ours", fails=True)
        spec(here, SOUND.replace("gpus: 2", "gpus: 7") + f"---\n{OTHER}")
    else:
        here.git("merge", "--quiet", "--ff-only", "other")
        spec(here, SOUND.replace("gpus: 2", "gpus: 7"))
    assert "edited manually" not in built(here, capsys)


def test_what_git_brings_is_not_a_hand_edit_of_a_fleet_with_findings(
    here: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    """Their builds record no inputs, so two of them can have different ones."""
    spec(here, WARNED)
    built(here, capsys)
    here.commit()
    here.git("checkout", "--quiet", "-b", "other")
    spec(here, WARNED.replace("cpu: 64", "cpu: 80"))
    built(here, capsys)
    here.commit()
    here.git("checkout", "--quiet", "main")
    spec(here, WARNED)
    built(here, capsys)
    here.git("merge", "--quiet", "--ff-only", "other")
    spec(here, WARNED.replace("cpu: 64", "cpu: 96"))
    assert "edited manually" not in built(here, capsys)


def test_files_that_git_moved_with_a_renamed_cluster_are_ours(
    here: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    (here.root / "overlays/c2/nodes").mkdir(parents=True)
    moved = "overlays/c2/nodes/nodepool-old.yaml"
    (here.root / moved).write_text((here.root / NODES).read_text().replace("nodepool-t4", "nodepool-old"))
    assert here.gitgpu("build") == 1, "it is not in Git, and its header names another folder"
    here.git("add", "--all")
    assert "1 removed" in built(here, capsys)
    assert not (here.root / moved).exists()


def test_a_pool_that_one_branch_removed_leaves_with_a_warning(
    here: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    spec(here, f"{SOUND}---\n{OTHER}")
    built(here, capsys)
    here.commit()
    here.git("checkout", "--quiet", "-b", "other")
    spec(here, f"{FLEET}---\n{CLUSTER}---\n{OTHER}")
    built(here, capsys, "--allow-removal", "t4")
    here.commit()
    here.git("checkout", "--quiet", "main")
    spec(here, f"{SOUND}---\n{OTHER}".replace("gpus: 2", "gpus: 3"))
    built(here, capsys)
    here.commit()
    here.git("merge", "--quiet", "other", fails=True)
    here.git("checkout", "--quiet", "--force", "HEAD", "--", "overlays")
    spec(here, f"{FLEET}---\n{CLUSTER}---\n{OTHER}")
    assert "warning[OUT007] pool t4" in built(here, capsys)
    assert not (here.root / NODES).exists()


def test_a_pool_that_both_branches_have_does_not_leave_with_a_merge(here: Repository) -> None:
    here.git("checkout", "--quiet", "-b", "other")
    here.commit()
    here.git("checkout", "--quiet", "main")
    here.git("merge", "--quiet", "--no-ff", "--no-commit", "other")
    spec(here, f"{FLEET}---\n{CLUSTER}---\n{OTHER}")
    assert here.gitgpu("build") == 1
    assert (here.root / NODES).exists()


def test_a_pool_whose_cluster_only_one_branch_has_leaves_with_a_warning(
    here: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    clusters = f"{SOUND}---\n{CLUSTER.replace('c1', 'c2')}"
    here.git("checkout", "--quiet", "-b", "other")
    spec(here, f"{clusters}---\n{OTHER.replace('[c1]', '[c2]')}")
    built(here, capsys)
    here.commit()
    here.git("checkout", "--quiet", "main")
    here.git("merge", "--quiet", "--no-ff", "--no-edit", "other")
    spec(here, clusters)
    output = built(here, capsys)
    assert (
        "warning[OUT007] pool t4-new, which exists in only one of the merged branches, is removed from c2: nodes with "
        "karpenter.sh/nodepool=t4-new that still run lose their device plugin, driver and metrics"
    ) in output
    assert (
        "if the pool has nodes, add it back to the spec with retire: true, and remove it when its nodes are gone; or "
        "build with --allow-removal 'c2/t4-new'"
    ) in output


def test_a_merged_branch_without_overlays_says_nothing_about_pools(tmp_path: Path) -> None:
    here = repository(tmp_path / "here")
    here.commit()
    here.git("checkout", "--quiet", "-b", "other")
    here.commit()
    here.git("checkout", "--quiet", "main")
    spec(here, f"{SOUND}---\n{OTHER}")
    assert here.gitgpu("build") == 0
    here.commit()
    here.git("merge", "--quiet", "--no-ff", "--no-edit", "other")
    spec(here, SOUND)
    assert here.gitgpu("build") == 1


def test_parts_of_a_fleet_that_are_built_on_branches_merge_without_help(tmp_path: Path) -> None:
    here = repository(tmp_path / "here")
    fleet = many("a", "b", "c", "d")
    spec(here, fleet)
    assert here.gitgpu("build") == 0
    here.commit()
    spec(here, fleet.replace("gpus: 2", "gpus: 3"))
    here.commit()
    for part in ("1", "2", "3"):
        here.git("checkout", "--quiet", "-b", f"part{part}", "main")
        assert here.gitgpu("build", "--shard", f"{part}/3") == 0
        here.commit()
    here.git("checkout", "--quiet", "main")
    here.git("merge", "--quiet", "--no-edit", "part1", "part2", "part3")
    assert here.gitgpu("build", "--check") == 0
