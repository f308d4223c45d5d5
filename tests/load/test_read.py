"""The disk reader: files are read in the same way everywhere, and unreadable files are faults."""

import codecs
import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from gitgpu.diagnostic import Diagnostic
from gitgpu.load.read import decode, leads_nowhere, read_bytes, read_paths, read_text, relative_to, upwards
from gitgpu.load.text import Text
from gitgpu.load.walk import walk


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(path: str, content: str = "a: 1\n") -> None:
    """Writes a file below the current directory."""
    if not Path(path).parent.exists():
        Path(path).parent.mkdir(parents=True)
    Path(path).write_text(content, "utf-8")


def reported(faults: Sequence[Diagnostic]) -> list[tuple[str, str, int]]:
    """The code, file and line of faults. Asserts that each has a remedy."""
    assert all(fault.message and fault.help for fault in faults)
    return [(fault.code, fault.span.file, fault.span.line) for fault in faults]


def refused(path: str) -> list[tuple[str, str, int]]:
    """The faults of a path that cannot be read."""
    texts, faults = read_paths([path])
    assert texts == []
    return reported(faults)


def test_a_file_is_read_with_a_name_for_people_and_one_for_headers() -> None:
    write("deep/fleet.yaml", "é: 日本\r\n")
    texts, faults = read_paths(["deep/../deep/fleet.yaml"])
    assert texts == [Text("deep/fleet.yaml", "é: 日本\r\n", "fleet.yaml")]
    assert faults == []


@pytest.mark.parametrize(
    ("raw", "content"),
    [(b"", ""), (b"a: 1", "a: 1"), (b"\xef\xbb\xbfa: 1", "a: 1"), ("😀\x1b".encode(), "😀\x1b")],
    ids=["empty", "plain", "byte order mark", "four bytes"],
)
def test_text_is_utf_8(raw: bytes, content: str) -> None:
    assert decode("f", raw) == Text("f", content, "f")


@pytest.mark.parametrize(
    ("raw", "line", "message", "remedy"),
    [
        (b"\xff", 1, "byte 0xff is not UTF-8", "save the file as UTF-8"),
        (b"a: 1\nb: \xe9\nc\xff", 2, "byte 0xe9 is not UTF-8", "save the file as UTF-8"),
        (b"\xff\xfea", 1, "not UTF-16, although it starts with a UTF-16 byte order mark", "save the file as UTF-8"),
        (b"a\n\n\xed\xa0\x80", 3, "byte 0xed is not UTF-8", "save the file as UTF-8"),  # a surrogate
        (b"a\nb\0", 2, "contains a NUL character", "save the file as plain text"),
        (b"\n\xff", 2, "byte 0xff is not UTF-8", "save the file as UTF-8"),
        (b"\n\0", 2, "contains a NUL character", "save the file as plain text"),
    ],
)
def test_other_bytes_are_refused_with_their_line(raw: bytes, line: int, message: str, remedy: str) -> None:
    fault = decode("f", raw)
    assert isinstance(fault, Diagnostic)
    assert reported([fault]) == [("INP002", "f", line)]
    assert (fault.message, fault.help) == (message, remedy)


def test_a_file_that_cannot_be_opened_is_a_fault() -> None:
    assert refused("missing.yaml") == [("INP001", "missing.yaml", 0)]
    assert refused("missing/") == [("INP001", "missing", 0)]
    assert refused("x" * 5000) == [("INP001", "x" * 5000, 0)]
    assert refused("a\0b") == [("INP001", "a\0b", 0)]
    assert refused("") == [("INP001", ".", 0)]
    fault = read_text(".")
    assert isinstance(fault, Diagnostic)
    assert (fault.message, fault.help) == ("cannot be read: Is a directory", "check the path and its permissions")


def test_standard_input_is_not_a_file_of_this_reader() -> None:
    helps = [read_paths([path])[1][0].help for path in ("-", "missing.yaml")]
    assert helps == ["pass a file: only validate, lint and import read `-`", "check the path and its permissions"]


def test_a_broken_link_is_a_fault() -> None:
    Path("file").touch()
    Path("link").symlink_to("file")
    Path("broken").symlink_to("gone")
    Path("loop").symlink_to("loop")
    assert [leads_nowhere(name) for name in ("file", "link", "gone", "broken", "loop")] == [False] * 3 + [True] * 2


