"""Which findings are reported: selection, and suppression by comment, annotation or configuration."""

from collections.abc import Callable

import pytest

from gitgpu.diagnostic import Diagnostic, ObjectRef, Severity
from gitgpu.load.configuration.content import Allowance
from gitgpu.policy import Policy, annotation_allowances, comment_allowances, entry, settle
from gitgpu.source import Span
from tests.helping.cases import for_each
from tests.helping.work import lines

POOL = ObjectRef("NodePool", "", "t4")


def finding(code: str = "NPL010", line: int = 3, file: str = "a.yaml", thing: ObjectRef = POOL) -> Diagnostic:
    """A finding at a line of a file."""
    return Diagnostic(code, Severity.WARNING, "wrong", "fix it", Span(file, line, 1), "/spec", thing)


def reported(diagnostics: list[Diagnostic], policy: Policy | None = None, text: str = "") -> list[str]:
    """The codes of the reported findings in a file with this text."""
    written = comment_allowances({"a.yaml": text})
    return [diagnostic.code for diagnostic in settle(diagnostics, written, policy or Policy())]


@for_each(
    ("policy", "expected"),
    [
        (Policy(), ["NPL010", "SKU001", "YML001"]),
        (Policy(select=("NPL",)), ["NPL010", "YML001"]),
        (Policy(select=("NPL", "SKU001")), ["NPL010", "SKU001", "YML001"]),
        (Policy(ignore=("S",)), ["NPL010", "YML001"]),
        (Policy(select=("SKU",), ignore=("SKU001",)), ["YML001"]),
        (Policy(ignore=("YML",)), ["NPL010", "SKU001", "YML001"]),
    ],
)
def test_codes_are_selected_by_prefix_and_faults_of_reading_are_always_reported(
    policy: Policy, expected: list[str]
) -> None:
    assert reported([finding("NPL010"), finding("SKU001"), finding("YML001")], policy) == expected


def test_a_comment_applies_to_its_line() -> None:
    text = "a: 1\nb: 2\nc: 3 # gitgpu: ignore[NPL010] the quota is the limit\n"
    assert reported([finding(line=3)], text=text) == []
    assert reported([finding(line=2)], text=text) == ["NPL010", "ALW001"]
    assert reported([finding("NPL011", line=3)], text=text) == ["NPL011", "ALW001"]


def test_a_comment_on_its_own_line_applies_to_the_next_content() -> None:
    text = "a: 1\n# gitgpu: ignore[NPL010, NPL011]: known\n# another\n\nc: 3\n"
    assert reported([finding(line=5), finding("NPL011", line=5)], text=text) == []


@pytest.mark.parametrize("comment", ["# gitgpu: ignore[NPL010]", "# gitgpu: ignore why", "# gitgpu: ignore[] why"])
def test_an_ignore_without_code_or_reason_ignores_nothing(comment: str) -> None:
    assert reported([finding(line=1)], text=f"a: 1 {comment}\n") == ["NPL010", "ALW002"]


def test_an_annotation_applies_to_its_object() -> None:
    place = Span("a.yaml", 4, 5)
    written = [*annotation_allowances("NPL010, NPL011: the quota is the limit; NPL012: test", place, POOL)]
    other = finding(thing=ObjectRef("NodePool", "", "a100"))
    codes = [
        (diagnostic.code, diagnostic.span.line)
        for diagnostic in settle([finding(), finding("NPL011"), other], written, Policy())
    ]
    assert codes == [("NPL010", 3), ("ALW001", 4)]


@for_each(
    ("allowance", "expected"),
    [
        (Allowance("NPL010", "known", Span("c", 1, 1)), []),
        (Allowance("NPL010", "known", Span("c", 1, 1), file="a.*"), []),
        (Allowance("NPL010", "known", Span("c", 1, 1), file="b.*"), ["NPL010", "ALW001"]),
        (Allowance("NPL010", "known", Span("c", 1, 1), object="NodePool/t*"), []),
        (Allowance("NPL010", "known", Span("c", 1, 1), object="NodePool/a*"), ["NPL010", "ALW001"]),
        (Allowance("NPL011", "known", Span("c", 1, 1)), ["NPL010", "ALW001"]),
        (Allowance("NPL010", "known", Span("c", 1, 1), until="2027-06-30"), []),
        (Allowance("NPL010", "known", Span("c", 1, 1), until="2026-06-30"), ["NPL010", "ALW003"]),
    ],
)
def test_an_entry_of_the_configuration(allowance: Allowance, expected: list[str]) -> None:
    policy = Policy(allow=(entry(allowance),), today="2026-11-21")
    assert reported([finding()], policy) == expected


