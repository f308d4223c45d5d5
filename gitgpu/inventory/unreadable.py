"""Human-readable texts, not data: tables, HCL, Bicep. Each has the command that prints data instead."""

import re
from collections.abc import Callable
from typing import NamedTuple

from gitgpu.diagnostic import Diagnostic, fault
from gitgpu.load.text import Text
from gitgpu.source import Span

_BEGINNING = 20_000  # characters of a text that are searched

COMMENTS, WITHOUT_COMMENTS = "JSON with comments", "remove the comments, or run the command again"
_AZ_TABLE = re.compile(r"\A\s*\S.*\n-(?:-{3,}|--(?: +-{3,})+)(?: +-{3,})* *\r?$", re.MULTILINE)  # `---` is YAML
# `kubectl get` without -o: a line of headings in capitals, with two or more blanks between them.
_KUBECTL_TABLE = re.compile(r"\A\s*[A-Z][A-Z0-9()/-]*(?: [A-Z]+)?(?: {2,}[A-Z][A-Z0-9 ()/-]*)+\r?$", re.MULTILINE)
# The beginning of what `kubectl describe` prints.
_DESCRIBED = re.compile(r"\A\s*Name: {2,}\S.*\n(?:Labels|Namespace|Priority|Roles): {2,}")
# The output of `kubectl get -o name`.
_NAMES = re.compile(r"\A[a-z][a-z0-9.-]*/[a-z0-9][a-z0-9.:-]*\r?$", re.MULTILINE)
# What kubectl prints instead of objects.
_KUBECTL_MESSAGE = re.compile(
    r"\A(?:error: |Error from server|E\d{4} |No resources found|The connection to the server|Unable to connect to)"
)
# The output of `az ... -o tsv`. With a colon before the first tab, it may be YAML.
_TABS = re.compile(r"\A[^\t\n:]+(?:\t[^\t\n]*){2,}\r?$", re.MULTILINE)
# The first line of a block of a Terraform file.
_HCL = re.compile(
    r'^\s*(?:resource|data|module|provider|variable|output|terraform|locals|moved|import)(?:\s+"[^"]+"){0,2}\s*\{\s*(?:#.*)?$',
    re.MULTILINE,
)
# A declaration of a Bicep file.
_BICEP = re.compile(
    r"^(?:targetScope\s*=|param\s+\w+\s+\S+|resource\s+\w+\s+'[^']+@[^']+'|module\s+\w+\s+'[^']+')", re.MULTILINE
)
# The human-readable output of `terraform show` and `terraform plan`.
_SHOWN = re.compile(
    r"^(?:# (?:module\.|data\.)?[\w.\[\]\"-]+:\s*\n(?:resource|data) |Terraform will perform the following actions)",
    re.MULTILINE,
)
COMMENT = ("//", "/*")
# JSON with comments above it, which ARM templates may have.
_COMMENTED = re.compile(r"\A\s*(?://|/\*)[\s\S]*?^\s*[\[{]", re.MULTILINE)
# JSON that starts on a later line: warnings of a command came first.
_JSON_LATER = re.compile(r"^[\[{]\s*$", re.MULTILINE)


class _Form(NamedTuple):
    """A form of text: how it is recognised, what it is, and what to do."""

    fits: Callable[[str], object]
    message: str
    remedy: str


_FORMS = (
    _Form(
        _SHOWN.search, "human-readable Terraform output, not JSON", "run `terraform show -json`, and pass its output"
    ),
    _Form(_HCL.search, "HCL, not JSON", "run `terraform show -json` in its directory, and pass its output"),
    _Form(_BICEP.search, "Bicep, not JSON", "run `az bicep build --file FILE --stdout`, and pass its output"),
    _Form(_AZ_TABLE.search, "a table, not data", "run the command with `-o json`, and pass its output"),
    _Form(_KUBECTL_TABLE.search, "a table, not data", "run the command with `-o yaml`, and pass its output"),
    _Form(_DESCRIBED.search, "what `kubectl describe` prints, not data", "run `kubectl get` with `-o json` instead"),
    _Form(_NAMES.search, "names, not objects", "run the command with `-o json` instead of `-o name`"),
    _Form(
        _KUBECTL_MESSAGE.search,
        "a message of kubectl, not objects",
        "do what it says and run the command again, or remove the file",
    ),
    _Form(_TABS.search, "tab-separated values, not data", "run the command with `-o json`, and pass its output"),
    _Form(_COMMENTED.search, COMMENTS, WITHOUT_COMMENTS),
    _Form(
        _JSON_LATER.search,
        "text before the JSON",
        "pass only the standard output of the command: redirect it without `2>&1`",
    ),
)


def why_unreadable(text: Text) -> Diagnostic | None:
    """The fault that a text is human-readable, with the command to run instead; None if it may be YAML."""
    beginning = text.content[:_BEGINNING]
    for form in _FORMS:
        if form.fits(beginning):
            return fault("IMP003", form.message, form.remedy, Span(text.name, 1, 1))
    return None