def test_a_name_that_is_not_utf_8_is_a_fault() -> None:
    Path(os.fsdecode(b"\xff.yaml")).write_bytes(b"a: 1\n")
    assert refused(os.fsdecode(b"\xff.yaml")) == [("INP001", "\\udcff.yaml", 0)]
    assert refused(".") == [("INP001", "\\udcff.yaml", 0)]
    (fault,) = read_paths(["."])[1]
    assert (fault.message, fault.help) == ("cannot be read: its name is not UTF-8", "rename it")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_read_permission_is_a_fault() -> None:
    write("locked.yaml")
    write("d/inner/a.yaml")
    Path("locked.yaml").chmod(0)
    Path("d/inner").chmod(0)
    assert refused("locked.yaml") == [("INP001", "locked.yaml", 0)]
    assert refused("d") == [("INP001", "d/inner/", 0)]
    Path("d/inner").chmod(0o700)


def test_a_huge_file_is_refused_without_reading_it_all() -> None:
    with open("huge.yaml", "wb") as file:
        file.truncate(100 * 2**20)
    (fault,) = read_paths(["huge.yaml"])[1]
    assert (fault.code, fault.span.line, fault.message) == ("INP003", 0, "larger than 32 MiB")
    assert fault.help == "split it, or pass the right file"


def test_a_file_of_exactly_the_limit_is_read() -> None:
    """With a lower limit, because a file of 32 MiB takes 100 MB to read."""
    write("limit.yaml", "#" * 1000)
    assert isinstance(read_text("limit.yaml", maximum=1000), Text)
    assert isinstance(read_text("limit.yaml", maximum=999), Diagnostic)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no /dev/zero here")
def test_a_device_without_an_end_is_refused() -> None:
    assert refused("/dev/zero") == [("INP003", "/dev/zero", 0)]


def test_directories_are_walked_in_order_of_name() -> None:
    for name in ("d/b.yaml", "d/a/z.yml", "d/a/b/c.json", "d/B.yaml", "d/notes.txt", "d/x.yaml.bak", "d/c.YAML"):
        write(name)
    texts, faults = read_paths(["d"])
    assert faults == []
    assert [text.label for text in texts] == ["B.yaml", "a/b/c.json", "a/z.yml", "b.yaml"]
    assert [text.name for text in texts] == ["d/B.yaml", "d/a/b/c.json", "d/a/z.yml", "d/b.yaml"]


def test_hidden_entries_are_skipped() -> None:
    for name in ("d/.a.yaml", "d/.git/b.yaml", "d/.c/d/e.yaml", "d/f.yaml"):
        write(name)
    assert [text.label for text in read_paths(["d"])[0]] == ["f.yaml"]


def test_links_to_files_are_followed_and_links_to_directories_are_not() -> None:
    write("elsewhere/a.yaml")
    write("d/real.yaml")
    Path(".git").mkdir()  # a link may point anywhere in the work tree
    Path("d/link.yaml").symlink_to("../elsewhere/a.yaml")
    Path("d/folder").symlink_to("../elsewhere")
    Path("d/up").symlink_to("..")
    texts, faults = read_paths(["d"])
    assert [text.label for text in texts] == ["link.yaml", "real.yaml"]
    assert faults == []
    assert [text.label for text in read_paths(["d/folder"])[0]] == ["a.yaml"]  # a named link is followed


def test_broken_links_in_a_directory_are_faults() -> None:
    write("d/a.yaml")
    Path("d/loop.yaml").symlink_to("loop.yaml")
    Path("d/ping.yaml").symlink_to("pong.yaml")
    Path("d/pong.yaml").symlink_to("ping.yaml")
    Path("d/dangling.yaml").symlink_to("nowhere")
    Path("d/round").symlink_to("round")
    texts, faults = read_paths(["d"])
    assert [text.label for text in texts] == ["a.yaml"]
    names = [f"d/{name}.yaml" for name in ("dangling", "loop", "ping", "pong")]
    assert reported(faults) == [("INP001", name, 0) for name in names]
    assert refused("d/round") == [("INP001", "d/round", 0)]


def test_pipes_in_a_directory_are_skipped() -> None:
    write("d/a.yaml")
    os.mkfifo("d/pipe.yaml")
    Path("d/link.yaml").symlink_to("pipe.yaml")
    assert [text.label for text in read_paths(["d"])[0]] == ["a.yaml"]


def test_a_directory_without_documents_is_a_fault() -> None:
    Path("empty").mkdir()
    write("other/readme.txt")
    assert refused("empty") == [("INP004", "empty", 0)]
    assert refused("other") == [("INP004", "other", 0)]
    (fault,) = read_paths(["other"])[1]
    assert (fault.message, fault.help) == ("contains no YAML or JSON file", "pass a file or another directory")


