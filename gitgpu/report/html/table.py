"""Tables whose rows turn into blocks on narrow screens."""

from collections.abc import Iterable, Sequence

from gitgpu.report.html.markup import escape


def table(caption: str, headers: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table with a row header in its first column; the cells are markup. "" if there is no row."""
    body = "".join(_row(headers, row) for row in rows)
    if not body:
        return ""
    head = "".join(f'<th scope="col" role="columnheader">{name}</th>' for name in headers)
    # With the roles, screen readers still see a table if the style sheet turns its rows into blocks.
    return (
        f'<table role="table"><caption>{escape(caption)}</caption><thead role="rowgroup"><tr role="row">{head}</tr>'
        f'</thead><tbody role="rowgroup">{body}</tbody></table>\n'
    )


def _row(headers: Sequence[str], row: Sequence[str]) -> str:
    name, *values = row
    cells = "".join(
        f'<td role="cell" data-label="{header}">{value}</td>' for header, value in zip(headers[1:], values, strict=True)
    )
    return f'<tr role="row"><th scope="row" role="rowheader">{name}</th>{cells}</tr>'
