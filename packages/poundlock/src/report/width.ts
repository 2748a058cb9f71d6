// The width of text in terminal columns, for the alignment of carets.

const CONTROL = /\p{Cc}/gu;
const NO_COLUMN = /\p{M}|\u200b|\u200d|\ufe0f/u;
const EAST_ASIAN = /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff]/u;
const FULL_WIDTH = /[\ufe30-\ufe6f\uff01-\uff60]|\p{Emoji_Presentation}/u;
const TAB_COLUMNS = 4;

function widthOfCharacter(character: string): number {
  if (NO_COLUMN.test(character)) return 0;
  return EAST_ASIAN.test(character) || FULL_WIDTH.test(character) ? 2 : 1;
}

/** The number of terminal columns of `text`. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += widthOfCharacter(character);
  return width;
}

/** `text` padded with spaces to `width` columns. */
export function padded(text: string, width: number, side: 'left' | 'right' = 'right'): string {
  const spaces = ' '.repeat(Math.max(0, width - widthOf(text)));
  return side === 'right' ? text + spaces : spaces + text;
}

/** `text` with tabs expanded and without characters that move the cursor. */
export function expandTabs(text: string): string {
  let expanded = '';
  let width = 0;
  for (const character of text) {
    const shown = character === '\t' ? ' '.repeat(TAB_COLUMNS - (width % TAB_COLUMNS)) : character;
    expanded += shown;
    width += widthOf(shown);
  }
  return expanded.replace(CONTROL, ' ');
}