def test_without_a_date_no_allowance_has_ended() -> None:
    ended = Allowance("NPL010", "known", Span("c", 1, 1), until="2020-01-01")
    assert reported([finding()], Policy(allow=(entry(ended),))) == []


def test_an_ignore_of_an_unreported_code_is_not_called_unused() -> None:
    assert reported([], Policy(select=("SKU",)), text="a: 1 # gitgpu: ignore[NPL010] known\n") == []


def test_faults_that_no_rule_found_cannot_be_allowed() -> None:
    assert reported([finding("SHP003", line=1)], text="a: 1 # gitgpu: ignore[SHP003] known\n") == ["SHP003", "ALW001"]


def test_a_hash_inside_a_string_does_not_start_a_comment() -> None:
    text = 'a: "x # gitgpu: ignore[NPL010] no comment"\nb: |\n  # gitgpu: ignore[NPL010] neither\n'
    assert reported([finding(line=1), finding(line=3)], text=text) == ["NPL010", "NPL010"]


def test_an_allowance_of_a_code_that_was_not_checked_is_not_called_unused() -> None:
    text = "a: 1 # gitgpu: ignore[SKU001] known\n"
    assert reported([], Policy(judges=lambda code: code.startswith("NPL")), text) == []
    entries = (entry(Allowance("NPL010", "known", Span("c", 1, 1))),)
    assert reported([], Policy(allow=entries, whole=False)) == []
    assert reported([], Policy(allow=entries)) == ["ALW001"]


def test_many_allowances_take_little_work() -> None:
    """Each finding is checked only against the allowances for its line."""
    text = "".join(f"a{n}: 1 # gitgpu: ignore[NPL010] known\n" for n in range(5000))
    assert reported([finding(line=n + 1) for n in range(5000)], text=text) == []


def _successive(count: int) -> str:
    return "# gitgpu: ignore[NPL010] known\n" * count + "a: 1\n"


def _in_strings(count: int) -> str:
    return "".join(f'a{n}: "# b" # gitgpu: ignore[NPL010] known\n' for n in range(count))


@pytest.mark.parametrize("text", [_successive, _in_strings])
def test_the_work_for_comments_grows_no_faster_than_their_number(text: Callable[[int], str]) -> None:

    def work(count: int) -> int:
        content = {"a.yaml": text(count)}
        assert len(list(comment_allowances(content))) == count
        return lines(lambda: list(comment_allowances(content)))

    assert work(2000) <= 12 * work(200)


def test_successive_comments_all_apply_to_the_next_content() -> None:
    targets = [allowed.target for allowed in comment_allowances({"a.yaml": f"b: 2\n{_successive(3)}"})]
    assert targets == [("a.yaml", 5)] * 3


def heir(code: str) -> str:
    """The current code: NPL010 has replaced NPL001."""
    return "NPL010" if code == "NPL001" else code


def test_an_allowance_of_a_replaced_code_applies_to_its_successor() -> None:
    policy = Policy(current=heir)
    text = "a: 1 # gitgpu: ignore[NPL001] known\n"
    assert reported([finding(line=1)], policy, text) == []
    assert reported([finding(line=2)], policy, text) == ["NPL010", "ALW001"]
    assert reported([finding(line=1)], text=text) == ["NPL010", "ALW001"]
    assert (
        reported([finding()], Policy(allow=(entry(Allowance("NPL001", "known", Span("c", 1, 1))),), current=heir)) == []
    )
    place = Span("a.yaml", 4, 5)
    assert settle([finding()], annotation_allowances("NPL001: known", place, POOL), policy) == []


def test_an_unused_allowance_is_judged_by_the_current_code_and_reported_as_written() -> None:
    text = "a: 1 # gitgpu: ignore[NPL001] known\n"
    written = list(comment_allowances({"a.yaml": text}))
    (fault,) = settle([], written, Policy(judges="NPL010".__eq__, current=heir))
    assert (fault.code, fault.message) == ("ALW001", "there is no NPL001 finding to suppress")
    assert settle([], written, Policy(judges="NPL001".__eq__, current=heir)) == []


