"""The style sheet of the HTML page: light and dark, narrow and wide, screen and paper, legible without colour."""

STYLE = """\
:root {
  --back: #f6f7f9; --paper: #ffffff; --ink: #1b1f24; --soft: #57606a; --line: #d0d7de; --node: #fbfcfd;
  --good: #116329; --goodback: #dafbe1; --doubt: #7d4e00; --doubtback: #fff1c2; --bad: #a40e26; --badback: #ffe0e3;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --back: #0d1117; --paper: #161b22; --ink: #e6edf3; --soft: #9da7b3; --line: #363d47; --node: #1c222b;
    --good: #7ee2a0; --goodback: #12351f; --doubt: #f2cc60; --doubtback: #3a2d08; --bad: #ffa198; --badback: #4a1519;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--back); color: var(--ink);
  font: 15px/1.5 system-ui, "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", sans-serif;
  overflow-wrap: anywhere;
}
a { color: inherit; }
main { max-width: 1280px; margin: 0 auto; padding: 32px 24px 48px; }
header { display: flex; flex-wrap: wrap; align-items: center; gap: 12px 24px; justify-content: space-between; }
h1 { font-size: 26px; margin: 0; letter-spacing: -0.01em; }
h2 { font-size: 20px; margin: 0 0 12px; }
h2 small { color: var(--soft); font-weight: 400; font-size: 14px; margin-left: 6px; }
h3 { font-size: 15px; margin: 0; }
section, nav {
  background: var(--paper); border: 1px solid var(--line); border-radius: 14px; padding: 24px; margin-top: 24px;
}
nav { padding: 8px 24px; }
ul.chips, ul.legend, ul.facts { list-style: none; display: flex; flex-wrap: wrap; gap: 8px 16px; }
ul.chips, ul.legend, ul.facts { list-style: none; margin: 0; padding: 0; }
ul.facts { gap: 0 16px; margin-top: 4px; color: var(--soft); font-size: 13px; }
ul.facts b { color: var(--ink); }
ul.chips li, .badge { border-radius: 14px; padding: 2px 10px; font-size: 13px; font-weight: 600; }
ul.chips li { border: 1px solid var(--line); }
.badge { white-space: nowrap; }
li.schedulable, .badge.schedulable { color: var(--good); background: var(--goodback); }
li.uncertain, .badge.uncertain { color: var(--doubt); background: var(--doubtback); }
li.unschedulable, .badge.unschedulable { color: var(--bad); background: var(--badback); }
dl { display: flex; flex-wrap: wrap; gap: 12px 40px; margin: 0 0 20px; }
dl div { display: flex; flex-direction: column-reverse; }
dt { color: var(--soft); font-size: 13px; }
dd { margin: 0; font-size: 22px; font-weight: 600; font-variant-numeric: tabular-nums; }
figure { margin: 0 0 20px; }
figcaption { margin-top: 12px; font-size: 13px; }
h3.pool { display: flex; flex-wrap: wrap; gap: 0 16px; justify-content: space-between; align-items: baseline; }
h3.pool { margin: 16px 0 8px; }
h3.pool small { color: var(--soft); font-size: 13px; font-weight: 400; }
.nodes { display: flex; flex-wrap: wrap; gap: 12px; }
.nodes svg { display: block; max-width: 100%; height: auto; }
svg text { fill: var(--ink); font-size: 13px; }
svg .small { fill: var(--soft); font-size: 12px; }
svg .size { font-weight: 600; }
svg .letter { fill: #14171a; font-size: 12px; font-weight: 700; text-anchor: middle; }
svg .node { fill: var(--node); stroke: var(--line); stroke-width: 1.5; }
svg .node.spot { stroke-dasharray: 6 4; }
.key {
  display: inline-block; min-width: 20px; height: 20px; line-height: 20px; padding: 0 3px; border-radius: 4px;
  text-align: center; color: #14171a; font-size: 12px; font-weight: 700; vertical-align: middle;
}
.k0 { background: #7cc4f0; } .k1 { background: #f2b134; } .k2 { background: #5cc9a0; } .k3 { background: #dda0c8; }
.k4 { background: #f1e05a; } .k5 { background: #9db2f5; } .k6 { background: #f29a76; } .k7 { background: #bdbdbd; }
svg .w0 { fill: #7cc4f0; } svg .w1 { fill: #f2b134; } svg .w2 { fill: #5cc9a0; } svg .w3 { fill: #dda0c8; }
svg .w4 { fill: #f1e05a; } svg .w5 { fill: #9db2f5; } svg .w6 { fill: #f29a76; } svg .w7 { fill: #bdbdbd; }
.defs { position: absolute; }
svg .hatchback { fill: var(--node); }
svg .hatchline { fill: var(--soft); }
svg.bar { display: block; min-width: 90px; }
svg.bar rect { stroke: var(--paper); stroke-width: 1; }
svg .used { fill: #5c8fd6; }
svg .idle { fill: url(#hatch); stroke: var(--soft); }
.key.used { background: #5c8fd6; }
.key.idle { background: repeating-linear-gradient(135deg, var(--soft) 0 2px, var(--node) 2px 6px); }
.key.idle { border: 1px solid var(--soft); }
svg.bar .day { fill: none; stroke: var(--line); }
.days { display: flex; width: 100%; font-size: 11px; color: var(--soft); }
.days span { flex: 1; }
pre { overflow-x: auto; font: 12.5px/1.5 ui-monospace, SFMono-Regular, Menlo, "DejaVu Sans Mono", monospace; }
ul.attention { margin: 0; padding: 0; list-style: none; }
ul.attention li { border-left: 4px solid var(--line); margin: 6px 0; padding: 2px 0 2px 12px; }
ul.attention li.unschedulable { background: none; border-color: var(--bad); }
ul.attention li.uncertain { background: none; color: inherit; border-color: var(--doubt); }
ul.attention li.schedulable { background: none; color: inherit; border-color: var(--good); }
svg .mute { fill: none; stroke: var(--soft); stroke-width: 1.2; }
.key.mute { border: 1.2px solid var(--soft); }
.key.pod { border-radius: 50%; }
details { margin: 0 0 20px; }
summary { cursor: pointer; color: var(--soft); }
table { border-collapse: collapse; width: 100%; font-size: 13.5px; }
caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
th, td { text-align: left; padding: 8px 9px; border-bottom: 1px solid var(--line); vertical-align: top; }
thead th { color: var(--soft); font-weight: 600; font-size: 12.5px; white-space: nowrap; }
tbody td { font-variant-numeric: tabular-nums; }
thead th, tbody td { overflow-wrap: normal; }
tbody th { min-width: 9em; }
td[data-label=Pool], td[data-label=Size] { overflow-wrap: anywhere; min-width: 7em; }
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
@media screen and (max-width: 1000px) {
  table, tbody { display: block; }
  thead { display: none; }
  tr { display: grid; grid-template-columns: repeat(auto-fill, minmax(240px, 1fr)); gap: 2px 32px; }
  tr { border-bottom: 1px solid var(--line); padding: 10px 0; }
  tbody th, tbody td { border: none; padding: 0; }
  tbody th { grid-column: 1 / -1; margin-bottom: 4px; }
  tbody td { display: flex; flex-wrap: wrap; gap: 0 16px; justify-content: space-between; align-content: start; }
  td .badge:last-child { margin-left: auto; }
  td::before { content: attr(data-label); color: var(--soft); }
}
@media screen and (max-width: 600px) {
  main { padding: 20px 10px 32px; }
  section { padding: 16px 14px; }
  nav { padding: 4px 14px; }
  h1 { font-size: 22px; }
  dl { gap: 10px 28px; }
  dd { font-size: 19px; }
}
@media print {
  body { background: none; font-size: 10pt; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  main { max-width: none; padding: 0; }
  section, nav { border: none; border-radius: 0; padding: 0; margin-top: 16pt; }
  h2, h3, summary { break-after: avoid; }
  article li, nav li, table, tr, dl, svg, figcaption { break-inside: avoid; }
  table { font-size: 8pt; }
  dl { gap: 8pt 24pt; }
  dd { font-size: 13pt; }
  th, td { padding: 4pt 3pt; }
  .badge, ul.chips li { border: 1px solid; font-size: 8pt; padding: 0 6px; }
  thead th { font-size: 8pt; white-space: normal; }
  details::details-content { content-visibility: visible; }
  summary { list-style: none; }
}
"""
