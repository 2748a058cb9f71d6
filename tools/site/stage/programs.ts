// Kernels in pages: what the tests expect of each, and the link that opens it in the playground.
import { isRule } from '../../../packages/core/src/finding/rule.ts';
import { escaped } from '../../../packages/poundlock/src/report/html/text.ts';
import { playgroundLink } from './playground.ts';

/** A block of TypeScript, with the comment that says what a test expects of it. */
const BLOCK = /(?:<!-- check: (?<check>[^>]*?) -->\n)?```ts\n(?<program>[\s\S]*?)\n```(?=\n|$)/g;

/** What a program can import in the playground. */
const IMPORT = /from '([^']+)'/g;
const KNOWN = /^poundlock(?:\/(?:cute|sm100|check))?$/;

/** Whether the playground can run a text: a whole kernel that imports no other file. */
export function isWhole(program: string): boolean {
  if (!program.includes('export default')) return false;
  return [...program.matchAll(IMPORT)].every(([, from = '']) => KNOWN.test(from));
}

/** The page with a line below each whole kernel: its verdict, and its link. */
export function withPlayground(body: string): string {
  return body.replaceAll(BLOCK, (block, ...rest: unknown[]) => {
    const groups = rest.at(-1) as { check?: string; program: string };
    const { check, program } = groups;
    if (!isWhole(program)) return block;
    const [verdict = '', ...settings] = (check ?? '').split(';').map((word) => word.trim());
    const file = settings.find((word) => word.startsWith('file: '))?.slice('file: '.length);
    const title = file === undefined ? '' : ` title="${file}"`;
    const isShown = verdict === 'certified' || isRule(verdict);
    const line = actionsOf(program, isShown ? verdict : '');
    return `\`\`\`ts${title}\n${program}\n\`\`\`${line === '' ? '' : `\n\n${line}`}`;
  });
}

/** The line below a program; empty where there is nothing to say. */
function actionsOf(program: string, verdict: string): string {
  return actionLine([verdict === '' ? '' : verdictBadge(verdict), playgroundAnchor(program)]);
}

/** A line of links and verdicts; empty where all of them are. */
export function actionLine(parts: readonly string[]): string {
  const shown = parts.filter((part) => part !== '');
  return shown.length === 0 ? '' : `<p class="program-actions">${shown.join(' ')}</p>`;
}

/** *certified*, or the rule that a program breaks, with a link to its page. */
function verdictBadge(verdict: string): string {
  if (verdict === 'certified') return '<span class="verdict certified">certified</span>';
  const rule = escaped(verdict);
  return `<a class="verdict rejected" href="/rules/${rule}/">${rule}</a>`;
}

export function playgroundAnchor(program: string): string {
  return anchorTo(isWhole(program) ? playgroundLink(program) : null);
}

/** A link to the playground; empty for none. */
export function anchorTo(link: string | null, words = 'Open in playground'): string {
  return link === null ? '' : `<a class="open-in-playground" href="${link}">${words}</a>`;
}
