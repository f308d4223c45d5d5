"""A fault of a value that does not match its schema."""

from typing import NamedTuple

from gitgpu.diagnostic import Diagnostic, Places, Repair, fault
from gitgpu.source import Pointer


class Fault(NamedTuple):
    """One fault: its value (or, with `at_key`, its key), what is wrong, what to do, and a safe repair, if any.

    `unknown` is true for a key that the schema does not have elsewhere, that is not misspelled, and that does not stand
    for a missing key. With `foreign`, no key that is allowed in its place is similar to it either. `unlisted` is
    true for a text that is neither in its enumeration nor similar to one of it.
    """

    pointer: Pointer
    message: str
    help: str
    at_key: bool = False
    repair: Repair | None = None
    unknown: bool = False
    foreign: bool = False
    unlisted: bool = False

    def diagnostic(self, code: str, places: Places) -> Diagnostic:
        """It as an error of the document that these places are in."""
        return fault(code, self.message, self.help, places.span(self.pointer, key=self.at_key))
