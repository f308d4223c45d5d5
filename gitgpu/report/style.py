"""The looks of the HTML page: light and dark, legible without colour."""

STYLE = """\
:root {
  --back: #f6f7f9; --paper: #ffffff; --ink: #1b1f24; --soft: #57606a; --line: #d0d7de; --node: #fbfcfd;
  --good: #116329; --goodback: #dafbe1; --doubt: #7d4e00; --doubtback: #fff1c2; --bad: #a40e26; --badback: #ffe0e3;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #0d1117; --paper: #161b22; --ink: #e6edf3; --soft: #9da7b3; --line: #363d47; --node: #1c222b;
    --good: #7ee2a0; --goodback: #12351f; --doubt: #f2cc60; --doubtback: #3a2d08; --bad: #ffa198; --badback: #4a1519;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--back); color: var(--ink);
  font: 15px/1.5 system-ui, "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", sans-serif;
}
main { max-width: 1280px; margin: 0 auto; padding: 32px 24px 48px; }
header { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 24px; justify-content: space-between; }
h1 { font-size: 26px; margin: 0; letter-spacing: -0.01em; }
h2 { font-size: 20px; margin: 0 0 12px; }
h2 small { color: var(--soft); font-weight: 400; font-size: 14px; margin-left: 6px; }
h3 { font-size: 15px; margin: 0; }
section {
  background: var(--paper); border: 1px solid var(--line); border-radius: 14px; padding: 24px; margin-top: 24px;
}
ul.chips, ul.legend { list-style: none; display: flex; flex-wrap: wrap; gap: 8px 16px; margin: 0; padding: 0; }
ul.chips li, .badge { border-radius: 999px; padding: 2px 10px; font-size: 13px; font-weight: 600; white-space: nowrap; }
li.schedulable, .badge.schedulable { color: var(--good); background: var(--goodback); }
li.uncertain, .badge.uncertain { color: var(--doubt); background: var(--doubtback); }
li.unschedulable, .badge.unschedulable { color: var(--bad); background: var(--badback); }
dl { display: flex; flex-wrap: wrap; gap: 12px 40px; margin: 0 0 20px; }
dl div { display: flex; flex-direction: column-reverse; }
dt { color: var(--soft); font-size: 13px; }
dd { margin: 0; font-size: 22px; font-weight: 600; font-variant-numeric: tabular-nums; }
figure { margin: 0 0 20px; }
figcaption { margin-top: 4px; font-size: 13px; }
svg.nodes { display: block; width: 100%; height: auto; }
svg text { fill: var(--ink); font-size: 13px; }
svg .pool { font-size: 15px; font-weight: 600; }
svg .small { fill: var(--soft); font-size: 12px; }
svg .size { font-weight: 600; }
svg .letter { fill: #14171a; font-size: 12px; font-weight: 700; text-anchor: middle; }
svg .node { fill: var(--node); stroke: var(--line); stroke-width: 1.5; }
svg .node.spot { stroke-dasharray: 6 4; }
svg .free { fill: none; stroke: var(--soft); stroke-width: 1.2; stroke-dasharray: 3 3; }
.key {
  display: inline-block; min-width: 20px; height: 20px; line-height: 20px; padding: 0 3px; border-radius: 4px;
  text-align: center; color: #14171a; font-size: 12px; font-weight: 700; vertical-align: middle;
}
.key.empty { border: 1.2px dashed var(--soft); }
.k0 { background: #7cc4f0; } .k1 { background: #f2b134; } .k2 { background: #5cc9a0; } .k3 { background: #dda0c8; }
.k4 { background: #f1e05a; } .k5 { background: #9db2f5; } .k6 { background: #f29a76; } .k7 { background: #bdbdbd; }
svg .w0 { fill: #7cc4f0; } svg .w1 { fill: #f2b134; } svg .w2 { fill: #5cc9a0; } svg .w3 { fill: #dda0c8; }
svg .w4 { fill: #f1e05a; } svg .w5 { fill: #9db2f5; } svg .w6 { fill: #f29a76; } svg .w7 { fill: #bdbdbd; }
details { margin: 0 0 20px; }
summary { cursor: pointer; color: var(--soft); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 13.5px; }
caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
th, td { text-align: left; padding: 8px 9px; border-bottom: 1px solid var(--line); vertical-align: top; }
thead th { color: var(--soft); font-weight: 600; font-size: 12.5px; white-space: nowrap; }
.number { font-variant-numeric: tabular-nums; white-space: nowrap; }
article { border-left: 4px solid var(--line); margin-top: 16px; padding: 2px 0 2px 14px; }
article.unschedulable { border-color: var(--bad); }
article.uncertain { border-color: var(--doubt); }
article p { margin: 4px 0; }
article ul { margin: 4px 0; padding-left: 20px; }
article li { margin: 4px 0; }
code { font: 12.5px ui-monospace, SFMono-Regular, Menlo, "DejaVu Sans Mono", monospace; color: var(--soft); }
em { font-style: normal; color: var(--soft); }
.none { color: var(--soft); }
footer { color: var(--soft); font-size: 13px; margin-top: 24px; }
@media print { body { background: none; } section { break-inside: avoid; } }
"""
