// The colors of all drawings of time: light or dark by the system, or by `data-theme` around them.

const LIGHT = `--ink:#1b2733;--soft:#51606e;--rule:#c5d0da;--paper:#fff;--pass:#1a7f37;
--issue:#8a97a3;--bad:#b3261e;--bad-back:#fdeceb;--warn:#8a5a00;--warn-back:#fdf3dc;
--starve:#e3e7eb;--hue-none:#9db0c2;--hue-0:#6aa5e3;--hue-1:#e8a04c;--hue-2:#6fbf8b;
--hue-3:#c58bd9;--hue-4:#e38d9a;--hue-5:#5fbfc4;--hue-6:#c2ad4e;--hue-7:#a3a0e6;
--works:#3f7fbf;--for-data:#d08a2e;--for-space:#b5564e;--for-unit:#8a6fb0;--flight:#6f9a84`;
const DARK = `--ink:#dce3ea;--soft:#9aa8b5;--rule:#3d4955;--paper:#10151b;--pass:#5fd47a;
--issue:#6b7885;--bad:#ff8a80;--bad-back:#3a1d1c;--warn:#e3b341;--warn-back:#33290f;
--starve:#252d36;--hue-none:#5b7188;--hue-0:#2f6fb3;--hue-1:#a8651b;--hue-2:#2f8450;
--hue-3:#8b50a0;--hue-4:#a94d5d;--hue-5:#24838a;--hue-6:#85731f;--hue-7:#6461b8;
--works:#4a90d9;--for-data:#dd9a41;--for-space:#d06a61;--for-unit:#a58bcb;--flight:#78a88f`;

/** The rules that give elements of a class the colors. */
export function paletteOf(name: string): string {
  return `.${name}{${LIGHT}}
@media (prefers-color-scheme:dark){.${name}{${DARK}}}
[data-theme=light] .${name},.${name}[data-theme=light]{${LIGHT}}
[data-theme=dark] .${name},.${name}[data-theme=dark]{${DARK}}`;
}
