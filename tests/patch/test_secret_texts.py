"""Which texts among values are secrets, and which only look like secrets."""

from typing import Any

from gitgpu.patch.secret_texts import secret_texts
from tests.helping.cases import for_each


def secrets(values: Any) -> list[str]:
    """The places of the secrets."""
    return ["/".join(map(str, pointer)) for pointer in secret_texts(values)]


@for_each(
    ("values", "places"),
    [
        ({"db_password": "x"}, ["db_password"]),
        ({"API-KEY": "x"}, ["API-KEY"]),
        ({"clientSecret": "x"}, ["clientSecret"]),
        ({"a": [{"b": {"token": "x"}}, {"token": "y"}]}, ["a/0/b/token", "a/1/token"]),
        ({"url": "amqp://me:hunter2@mq.example.com"}, ["url"]),
        ({"url": "amqp://me@mq.example.com"}, []),
        ({"url": "amqp://${USER}:${PASSWORD}@mq.example.com"}, []),
        ({"password": "$(PASSWORD)"}, []),
        ({"password": "{{ .Values.password }}"}, []),
        ({"password": "<your password>"}, []),
        ({"password": " "}, []),
        ({"password": ""}, []),
        ({"password": "/etc/secrets/password"}, []),
        ({"password": True}, []),
        ({"tokens": "x"}, []),
        ({"secretName": "x"}, []),
        ({"existingSecret": "x"}, []),
        ({"name": "API_PASSWORD", "value": "x"}, ["value"]),
        ({"name": "LOG_LEVEL", "value": "x"}, []),
        ({"name": "API_PASSWORD", "other": "x"}, []),
        ({"name": 3, "value": "x"}, []),
        ({"name": "a", "token": "x"}, ["token"]),
        ({"value": "x"}, []),
        ("password", []),
        (None, []),
    ],
)
def test_what_is_a_secret(values: Any, places: list[str]) -> None:
    assert secrets(values) == places


def test_the_places_are_those_of_the_whole() -> None:
    assert [*secret_texts([{"token": "x"}], ("spec", "env"))] == [("spec", "env", 0, "token")]
