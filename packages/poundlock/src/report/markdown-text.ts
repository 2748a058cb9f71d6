// Text inside Markdown: nothing of it may be taken for markup.

/** `text` where only words are wanted. */
export function escaped(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>|~&]/g, '\\$&').replaceAll(/\s+/g, ' ');
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}

/** `text` in a line, as code. */
export function codeSpan(text: string): string {
  const fence = '`'.repeat(longestRun(text) + 1);
  const space = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${fence}${space}${text}${space}${fence}`;
}

/** Lines of code as a block. */
export function codeBlock(language: string, lines: readonly string[]): string[] {
  const text = lines.join('\n');
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return [`${fence}${language}`, text, fence];
}

/** A table; the cells are Markdown already. */
export function markdownTable(
  heading: readonly { readonly title: string; readonly isNumber: boolean }[],
  rows: readonly (readonly string[])[],
): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    line(heading.map(({ title }) => title)),
    line(heading.map(({ isNumber }) => (isNumber ? '---:' : '---'))),
    ...rows.map(line),
  ];
}
