"""Passwords and keys outside Secrets: no report shows them."""

from gitgpu.load.secret_values import mask, without_credentials, without_secret_lines
from tests.helping.cases import for_each

TOKEN = "abcdefghijklmnopqrstuvwxyz0123456789"
REPOSITORY = """\
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: fleet, namespace: flux-system}
spec: {url: "https://bot:hunter2@github.com/contoso/fleet", interval: soon}
"""


@for_each(
    ("text", "shown"),
    [
        ("url: https://bot:hunter2@github.com/a/b", "url: https://bot:*******@github.com/a/b"),
        ("url: https://:hunter2@github.com", "url: https://:*******@github.com"),
        (
            "https://a.blob.core.windows.net/b?sv=1&sig=xY%3D&se=2",
            "https://a.blob.core.windows.net/b?sv=1&sig=*****&se=2",
        ),
        ("AccountName=a;AccountKey=xyz==;EndpointSuffix=b", "AccountName=a;AccountKey=*****;EndpointSuffix=b"),
        ("  db_password: hunter2  # changed", "  db_password: *******  # changed"),
        ('{"apiKey": "hunter2", "a": 1}', '{"apiKey": "*******", "a": 1}'),
        ("env: [{name: API_TOKEN, value: hunter2}]", "env: [{name: API_TOKEN, value: *******}]"),
        ("- name: API_TOKEN\n  value: 'hunter2'", "- name: API_TOKEN\n  value: '*******'"),
        (f"value: hf_{TOKEN}", f"value: hf_{'*' * len(TOKEN)}"),
        (f"https://ghp_{TOKEN}@github.com", f"https://ghp_{'*' * len(TOKEN)}@github.com"),
    ],
)
def test_credentials_are_shown_as_asterisks(text: str, shown: str) -> None:
    assert mask(text) == shown
    assert len(text) == len(shown)


@for_each(
    "text",
    [
        "ssh://git@github.com/a/b",
        "https://github.com:443/a/b@v1",
        "https://bot:${PASSWORD}@github.com",
        "https://bot:{{ .Values.password }}@github.com",
        "model: hf_cache",
        "https://a.b/c?signal=1",
        "AccountKey=${KEY}",
        "password: ${PASSWORD}",
        "password: /etc/secrets/password",
        "password:\n  secretKeyRef: {name: a}",
        "- name: API_TOKEN\n  valueFrom: {secretKeyRef: {name: a}}",
        "tokens: 5",
        "automountServiceAccountToken: false",
        "existingSecret: a",
    ],
)
def test_what_is_no_credential_is_shown(text: str) -> None:
    assert mask(text) == text


def test_a_remedy_can_name_a_key_with_its_value() -> None:
    assert without_credentials("set clientSecret: db") == "set clientSecret: db"


def test_texts_and_changes_do_not_show_them() -> None:
    secret = f"apiVersion: v1\nkind: Secret\nstringData:\n  a: https://bot:hunter2@b\n---\n{REPOSITORY}"
    assert "hunter2" not in mask(secret)
    assert "a: ***" in mask(secret)
    changes = "".join(f"+{line}\n" for line in secret.splitlines())
    assert "hunter2" not in without_secret_lines(changes, [secret])
