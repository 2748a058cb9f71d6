// Code blocks of the documentation, and what a comment before them says of their verdict.
import { readFileSync } from 'node:fs';

export interface Snippet {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  /** `certified`, or the rule that the first finding must have; empty when nobody said. */
  readonly expected: string;
}

/** Every `ts` block of a Markdown file. */
export function snippetsOf(file: string): Snippet[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  const snippets: Snippet[] = [];
  for (let at = 0; at < lines.length; at++) {
    if (lines[at] !== '```ts') continue;
    const end = lines.indexOf('```', at + 1);
    const [, expected = ''] = /<!-- check: (\S+) -->/.exec(lines[at - 1] ?? '') ?? [];
    snippets.push({ file, line: at + 1, text: lines.slice(at + 1, end).join('\n'), expected });
    at = end;
  }
  return snippets;
}