def test_all_paths_are_read_and_all_faults_reported() -> None:
    write("a.yaml")
    write("bad.yaml", "\0")
    Path("none").mkdir()
    texts, faults = read_paths(["nope", "a.yaml", "none", "bad.yaml"])
    assert [text.name for text in texts] == ["a.yaml"]
    assert sorted(reported(faults)) == [("INP001", "nope", 0), ("INP002", "bad.yaml", 1), ("INP004", "none", 0)]


def test_a_file_is_read_once_however_often_it_is_named() -> None:
    write("d/a.yaml")
    assert [text.name for text in read_paths(["d/a.yaml", "d", "./d/../d/a.yaml"])[0]] == ["d/a.yaml"]


def test_labels_do_not_depend_on_the_current_directory(monkeypatch: pytest.MonkeyPatch) -> None:
    write("repo/fleet/a/b.yaml")
    write("repo/one.yaml")

    def labels(*paths: str) -> list[str]:
        return [text.label for text in read_paths(paths)[0]]

    wanted = ["a/b.yaml", "one.yaml"]
    assert labels("repo/fleet", "repo/one.yaml") == wanted
    assert labels(f"{Path.cwd()}/repo/fleet/", f"{Path.cwd()}/repo/one.yaml") == wanted
    monkeypatch.chdir("repo/fleet/a")
    assert labels("..", "../../one.yaml") == wanted


def test_a_very_deep_directory_is_walked() -> None:
    folders = ["d" + "/x" * depth for depth in range(1200)]
    for folder in folders:
        Path(folder).mkdir()
    write(f"{folders[-1]}/a.yaml")
    faults: list[Diagnostic] = []
    files = walk("d", faults)
    Path(folders[-1], "a.yaml").unlink()
    for folder in reversed(folders):  # pytest's own clean-up cannot reach this deep
        Path(folder).rmdir()
    assert files == ["x/" * 1199 + "a.yaml"]
    assert faults == []


def test_the_configuration_is_looked_for_up_to_the_root_of_the_work_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    write("c.yaml")
    Path("repo/.git").mkdir(parents=True)
    Path("repo/a/b").mkdir(parents=True)
    monkeypatch.chdir("repo/a/b")
    assert list(upwards(".", ("c.yaml",), lambda _: True)) == []  # the one above the root is not ours
    write("../../c.yaml")
    assert list(upwards(".", ("c.yaml",), lambda _: True)) == ["../../c.yaml"]
    write("../c.yaml")
    assert list(upwards(".", ("c.yaml",), lambda _: True)) == ["../c.yaml", "../../c.yaml"]
    assert list(upwards("/", ("c.yaml",), lambda _: True)) == []
    assert relative_to("../c.yaml", "fleet") == "../fleet"
    assert relative_to("c.yaml", "/abs/x") == "/abs/x"


def test_a_deleted_directory_has_no_configuration(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("gone").mkdir()
    monkeypatch.chdir("gone")
    Path("../gone").rmdir()
    assert list(upwards(".", ("c.yaml",), lambda _: True)) == []


def test_two_slashes_at_the_start_of_a_path_are_one(tmp_path: Path) -> None:
    write("a/b.yaml")
    for path in (tmp_path, tmp_path / "a" / "b.yaml"):
        texts, faults = read_paths([f"/{path}"])
        assert [text.name for text in texts] == [str(tmp_path / "a" / "b.yaml")]
        assert faults == []


@pytest.mark.parametrize(("most", "expected"), [(2, b"ab"), (3, b"abc"), (9, b"abc")])
def test_the_beginning_of_a_file(most: int, expected: bytes) -> None:
    write("abc", "abc")
    assert read_bytes("abc", most) == expected
    assert read_bytes("abc") == b"abc"


def test_the_beginning_of_a_file_without_a_size() -> None:
    write("empty", "")
    assert read_bytes("empty") == b""
    assert read_bytes("missing") == b""
    reader, writer = os.pipe()
    os.write(writer, b"abc")
    assert read_bytes(f"/dev/fd/{reader}", 2) == b"ab"
    os.close(reader)
    os.close(writer)


@pytest.mark.parametrize("mark", [codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE])
def test_utf_16_with_a_byte_order_mark_is_read(mark: bytes) -> None:
    order = "utf-16-le" if mark == codecs.BOM_UTF16_LE else "utf-16-be"
    assert decode("f", mark + "a: \u00e9\n".encode(order)) == Text("f", "a: \u00e9\n", "f")
