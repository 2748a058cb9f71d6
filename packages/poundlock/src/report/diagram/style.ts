// The style of diagrams.
import { paletteOf } from '../palette.ts';

const HUE_RULES = Array.from(
  { length: 8 },
  (_, hue) => `.space-time .hue${hue}{fill:var(--hue-${hue})}`,
);

/** The rules for every diagram of a page, and for a file of its own. */
export const DIAGRAM_STYLE = `
${paletteOf('space-time')}
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
