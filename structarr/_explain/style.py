"""The style of HTML that shows arrays and explanations, light and dark."""

from __future__ import annotations

from typing import Final

STYLE: Final = """<style>
.structarr { --ink: #1f2328; --soft: #59636e; --line: #d1d9e0; --ground: #f6f8fa;
  --page: #ffffff; --runs: #c2550a; --blocks: #1a7f37; --single: #0969da; --rule: #8250df;
  --full: #57606a; --mark: #fff1c2; color: var(--ink); background: var(--page);
  font: 13px/1.45 system-ui, sans-serif; }
@media (prefers-color-scheme: dark) { .structarr { --ink: #e6edf3; --soft: #9da7b1;
  --line: #3d444d; --ground: #1c222a; --page: #0d1117; --runs: #f0883e; --blocks: #3fb950;
  --single: #58a6ff; --rule: #bc8cff; --full: #8b949e; --mark: #4b3b0a; } }
.structarr.card { display: inline-block; max-width: 100%; padding: 8px 12px; box-sizing: border-box;
  border: 1px solid var(--line); border-radius: 6px; overflow-x: auto; }
.structarr .head { font-weight: 600; }
.structarr .soft { color: var(--soft); font-weight: 400; }
.structarr .parts { display: flex; flex-wrap: wrap; gap: 8px 20px; align-items: flex-start;
  margin-top: 6px; }
.structarr svg { display: block; max-width: 100%; height: auto; }
.structarr svg text { fill: var(--ink); font: 11px system-ui, sans-serif; }
.structarr svg text.soft { fill: var(--soft); }
.structarr svg line, .structarr svg path.line { stroke: var(--line); fill: none; }
.structarr .ground { fill: var(--ground); stroke: var(--line); stroke-width: 0.8; }
.structarr .runs { fill: var(--runs); } .structarr .blocks { fill: var(--blocks); }
.structarr .single { fill: var(--single); } .structarr .rule { fill: var(--rule); }
.structarr .full { fill: var(--full); } .structarr .pale { opacity: 0.3; }
.structarr table, .structarr.card table { border-collapse: collapse; margin: 0; font-size: 12px;
  background: none; color: inherit; }
.structarr th, .structarr td { text-align: left; padding: 1px 12px 1px 0; border: 0;
  vertical-align: top; background: none; color: inherit; }
.structarr.page td { white-space: nowrap; }
.structarr th { color: var(--soft); font-weight: 400; border-bottom: 1px solid var(--line); }
.structarr td.number, .structarr th.number { text-align: right;
  font-variant-numeric: tabular-nums; }
.structarr pre { margin: 0; font: 12px/1.4 ui-monospace, monospace; color: inherit;
  background: none; overflow-x: auto; }
.structarr td:first-child { white-space: nowrap; }
.structarr .swatch { display: inline-block; width: 9px; height: 9px; border-radius: 2px;
  margin-right: 5px; }
.structarr.page { display: block; margin-top: 14px; }
.structarr h2 { font-size: 14px; margin: 18px 0 6px; }
.structarr h2:first-child { margin-top: 2px; }
.structarr .legend { display: flex; flex-wrap: wrap; gap: 4px 16px; margin-bottom: 4px; }
.structarr .legend svg { display: inline; }
.structarr .nest { border-left: 3px solid var(--line); padding: 4px 0 4px 10px; margin: 8px 0; }
.structarr .row { display: flex; flex-wrap: wrap; gap: 2px 14px; padding: 4px 6px;
  border-radius: 6px; }
.structarr .row:target { background: var(--mark); }
.structarr .who { width: 130px; } .structarr .what { flex: 1; min-width: 200px; }
.structarr code { font: 12px/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
.structarr.page table { display: block; overflow-x: auto; }
.structarr table.kernel td { padding: 0 18px 0 0; vertical-align: middle; }
.structarr table.kernel pre { overflow: visible; }
.structarr .chip { display: inline-block; white-space: nowrap; font-size: 11px; padding: 0 7px;
  margin: 1px 4px 1px 0; border-radius: 9px; border: 1px solid var(--line); color: var(--soft);
  text-decoration: none; }
.structarr a.chip { color: var(--single); }
.structarr a.chip:hover { background: var(--mark); }
</style>"""
"""Rules for elements of the class "structarr" and all in them; nothing else is touched."""
