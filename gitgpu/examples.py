"""The examples of a rule: a YAML file next to its module.

Examples are separated by `---`, and each begins with a comment that says what it is, what differs from the bad example,
and why it is reported or not. More lines of that comment are indented. An example can have several documents:

    # bad: The pool has no taint.
    apiVersion: karpenter.sh/v1
    ...
    ---
    # near miss: The pool has no taint, but
    #   a size without GPUs.
    apiVersion: karpenter.sh/v1
    ...
"""

import re
from enum import StrEnum
from functools import cache
from typing import NamedTuple


class Role(StrEnum):
    """What an example shows, in the order of the file."""

    BAD = "bad"  # the rule reports it
    VARIANT = "variant"  # also reported: a finding that cannot be in the bad example
    GOOD = "good"  # no rule reports it
    NEAR_MISS = "near miss"  # not reported by this rule: a value at a limit, or what looks bad but works

    @property
    def is_bad(self) -> bool:
        """Whether the rule reports such an example."""
        return self in (Role.BAD, Role.VARIANT)


class Example(NamedTuple):
    """An example; `note` says what differs from the bad example, and why it is reported or not."""

    role: Role
    note: str
    text: str


_ORDER = list(Role)
_HEADING = rf"(?m)(?:\A|^---\n)# ({'|'.join(Role)}): (.+(?:\n#   .+)*)\n"
_OTHER_COMMENT = r"(?<=\n)#.*"  # the first line of an example can be a comment, such as a command line


@cache
def examples_of(module: str) -> tuple[Example, ...]:
    """The examples in the YAML file next to a module. Raises ValueError if malformed, OSError if there is no file."""
    from pkgutil import get_data  # noqa: PLC0415  only tests and pages read examples

    package, _, name = module.rpartition(".")
    content = get_data(package, f"{name}.yaml")
    if content is None:
        raise OSError(f"{module} has no loader that can read {name}.yaml")
    try:
        return parse_examples(content.decode())
    except ValueError as error:
        raise ValueError(f"{name}.yaml: {error}") from error


def parse_examples(content: str) -> tuple[Example, ...]:
    """The examples in the text of a file. Raises ValueError if it is malformed."""
    before, *parts = re.split(_HEADING, content)
    if before or not parts:
        raise ValueError(f"the first line is not a comment such as '# {Role.BAD}: ...'")
    examples = tuple(
        Example(Role(role), note.replace("\n#   ", " "), text)
        for role, note, text in zip(parts[::3], parts[1::3], parts[2::3], strict=True)
    )
    for example in examples:
        _check(example)
    roles = [example.role for example in examples]
    if roles != sorted(roles, key=_ORDER.index):
        raise ValueError(f"the examples are not in the order {', '.join(Role)}")
    for role in (Role.BAD, Role.GOOD):
        if roles.count(role) != 1:
            raise ValueError(f"{roles.count(role)} examples are '{role}', not one")
    return examples


def _check(example: Example) -> None:
    if not example.text.strip() or not example.text.endswith("\n"):
        raise ValueError(f"the example '{example.note}' is empty, or its last line does not end")
    if other := re.search(_OTHER_COMMENT, example.text):
        raise ValueError(f"'{other[0]}' is not the comment of an example: indent it, or write '---' before it")
