"""The kinds whose rules are imported while other processes read."""

from gitgpu.cli.lint.findings import kinds_of_some
from gitgpu.load.text import Text


def test_the_kinds_of_many_texts_are_those_of_some_of_them() -> None:
    """Their rules are imported while other processes read the rest."""
    head = "apiVersion: v1\nkind: {}\nmetadata: {{name: a}}\n"
    pod, secret, queue = (head.format(kind) for kind in ("Pod", "Secret", "Queue"))

    def kinds(*contents: str) -> list[str]:
        texts = [Text(f"{number}.yaml", content, "") for number, content in enumerate(contents)]
        return sorted(kind for _, kind in kinds_of_some(texts))

    assert kinds() == []
    assert kinds(f"{pod}---\n{secret}", queue, "a: [") == ["Pod", "Queue", "Secret"]
    assert kinds(*[pod, secret] * 19, queue) == ["Pod", "Queue", "Secret"]
    assert kinds(*[pod, secret] * 20) == ["Pod"]
    assert kinds(*[pod, secret] * 40, queue) == ["Pod", "Secret"]
    assert kinds(f"{pod}---\n{'# a long comment' * 1000}\n---\n{secret}") == ["Pod"]
    assert kinds(f"{pod}#{'a' * 20_000}\n") == []
