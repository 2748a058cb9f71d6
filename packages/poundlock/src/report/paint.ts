// Colors, injected: a renderer names the meaning of a word, the paint chooses its style.

/** How the parts of a rendering are painted. Every function keeps the visible text as it is. */
export interface Paint {
  readonly error: (text: string) => string;
  readonly warning: (text: string) => string;
  readonly good: (text: string) => string;
  /** The gutter of a code frame, the position of a label, a heading. */
  readonly frame: (text: string) => string;
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
}

const same = (text: string) => text;

/** No colors. */
export const PLAIN: Paint = {
  error: same,
  warning: same,
  good: same,
  frame: same,
  strong: same,
  faint: same,
};

function style(open: number, close: number): (text: string) => string {
  return (text) => (text === '' ? '' : `\u001b[${open}m${text}\u001b[${close}m`);
}

/** The sixteen colors that every terminal has, so that the user's theme applies. */
export const ANSI: Paint = {
  error: style(31, 39),
  warning: style(33, 39),
  good: style(32, 39),
  frame: style(36, 39),
  strong: style(1, 22),
  faint: style(2, 22),
};
