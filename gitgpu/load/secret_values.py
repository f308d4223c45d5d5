"""Values of Secrets, and passwords and keys elsewhere: no report shows them.

The lines of Secrets are found in the text and not in parsed documents, because the text may not be valid YAML.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import pairwise

from gitgpu.diagnostic import Diagnostic

HIDDEN = "***"
# The patterns are texts: `re` compiles them only if there is a finding or a text to show.
_KIND_LINE = r"(?m)(?:^[\s-]*|[{,]\s*)[\"']?kind[\"']?\s*:\s*[\"']?Secret(?![\w-])"
_BREAK = "\r\n|[\n\r\x85\u2028\u2029]"  # the line breaks of YAML
_HARMLESS = frozenset({"apiVersion", "kind", "metadata", "type", "immutable"})  # the other keys of a Secret
_DATA = frozenset({"data", "stringData"})
_KEY = r"(\s*(?:- +)*)([\"']?)([\w.-]+)\2\s*:(?=\s|$)"
_INLINE = r"[\"']?\b(?:data|stringData)[\"']?\s*:\s*(?=[{\"'\[])"
_WORD = r"[^\s\"'{}\[\],]+"
_FOUND = r"(?s)\bfound (?!unknown|character|undefined).*"
_BLOCK = r"[|>][-+0-9]*\s*(?:#.*)?$"  # the beginning of a block scalar
_NAMED = (  # ends of the names of secrets
    r"[\w.-]*(?i:password|passwd|passphrase|_pass|(?:account|api|access|encryption|license|private|secret|signing)[-_]?key"
    r"|client[-_]?secret|token|connection[-_]?string|customAuthValue|customHeaders|dockerconfigjson)"
)
_QUOTE = r"[\"']?"
_VALUE = r"(?!(?:true|false|null|~)(?![^\s,}\]]))(?=[^\s{\[$<*&|>/\"'#])[^\s,}\]\"'${<]+"
# The password of a URL or a token in its place, the key of a connection string, the signature or the token among the
# parameters of a URL, and tokens with a known prefix.
_CREDENTIAL = re.compile(
    r"((?<=://)[^/@:\s\"']*:)[^/@\s${<\"']+(?=@)"
    r"|((?:AccountKey|SharedAccessKey|[?&](?:sig|token|api_?key|access_token|client_secret|password))=)[^;&\s${<\"']+"
    r"|(\b(?:hf_|gh[opsu]_|github_pat_|glpat-))[\w-]{20,}|(?<=://)[\w-]{30,}(?=@)"
)
# In the lines of files: values of keys and variables with the name of a secret.
_NAMED_VALUE = (
    rf"((?<![\w.-]){_NAMED}{_QUOTE}:[ ]+{_QUOTE}){_VALUE}"
    rf"|(name{_QUOTE}:[ ]+{_QUOTE}{_NAMED}{_QUOTE}(?:[ ]*,\s*|\s+){_QUOTE}value{_QUOTE}:[ ]+{_QUOTE}){_VALUE}"
)
# Words of messages about Secrets: they may be words of a value as well, and do not reveal it.
_PLAIN = frozenset("the value not base64 placeholder move unencoded stringData".split())  # noqa: SIM905  readable
_LEAST = 3  # characters of a part of a value that is replaced in messages; shorter ones are in many words


def conceal(diagnostics: Iterable[Diagnostic], sources: Mapping[str, str]) -> list[Diagnostic]:
    """The findings without values of Secrets, passwords and keys in their texts."""
    result: list[Diagnostic] = []
    lines_of: dict[str, dict[int, tuple[str, str]]] = {}
    for diagnostic in diagnostics:
        span = diagnostic.span
        if span.file not in lines_of:
            lines_of[span.file] = hidden_lines(sources.get(span.file, ""))
        hidden = lines_of[span.file]
        near = span.line in hidden or (hidden and diagnostic.object.kind == "Secret")
        shown = _concealed(diagnostic, hidden) if near else diagnostic
        result.append(shown._replace(message=without_credentials(shown.message), help=without_credentials(shown.help)))
    return result


def without_credentials(text: str) -> str:
    """A text of the same length, with asterisks in place of passwords and keys: carets still point at their columns."""
    return re.sub(_CREDENTIAL, _asterisks, text)


def _without_named_values(text: str) -> str:
    """The same for lines of files, also in place of values of keys with the name of a secret."""
    return re.sub(_NAMED_VALUE, _asterisks, without_credentials(text))


def _asterisks(found: re.Match[str]) -> str:
    label: str = next(filter(None, found.groups()), "")
    return label + "*" * (len(found[0]) - len(label))


def mask(text: str) -> str:
    """A text with the same lines, without the values of Secrets, passwords and keys."""
    hidden = hidden_lines(text)
    if hidden:
        text = "\n".join(hidden[number][1] if number in hidden else line for number, line in _numbered(text))
    return _without_named_values(text)


def without_secret_lines(changes: str, texts: Iterable[str]) -> str:
    """A unified diff of these texts without the values of Secrets. Their lines are still in it."""
    shown: dict[str, str] = {}
    for text in texts:
        shown.update(hidden_lines(text).values())
    if shown:
        changes = "\n".join(line[:1] + _as_shown(line[1:], shown) for line in changes.split("\n"))
    return _without_named_values(changes)


def _as_shown(line: str, shown: Mapping[str, str]) -> str:
    # With other line breaks, a line of a diff can be several lines of YAML.
    parts = re.split(_BREAK, line)
    return "".join(shown.get(part, part) for part in parts)


def hidden_lines(text: str) -> dict[int, tuple[str, str]]:
    """The lines (from 1) with values of Secrets: each as it is written, and as it may be shown."""
    if "Secret" not in text or not re.search(_KIND_LINE, text):
        return {}
    lines = list(_numbered(text))
    starts = [number for number, line in lines if line.startswith("---")]
    hidden: dict[int, tuple[str, str]] = {}
    for first, last in pairwise([1, *starts, len(lines) + 1]):
        document = lines[first - 1 : last - 1]
        if re.search(_KIND_LINE, "\n".join(line for _, line in document)):
            hidden.update(_hidden(document))
    return hidden


def _numbered(text: str) -> Iterator[tuple[int, str]]:
    return enumerate(re.split(_BREAK, text), start=1)


def _hidden(document: list[tuple[int, str]]) -> Iterator[tuple[int, tuple[str, str]]]:
    """The hidden lines of a document with a Secret, which may be an item of a list."""
    is_whole = any(re.match(r"[\"']?kind[\"']?\s*:\s*[\"']?Secret", line) for _, line in document)
    inside: int | None = None  # the columns before the key whose block is hidden
    depth = 0  # of braces of a mapping in flow style
    for number, line in document:
        key = re.match(_KEY, line)
        indent = len(line) - len(line.lstrip(" -")) if line.strip() else None
        if inside is not None and not depth and indent is not None and indent <= inside:
            inside = None
        inline = re.search(_INLINE, line)
        starts = key and inside is None and (key[3] in _DATA or (is_whole and not key[1] and key[3] not in _HARMLESS))
        if inside is not None:
            yield number, (line, _shown(line, direct=not depth))
            depth = max(depth + _braces(line), 0)
        elif key and starts:
            inside = len(key[1])
            yield number, (line, f"{key[0]} {HIDDEN}" if line[key.end() :].strip() else line)
            depth = max(_braces(line), 0)
        elif inline:
            yield number, (line, f"{line[: inline.end()]} {HIDDEN}")
            depth = max(_braces(line[inline.end() :]), 0)
            inside = -1 if depth else None
        elif line.startswith("\t") or (is_whole and not key and not line.startswith((" ", "#", "-", "{", "}"))):
            yield number, (line, HIDDEN)


def _braces(line: str) -> int:
    return line.count("{") + line.count("[") - line.count("}") - line.count("]")


def _shown(line: str, *, direct: bool) -> str:
    """A line of a hidden block: only a key."""
    key = re.match(_KEY, line) if direct else None
    if key:
        return f"{key[0]} {HIDDEN}"
    return f"{line[: len(line) - len(line.lstrip())]}{HIDDEN}" if line.strip() else line


def _concealed(diagnostic: Diagnostic, hidden: Mapping[int, tuple[str, str]]) -> Diagnostic:
    keys = {key[3] for _, shown in hidden.values() if (key := re.match(_KEY, shown))}
    words = sorted(_words(hidden.values()) - keys - _PLAIN, key=len, reverse=True)
    message, remedy = (_without(text, words, keys) for text in (diagnostic.message, diagnostic.help))
    return diagnostic._replace(message=re.sub(_FOUND, "found a value that is not shown", message), help=remedy)


def _words(lines: Collection[tuple[str, str]]) -> set[str]:
    """The words of hidden lines that may be parts of values, without comments."""
    has_block = any(re.search(_BLOCK, line) for line, _ in lines)  # in a block scalar, `#` is part of the value
    words: set[str] = set()
    for line, shown in lines:
        value = line.removeprefix(shown.removesuffix(HIDDEN).rstrip())
        if value.lstrip().startswith("#") and not has_block:
            continue
        words.update(part for token in re.findall(_WORD, value) for part in (token, token.strip("*&!%|>:,.")))
    return {word for word in words if len(word) >= _LEAST}


def _without(text: str, words: Iterable[str], keys: Collection[str]) -> str:
    """A text without these words. Keys in it, such as `webhook.github.secret`, stay."""
    within = "|".join(re.escape(key) for key in sorted(keys, key=len, reverse=True) if key in text)
    parts = re.split(rf"((?<![\w.-])(?:{within})(?![\w.-]))", text) if within else [text]
    for word in words:
        if word in text:
            parts[::2] = [re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", HIDDEN, part) for part in parts[::2]]
    return "".join(parts)
