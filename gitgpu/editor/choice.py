"""A word that completion offers."""

from typing import NamedTuple

from lsprotocol.types import CompletionItemKind


class Choice(NamedTuple):
    """A word, what is said about it in a line, and its page in Markdown.

    `insert` is what is typed, if it is not the word, and `order` is compared before the word. `data` names what its
    page is about, if the page is made only when the user asks for it.
    """

    label: str
    detail: str = ""
    kind: CompletionItemKind = CompletionItemKind.Value
    insert: str = ""
    order: str = ""
    page: str = ""
    data: str = ""
