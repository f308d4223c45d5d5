"""Text on a terminal: width, colour and control characters."""

from hypothesis import given
from hypothesis import strategies as st

from gitgpu.report.terminal import fit, fit_lines, fold, inert, paint, printable, safe, width
from tests.helping.cases import for_each


@for_each(
    ("text", "columns"),
    [("", 0), ("abc", 3), ("日本", 4), ("e\u0301", 1), ("ｱ", 1), ("Ａ", 2), ("größe", 5)],
)
def test_the_width_of_a_text(text: str, columns: int) -> None:
    """Wide characters take two columns, combining marks none."""
    assert width(text) == columns


@for_each(
    ("text", "shown"),
    [
        ("a\tb", "a    b"),
        ("\x1b[31m", "\\x1b[31m"),
        ("\u202egnp", "\\u202egnp"),
        ("a\u00a0b", "a\\xa0b"),
        ("\ud800", "\\ud800"),
        ("日本 ü", "日本 ü"),
    ],
)
def test_what_cannot_be_seen_is_spelled_out(text: str, shown: str) -> None:
    """Invisible characters are escaped, visible ones are not."""
    assert printable(text) == shown


@given(st.text(), st.integers(3, 40))
def test_fit_stays_within_its_room(text: str, room: int) -> None:
    """A text is complete, or cut and ends with dots."""
    fitted = fit(text, room)
    assert width(fitted) <= room
    assert fitted == text or (fitted.endswith("...") and text.startswith(fitted[:-3]))


def test_colours_are_added_only_if_wanted() -> None:
    """Escape codes are written only if colour is requested and there is text."""
    assert paint("x", "1", colour=True) == "\x1b[1mx\x1b[0m"
    assert paint("x", "1", colour=False) == "x"
    assert paint("", "1", colour=True) == ""


@for_each(
    ("text", "room", "shown"),
    [
        ("abcdef", 6, "abcdef"),
        ("abcdefg", 6, "abc..."),
        ("日本語", 6, "日本語"),
        ("日本語日", 6, "日..."),
        ("日本語日", 7, "日本..."),
        ("abcd", 3, "..."),
    ],
)
def test_a_text_is_cut_where_dots_have_room(text: str, room: int, shown: str) -> None:
    assert fit(text, room) == shown


@for_each(
    ("text", "room", "shown"),
    [
        ("one two three", 0, "one two three"),
        ("one two three", 13, "one two three"),
        ("one two three", 12, "one two\n    three"),
        ("one two three", 7, "one two\n    three"),
        ("one two three", 6, "one\n    two\n    three"),
        ("  one two", 8, "  one\n      two"),
        ("one  two three four", 12, "one  two\n    three\n    four"),
        ("a: longerthanaline", 8, "a: longerthanaline"),
        ("the one: longerthanaline", 10, "the one:\n    longerthanaline"),
        ("oneandalongword two", 5, "oneandalongword\n    two"),
        ("\x1b[1mone\x1b[0m two", 7, "\x1b[1mone\x1b[0m two"),
        ("\x1b[1mone\x1b[0m two", 6, "\x1b[1mone\x1b[0m\n    two"),
        ("one \x1b[1;31mtwo\x1b[0m six ten", 15, "one \x1b[1;31mtwo\x1b[0m six ten"),
        ("日本 語日 x", 9, "日本 語日\n    x"),
        ("short\none two three", 8, "short\none two\n    three"),
    ],
)
def test_lines_are_broken_between_words(text: str, room: int, shown: str) -> None:
    """Continuation lines are indented by four more columns. Colours take no column."""
    assert fit_lines(text, room) == shown


@for_each(
    ("text", "shown"),
    [
        ("plain ü 日本\nsecond", "plain ü 日本\nsecond"),
        ("##vso[task]x", "# #vso[task]x"),
        ("a ##[group] ##VSO[x] ### ##x", "a # #[group] # #VSO[x] ### ##x"),
        ("::error::x", ": :error::x"),
        ("  ::error::x\na ::b", "  : :error::x\na ::b"),
        ("\ta\u3000b\x1b[1m", "\ta\u3000b\\x1b[1m"),
        ("a\r\nb\rc\r", "a\r\nb\\rc\r"),
        ("\x1b[31mred\x1b[0m\x07", "\\x1b[31mred\\x1b[0m\\x07"),
    ],
)
def test_lines_control_nothing(text: str, shown: str) -> None:
    assert safe(text) == shown


def test_own_colours_stay() -> None:
    assert safe("\x1b[31mred\x1b[0m\x07\x1b[2J", colour=True) == "\x1b[31mred\x1b[0m\\x07\\x1b[2J"
    assert safe("\x1b[1m##[x]\x1b[0m", colour=True) == "\x1b[1m# #[x]\x1b[0m"


def test_a_paragraph_shows_where_its_lines_begin() -> None:
    assert fold("\none\ttwo\nthree\n") == "one    two\n    | three"
    assert fold("one") == "one"


def test_commands_are_made_inert_anywhere() -> None:
    assert inert("x ##[a] ##vso[b] # #[c] ##d") == "x # #[a] # #vso[b] # #[c] ##d"
