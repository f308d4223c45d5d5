"""Findings as workflow commands of GitHub Actions."""

import re

from gitgpu.report import render
from gitgpu.report.findings import Findings, Style
from gitgpu.report.terminal import safe

COMMAND = re.compile("::(error|warning|notice) (.*?)::(.*)")


def unescaped(text: str) -> str:
    """Reverses the escaping as in the runner; the percent sign comes last."""
    for code, sign in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(code, sign)
    return text


def commands(findings: Findings) -> list[tuple[str, dict[str, str], str]]:
    """Each line as the runner understands it."""
    read = []
    for line in render(findings, "github", Style()).split("\n")[:-1]:
        match = COMMAND.fullmatch(line)
        assert match, line
        properties = dict(pair.split("=", 1) for pair in match[2].split(","))
        read.append((match[1], {key: unescaped(value) for key, value in properties.items()}, unescaped(match[3])))
    return read


def test_every_fault_is_one_command(tricky: Findings) -> None:
    """The runner reads any name or message unchanged."""
    words = {"error": "error", "warning": "warning", "info": "notice"}
    for (command, properties, message), fault in zip(commands(tricky), tricky.diagnostics, strict=True):
        assert command == words[fault.severity.value]
        assert properties.get("file", "") == fault.span.file
        assert message == safe(f"{fault.message}\n{fault.help}".rstrip())


def test_a_place_that_is_not_known_is_left_out(tricky: Findings) -> None:
    """Line 0 would be rejected; without a line, the annotation is on the file."""
    reported = [properties for _, properties, _ in commands(tricky)]
    assert set(reported[0]) == {"title"}
    assert set(reported[1]) == {"title", "file"}
    assert (reported[2]["line"], reported[2]["col"]) == ("3", "27")


def test_the_title_names_code_and_rule(tricky: Findings) -> None:
    """Even if the name has a colon or a comma, which separate properties."""
    assert commands(tricky)[2][1]["title"] == "SKU004: a size, that: Azure does not have"
    assert commands(tricky)[3][1]["title"] == "YAM002"