@for_each("beginning", ["ALW", "CAT", "CFG", "INP", "INT", "LNK", "OUT", "SHP", "YML"])
def test_unreadable_input_is_reported_whatever_is_selected_ignored_or_allowed(beginning: str) -> None:
    code = f"{beginning}009"
    allowed = entry(Allowance(code, "known", Span("c", 1, 1)))
    policy = Policy(select=("NPL",), ignore=(beginning,), allow=(allowed,), whole=False)
    assert reported([finding(code)], policy) == [code]


@pytest.mark.parametrize("code", ["PAT001", "VAL001", "NPL010"])
def test_findings_of_rules_and_of_patches_can_be_ignored_and_allowed(code: str) -> None:
    assert reported([finding(code)], Policy(ignore=(code,))) == []
    assert reported([finding(code)], Policy(allow=(entry(Allowance(code, "known", Span("c", 1, 1))),))) == []


@for_each(
    ("configuration", "glob", "file", "is_allowed"),
    [
        ("team/gitgpu.yaml", "pools/*.yaml", "team/pools/a.yaml", True),
        ("team/gitgpu.yaml", "pools/*.yaml", "other/pools/a.yaml", False),
        ("team/gitgpu.yaml", "../other/a.yaml", "other/a.yaml", True),
        ("team/gitgpu.yaml", "team/pools/*", "team/pools/a.yaml", True),
        ("gitgpu.yaml", "pools/*.yaml", "pools/a.yaml", True),
        ("gitgpu.yaml", "pools/*.yaml", "team/pools/a.yaml", False),
        ("team/gitgpu.yaml", "..", "", False),  # a finding without a file
    ],
)
def test_the_glob_of_an_entry_is_relative_to_the_configuration_or_as_passed(
    configuration: str, glob: str, file: str, is_allowed: bool
) -> None:
    policy = Policy(allow=(entry(Allowance("NPL010", "known", Span(configuration, 1, 1), file=glob)),), whole=False)
    assert reported([finding(file=file)], policy) == ([] if is_allowed else ["NPL010"])


@pytest.mark.parametrize(
    ("other", "is_judged"),
    [
        (finding("YML001")._replace(severity=Severity.ERROR), False),
        (finding("YML001"), True),
        (finding("SKU001")._replace(severity=Severity.ERROR), True),
    ],
)
def test_an_allowance_is_not_called_unused_where_something_cannot_be_read(other: Diagnostic, is_judged: bool) -> None:
    text = "a: 1 # gitgpu: ignore[NPL010] known\n"
    assert reported([other], text=text) == [other.code, *(["ALW001"] if is_judged else [])]


def test_a_comment_on_the_first_or_the_last_line() -> None:
    comment = "# gitgpu: ignore[NPL010] known\n"
    assert reported([finding(line=2)], text=f"{comment}a: 1\n") == []
    assert reported([finding(line=2)], text=f"a: 1\n{comment}") == []


def test_an_entry_still_applies_on_its_last_day() -> None:
    policy = Policy(allow=(entry(Allowance("NPL010", "known", Span("c", 1, 1), until="2026-11-21")),))
    assert reported([finding()], policy._replace(today="2026-11-21")) == []
    assert reported([finding()], policy._replace(today="2026-11-22")) == ["NPL010", "ALW003"]


FAULTS = {
    "a: 1 # gitgpu: ignore[NPL010]": (
        "an ignore with no reason has no effect",
        "write it as `# gitgpu: ignore[CODE] reason`",
    ),
    "a: 1 # gitgpu: ignore why": (
        "an ignore with no code has no effect",
        "write it as `# gitgpu: ignore[CODE] reason`",
    ),
    "a: 1 # gitgpu: ignore[NPL010 SKU001] : - known -": (
        "there is no NPL010, SKU001 finding to suppress",
        "remove it, because it would hide later findings",
    ),
}


@pytest.mark.parametrize(("text", "expected"), FAULTS.items(), ids=FAULTS)
def test_a_fault_of_a_comment_has_its_place_and_a_remedy(text: str, expected: tuple[str, str]) -> None:
    [fault] = settle([], comment_allowances({"a.yaml": f"b: 2\n{text}\n"}), Policy())
    assert (fault.message, fault.help, fault.span) == (*expected, Span("a.yaml", 2, 6))


