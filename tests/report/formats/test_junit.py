"""The JUnit report for test dashboards."""

from xml.etree import ElementTree as ET

from gitgpu.diagnostic import Severity
from gitgpu.report import render
from gitgpu.report.findings import Findings, Style
from gitgpu.report.terminal import fold


def cases(findings: Findings) -> dict[str, ET.Element]:
    """The test cases by name. Asserts that the totals are right."""
    root = ET.fromstring(render(findings, "junit", Style()))
    [suite] = root
    by_name = {case.attrib["name"]: case for case in suite}
    for element in (root, suite):
        assert int(element.attrib["tests"]) == len(by_name)
        assert int(element.attrib["failures"]) == sum(
            1 for case in by_name.values() if case.find("failure") is not None
        )
    return by_name


def test_a_file_fails_when_it_has_an_error(tricky: Findings) -> None:
    """Warnings are reported, but do not fail a test case. A file without a fault passes."""
    by_name = cases(tricky)
    failed = {name for name, case in by_name.items() if case.find("failure") is not None}
    assert failed == {"fleet.yaml", "(no file)"}
    assert list(by_name["good.yaml"]) == []
    assert by_name["dir with space/ü,a:b;c]#%.yaml"].findtext("system-out", "").endswith("the file is empty")


def test_one_failure_holds_every_error(tricky: Findings) -> None:
    """So that readers which stop at the first failure show every error."""
    [failure] = cases(tricky)["fleet.yaml"].findall("failure")
    errors = [each for each in tricky.diagnostics if each.severity is Severity.ERROR and each.span.file]
    assert failure.attrib["type"] == errors[0].code
    assert failure.attrib["message"].startswith("größe-日本 is not a size\nthat Azure offers (and ")
    assert all(fold(each.message) in (failure.text or "") for each in errors)


def test_what_xml_refuses_is_spelt_out(tricky: Findings) -> None:
    """A control character does not make the report invalid. Everything else is kept."""
    text = cases(tricky)["fleet.yaml"].findtext("system-out", "")
    assert "\"a|b\" 'c' `d` [e](f) 50%; ] <g> & *h*" in text
    assert r"\x1b[31m\x07" in text


def test_a_clean_run_passes(empty: Findings) -> None:
    """A file without a fault is a passed test."""
    assert [list(case) for case in cases(empty).values()] == [[]]
