// Code blocks of the documentation, and what a comment before them says of their verdict.
import { readFileSync } from 'node:fs';

export interface Snippet {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  /** Whether it is a kernel to check, or a program to run. */
  readonly verb: 'check' | 'run';
  /**
   * For `check`: `certified`, or the rule that the first finding must have. For `run`: what it
   * prints. Empty when nobody said.
   */
  readonly expected: string;
}

/** Every `ts` block of a Markdown file. */
export function snippetsOf(file: string): Snippet[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  const snippets: Snippet[] = [];
  for (let at = 0; at < lines.length; at++) {
    if (lines[at] !== '```ts') continue;
    const stop = lines.indexOf('```', at + 1);
    const label = /<!-- (check|run): (.+) -->/.exec(lines[at - 1] ?? '');
    const verb = label?.[1] === 'run' ? 'run' : 'check';
    const text = lines.slice(at + 1, stop).join('\n');
    snippets.push({ file, line: at + 1, text, verb, expected: label?.[2] ?? '' });
    at = stop;
  }
  return snippets;
}