def test_the_fault_of_an_entry_that_has_ended_has_its_place_and_a_remedy() -> None:
    ended = entry(Allowance("NPL010", "known", Span("c", 3, 5), until="2026-06-30"))
    [fault] = settle([], (), Policy(allow=(ended,), today="2026-11-21"))
    expected = (
        "the suppression of NPL010 expired on 2026-06-30",
        "fix the finding, or extend the date",
        Span("c", 3, 5),
    )
    assert (fault.message, fault.help, fault.span) == expected


@for_each(
    ("text", "allowed"),
    [
        ("# gitgpu: ignore[NPL010] why", True),
        ("#gitgpu:ignore[NPL010] why", True),
        ("# gitgpu: ignore[ NPL010 ,, SKU001 ] - why", True),
        ("# gitgpu: ignored[NPL010] why", False),
        ("# see gitgpu: ignore[NPL010] why", False),
    ],
)
def test_how_a_comment_may_be_written(text: str, allowed: bool) -> None:
    assert ("NPL010" in reported([finding(line=1)], text=f"a: 1 {text}\n")) is not allowed


def test_the_reason_of_a_comment_does_not_include_the_separator() -> None:
    [allowed] = comment_allowances({"a.yaml": "a: 1  # gitgpu: ignore[NPL010, SKU001]: the quota - for now -\n"})
    assert (allowed.codes, allowed.reason, allowed.place) == (
        ("NPL010", "SKU001"),
        "the quota - for now",
        Span("a.yaml", 1, 7),
    )
    assert (allowed.target, allowed.until, allowed.matches(finding())) == (("a.yaml", 1), "", False)


def test_an_annotation_has_an_allowance_in_each_line_or_part() -> None:
    place = Span("a.yaml", 4, 5)
    listed = [*annotation_allowances("NPL010: the quota: for now\n\n NPL011,NPL012 : test ;; NPL013", place, POOL)]
    assert [(allowed.codes, allowed.reason) for allowed in listed] == [
        (("NPL010",), "the quota: for now"),
        (("NPL011", "NPL012"), "test"),
        (("NPL013",), ""),
    ]
    assert {allowed.target for allowed in listed} == {("a.yaml", POOL)}


@for_each(
    ("thing", "glob", "is_allowed"),
    [
        (ObjectRef("Deployment", "serving", "chat"), "Deployment/serving/chat", True),
        (ObjectRef("Deployment", "serving", "chat"), "Deployment/chat", False),
        (ObjectRef("Deployment", "serving", "chat"), "*/chat", True),
        (ObjectRef("NodePool", "", "t4"), "NodePool/t4", True),
        (ObjectRef("NodePool", "", "t4"), "nodepool/t4", False),
        (ObjectRef("NodePool", "", "t4"), "NodePool//t4", False),
    ],
)
def test_the_glob_of_an_entry_matches_kind_namespace_and_name(thing: ObjectRef, glob: str, is_allowed: bool) -> None:
    allowed = Allowance("NPL010", "known", Span("c", 1, 1), object=glob)
    assert reported([finding(thing=thing)], Policy(allow=(entry(allowed),), whole=False)) == (
        [] if is_allowed else ["NPL010"]
    )


def test_in_a_partial_run_only_entries_of_the_configuration_are_not_judged() -> None:
    unused = Policy(allow=(entry(Allowance("NPL010", "known", Span("c", 1, 1))),))
    text = "a: 1 # gitgpu: ignore[NPL010] known\n"
    assert reported([], unused, text) == ["ALW001", "ALW001"]
    assert [
        fault.span.file for fault in settle([], comment_allowances({"a.yaml": text}), unused._replace(whole=False))
    ] == ["a.yaml"]


def test_an_unused_allowance_is_reported_only_if_its_code_is_selected() -> None:
    text = "a: 1 # gitgpu: ignore[NPL010, SKU001] known\n"
    assert reported([], Policy(select=("NPL",)), text) == ["ALW001"]
    assert reported([], Policy(ignore=("NPL", "SKU")), text) == []
    assert reported([], Policy(select=("NPL",), judges=lambda code: code == "SKU001"), text) == []


def test_a_comment_below_the_last_content_applies_to_its_own_line() -> None:
    [allowed] = comment_allowances({"a.yaml": "a: 1\n\n# gitgpu: ignore[NPL010] known\n\n"})
    assert allowed.target == ("a.yaml", 3)
    [before] = comment_allowances({"a.yaml": "# gitgpu: ignore[NPL010] known\n\n  # more\n\n  a: 1\nb: 2\n"})
    assert before.target == ("a.yaml", 5)
