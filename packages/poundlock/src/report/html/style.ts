// The style of all pages: light or dark by the system's setting, down to narrow screens.
import { DIAGRAM_STYLE } from '../diagram/index.ts';

export const STYLE = `
:root { color-scheme: light dark; --back: #fff; --text: #1b2733; --muted: #51606e; --line: #d3dce4;
  --panel: #f5f7f9; --error: #b3261e; --warning: #8a5a00; --good: #1a7f37; --link: #0b5cad;
  --mark: #fde9e7; --mark-other: #e2eefb; }
@media (prefers-color-scheme: dark) {
  :root { --back: #10151b; --text: #dce3ea; --muted: #9aa8b5; --line: #303b46; --panel: #182029;
    --error: #ff8a80; --warning: #e3b341; --good: #5fd47a; --link: #82bfff; --mark: #5a2320;
    --mark-other: #1d3d5f; } }
* { box-sizing: border-box }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem;
  color: var(--text); background: var(--back); overflow-wrap: anywhere; }
h1 { font-size: 1.4rem; margin: 0 0 .3rem } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem }
h3 { font-size: 1rem; margin: 0 0 .5rem }
p { margin: .3rem 0 } .facts, footer { color: var(--muted) } footer { margin-top: 3rem }
.error, .counterexample, .forbidden, .broke { color: var(--error) }
.warning, .caveat, .inconclusive, .stopped, .slower, .deadlocks { color: var(--warning) }
.good, .certified, .ran, .faster { color: var(--good) }
.badge { font-weight: 600 }
code { font-weight: inherit }
code, pre, .code, table.trace { font: 13px/1.5 ui-monospace, Menlo, Consolas, monospace }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: 6px;
  padding: .5rem .75rem; margin: .3rem 0; white-space: pre-wrap; }
.scroll { overflow-x: auto; margin: .5rem 0 }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; overflow-wrap: normal }
th, td { text-align: left; vertical-align: top; padding: .2rem .9rem .2rem 0;
  border-bottom: 1px solid var(--line); }
th { color: var(--muted); font-weight: 500; white-space: nowrap }
th.number, td.number { text-align: right; white-space: nowrap }
article { border: 1px solid var(--line); border-radius: 8px; padding: 1rem; margin: 1rem 0 }
.file { background: var(--panel); border: 1px solid var(--line); border-bottom: 0;
  border-radius: 6px 6px 0 0; padding: .2rem .75rem; color: var(--muted); }
.code { display: grid; grid-template-columns: auto 1fr; border: 1px solid var(--line);
  border-radius: 0 0 6px 6px; margin-bottom: .6rem; padding: .3rem 0; }
.code > .no { color: var(--muted); text-align: right; padding: 0 .75rem; user-select: none }
.code > .source { white-space: pre-wrap; padding-right: .75rem }
.code > .label { padding: 0 .75rem 0 calc(var(--at) * 1ch); color: var(--link) }
.code > .label.primary { color: var(--error) }
.of-warning .code > .label.primary { color: var(--warning) }
mark { color: inherit; background: var(--mark-other); border-radius: 3px }
mark.primary { background: var(--mark) }
ul { margin: .4rem 0; padding-left: 1.2rem } summary { cursor: pointer; margin: .4rem 0 }
table.trace th, table.trace td { padding: .05rem .6rem; border: 0; white-space: nowrap }
table.trace td.then { white-space: normal; min-width: 18rem }
table.trace td.moves { color: var(--text); font-weight: 600 }
table.trace td.life { background: linear-gradient(var(--line), var(--line)) .3rem 0/1px 100%
  no-repeat; }
table.trace .from { color: var(--link); font-weight: 400 }
@media (max-width: 40rem) {
  body { margin: 1rem auto } article { padding: .7rem }
  .code > .label { padding-left: min(calc(var(--at) * 1ch), 2ch) }
  .code > .no { padding: 0 .5rem } }
`;

/** The widths in pixels of the two kinds of wide diagrams. */
export const DIAGRAM_ROOM = { wide: 940, wider: 1040 };

/** For pages with diagrams: where the wide one of two has no room, the narrow one is shown. */
export const FIGURE_STYLE = `
.diagram { overflow-x: auto; margin: .6rem 0; container-type: inline-size }
.diagram .wide { display: none }
@container (min-width: ${DIAGRAM_ROOM.wide}px) {
  .diagram:not(.wider) > .wide { display: block } .diagram:not(.wider) > .narrow { display: none } }
@container (min-width: ${DIAGRAM_ROOM.wider}px) {
  .wider > .wide { display: block } .wider > .narrow { display: none } }
${DIAGRAM_STYLE}
`;
