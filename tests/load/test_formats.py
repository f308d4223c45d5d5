"""Formats as in the API server: if in doubt, a value is accepted."""

from gitgpu.load.validate.formats import FORMATS, is_enforced
from tests.helping.cases import for_each


@for_each(
    ("name", "good", "bad"),
    [
        ("int32", [0, -(2**31), 2**31 - 1, "x", 1.5], [2**31, -(2**31) - 1]),
        ("int64", [2**63 - 1], [2**63]),
        ("date", ["2024-02-29"], ["2023-02-29", "20240229", "2024-2-9", "2024-02-29T00:00:00Z"]),
        (
            "date-time",
            ["2024-02-29T23:59:59Z", "2024-02-29t23:59:59.1+01:00"],
            ["2024-02-29T24:00:00Z", "2023-02-29T10:00:00Z", "T10:00:00Z", "2024-02-29"],
        ),
        ("datetime", ["2024-02-29T23:59:59Z"], ["2024-02-29"]),
        ("duration", ["0", "1h30m", "1.5h", "-5ms", "22 ns", "2 days", "1w", 5], ["", "1", "h", "5 parsecs"]),
        ("ipv4", ["10.0.0.1", "010.000.0.01"], ["10.0.0", "10.0.0.256", "::1"]),
        ("ipv6", ["::1", "fd00::0001", "2001:db8::a00"], ["10.0.0.1", "::g"]),
        ("cidr", ["10.0.0.1/8", "010.0.0.0/8", "fd00::/8"], ["10.0.0.0", "10.0.0.0/33"]),
        ("uuid", ["6ba7b810-9dad-11d1-80b4-00c04fd430c8", "6BA7B8109DAD11D180B400C04FD430C8"], ["6ba7b810"]),
        ("byte", ["", "YQ==", "YWI=", "YWJj"], ["YQ", "a b c d"]),
    ],
)
def test_which_texts_a_format_accepts(name: str, good: list[object], bad: list[object]) -> None:
    assert [value for value in good if not FORMATS[name](value)] == []
    assert [value for value in bad if FORMATS[name](value)] == []


def test_a_format_applies_only_to_its_own_type() -> None:
    assert is_enforced({"type": "integer", "format": "int32"})
    assert is_enforced({"format": "date-time"})
    held = (
        {"type": "number", "format": "int32"},
        {"type": "number", "format": "date"},
        {"type": "integer", "format": "date"},
        {"type": "string"},
    )
    assert not any(
        map(is_enforced, (*held, {"type": "string", "format": "hostname"}, {"type": "string", "format": "x"}))
    )
