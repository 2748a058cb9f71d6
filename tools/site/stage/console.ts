// Commands with their output in pages: painted as on a terminal, where Markdown has plain text.
import { ANSI } from '../../../packages/poundlock/src/report/paint.ts';

const BLOCK = /```console(?<meta>[^\n]*)\n(?<text>[\s\S]*?)\n```(?=\n|$)/g;

/** The page with its blocks of commands and output as ANSI text. */
export function withTerminals(body: string): string {
  return body.replaceAll(BLOCK, (_, meta: string, text: string) => {
    const lines = text.split('\n').map(painted).join('\n');
    return `\`\`\`ansi${meta} frame="terminal"\n${lines}\n\`\`\``;
  });
}

const VERDICTS = { certified: 'good', counterexample: 'error', inconclusive: 'warning' } as const;

/** A line with the colors that the terminal reporter gives it, as far as the text shows them. */
export function painted(line: string): string {
  const finding = /^(error|warning)(\[[\w-]+\])?(:.*)$/.exec(line);
  if (finding !== null) {
    const [, severity = '', rule = '', rest = ''] = finding;
    return ANSI[severity as 'error' | 'warning'](ANSI.strong(severity + rule)) + ANSI.strong(rest);
  }
  if (line.startsWith('$ ')) return ANSI.strong(line);
  const verdict = /^(certified|counterexample|inconclusive)\b/.exec(line)?.[1];
  if (verdict !== undefined) {
    const paint = ANSI[VERDICTS[verdict as keyof typeof VERDICTS]];
    return paint(ANSI.strong(verdict)) + line.slice(verdict.length);
  }
  if (/^ *│ *\^/.test(line)) return ANSI.frame(line);
  const gutter = /^ *(?:\d+ *│|│|╭─|╰─)/.exec(line)?.[0];
  if (gutter !== undefined) return ANSI.frame(gutter) + line.slice(gutter.length);
  const word = /^ +(?:note|help|also|replay):/.exec(line)?.[0];
  return word === undefined ? line : ANSI.strong(word) + line.slice(word.length);
}
