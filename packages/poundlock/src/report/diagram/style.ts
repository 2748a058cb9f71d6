// The style of diagrams: light or dark by the system's setting, or by `data-theme` around them.

const LIGHT = `--ink:#1b2733;--soft:#51606e;--rule:#c5d0da;--paper:#fff;--pass:#1a7f37;
--issue:#8a97a3;--bad:#b3261e;--bad-back:#fdeceb;--warn:#8a5a00;--warn-back:#fdf3dc;
--starve:#e3e7eb;--hue-none:#9db0c2;--hue-0:#6aa5e3;--hue-1:#e8a04c;--hue-2:#6fbf8b;
--hue-3:#c58bd9;--hue-4:#e38d9a;--hue-5:#5fbfc4;--hue-6:#c2ad4e;--hue-7:#a3a0e6`;
const DARK = `--ink:#dce3ea;--soft:#9aa8b5;--rule:#3d4955;--paper:#10151b;--pass:#5fd47a;
--issue:#6b7885;--bad:#ff8a80;--bad-back:#3a1d1c;--warn:#e3b341;--warn-back:#33290f;
--starve:#252d36;--hue-none:#5b7188;--hue-0:#2f6fb3;--hue-1:#a8651b;--hue-2:#2f8450;
--hue-3:#8b50a0;--hue-4:#a94d5d;--hue-5:#24838a;--hue-6:#85731f;--hue-7:#6461b8`;

const HUE_RULES = Array.from(
  { length: 8 },
  (_, hue) => `.space-time .hue${hue}{fill:var(--hue-${hue})}`,
);

/** The rules for every diagram of a page, and for a file of its own. */
export const DIAGRAM_STYLE = `
.space-time{${LIGHT}}
@media (prefers-color-scheme:dark){.space-time{${DARK}}}
[data-theme=light] .space-time,.space-time[data-theme=light]{${LIGHT}}
[data-theme=dark] .space-time,.space-time[data-theme=dark]{${DARK}}
.space-time{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;
background:var(--paper)}
.space-time text{fill:var(--ink)}
.space-time .paper{fill:var(--paper)}
.space-time .halo{paint-order:stroke;stroke:var(--paper);stroke-width:3px;stroke-linejoin:round}
.space-time .soft{fill:var(--soft)}
.space-time .strong{font-weight:700}
.space-time .bad{fill:var(--bad)}
.space-time .warn{fill:var(--warn)}
.space-time .good{fill:var(--pass)}
.space-time .end{text-anchor:end}
.space-time .middle{text-anchor:middle}
.space-time .life{stroke:var(--rule);stroke-width:1.5;fill:none}
.space-time .life.unit{stroke-dasharray:2 4}
.space-time .wait{stroke:var(--soft);stroke-width:1.5;stroke-dasharray:4 4;fill:none}
.space-time .starving{fill:var(--starve)}
.space-time .passes{stroke:var(--pass);stroke-width:1.4;fill:none}
.space-time .tip{fill:var(--pass)}
.space-time .issues{stroke:var(--issue);stroke-dasharray:2 3;fill:none}
.space-time .owes{stroke:var(--bad);stroke-width:1.3;stroke-dasharray:5 3;fill:none}
.space-time .owes-tip{fill:var(--bad)}
.space-time .mark{fill:var(--ink)}
.space-time .unit-mark{fill:var(--paper);stroke:var(--ink);stroke-width:1.6}
.space-time .ring{fill:none;stroke:var(--bad);stroke-width:2}
.space-time .ring.of-warning{stroke:var(--warn)}
.space-time .failing{fill:var(--bad-back)}
.space-time .failing.of-warning{fill:var(--warn-back)}
.space-time .cross{stroke:var(--bad);stroke-width:2.2;fill:none}
.space-time .stop{stroke:var(--soft);stroke-width:2;fill:none}
.space-time .hue{fill:var(--hue-none)}
${HUE_RULES.join('\n')}
.space-time .open{stroke:var(--bad);stroke-width:1.6}
.space-time .box{fill:none;stroke:var(--soft)}
.space-time .box.full{fill:var(--soft)}
.space-time .gap{stroke:var(--rule);stroke-dasharray:1 3}
`.replaceAll(/^\n|\n$/g, '');
