"""Files of a repository that cannot be read: what is skipped, and the exit status."""

from pathlib import Path

from tests.cli.conftest import Run

NAMESPACE = "apiVersion: v1\nkind: Namespace\nmetadata: {name: gpu}\n"


def test_a_file_that_is_no_manifest_is_skipped_whatever_its_bytes(run: Run) -> None:
    Path("d").mkdir()
    Path("d/a.yaml").write_text(NAMESPACE, encoding="utf-8")
    Path("d/data.json").write_bytes(b"\xff\x00\x01")
    assert run("lint", "d") == (0, "", "Summary: 1 object in 1 file - 0 errors, 0 warnings\n")
    assert run("lint", "d/data.json").code == 2
    assert "INP002" in run("lint", "d", "d/data.json").out


def test_a_manifest_of_other_bytes_is_an_error_and_the_rest_is_checked(run: Run) -> None:
    Path("d").mkdir()
    Path("d/broken.yaml").write_bytes(NAMESPACE.encode() + b"# \xff\n")
    assert run("lint", "d").code == 2  # nothing could be checked
    Path("d/a.yaml").write_text(NAMESPACE, encoding="utf-8")
    ran = run("lint", "d")
    assert ran.code == 1
    assert "d/broken.yaml:4:1: error[INP002] byte 0xff is not UTF-8" in ran.out


def test_utf_16_is_checked(run: Run) -> None:
    Path("a.yaml").write_bytes(NAMESPACE.replace("gpu", "GPU").encode("utf-16"))
    assert "a.yaml:3:18: error[CNF003] 'GPU' is not a valid name for a Namespace" in run("lint", "a.yaml").out


def test_a_directory_without_yaml_beside_another_one_is_a_note(run: Run) -> None:
    for folder in ("empty", "d"):
        Path(folder).mkdir()
    assert run("lint", "empty").code == 2
    Path("d/a.yaml").write_text(NAMESPACE, encoding="utf-8")
    ran = run("lint", "empty", "d")
    assert ran.code == 0
    assert "empty: info[LNT003] contains no YAML or JSON file" in ran.out
