// Code blocks of the documentation, and the comment before each: its verdict, output and file name.
import { readFileSync } from 'node:fs';

export interface Block {
  /** The line of its opening fence, counted from 1. */
  readonly line: number;
  readonly language: string;
  readonly text: string;
  /** The comment before the block, without its marks. */
  readonly label: string;
  /** The name that the label gives the block for the commands below it, or empty. */
  readonly file: string;
}

export interface Snippet {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  /** Whether it is a kernel to check, or a program to run. */
  readonly verb: 'check' | 'run';
  /**
   * For `check`: `certified`, or the rule that the first finding must have. For `run`: what it
   * prints. Empty when the label is missing.
   */
  readonly expected: string;
}

/** Every fenced block of a page. */
export function blocksOf(page: string): Block[] {
  const lines = page.split('\n');
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; at++) {
    const language = /^```(\w*)$/.exec(lines[at] ?? '')?.[1];
    if (language === undefined) continue;
    const stop = lines.indexOf('```', at + 1);
    const text = lines.slice(at + 1, stop).map((line) => `${line}\n`);
    const comment = /^<!-- (.+) -->$/.exec(lines[at - 1] ?? '')?.[1] ?? '';
    const [label = '', file = ''] = comment.split('; file: ');
    blocks.push({ line: at + 1, language, text: text.join(''), label, file });
    at = stop;
  }
  return blocks;
}

/** Every `ts` block of a Markdown file. */
export function snippetsOf(file: string): Snippet[] {
  return blocksOf(readFileSync(file, 'utf8'))
    .filter(({ language }) => language === 'ts')
    .map(({ line, text, label }) => {
      const [, verb, expected = ''] = /^(check|run): (.+)$/.exec(label) ?? [];
      return { file, line, text, verb: verb === 'run' ? 'run' : 'check', expected };
    });
}
