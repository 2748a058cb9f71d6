// Links between files of the repository, as links between pages of the site.
import { posix } from 'node:path';
import { addressOf, hrefOf } from './addresses.ts';
import { exists, REPOSITORY } from './repository.ts';

/** The pictures of the documentation, which are copied as they are. */
const PICTURES = /^docs\/(pictures\/.+)$/;

/** What a link of a file leads to on the site, or in the repository where that is no page. */
export function siteLink(from: string, target: string): string {
  if (/^[a-z]+:/.test(target) || target.startsWith('#')) return target;
  const [path = '', anchor] = target.split('#');
  const file = posix.normalize(posix.join(posix.dirname(from), path)).replace(/\/$/, '');
  const picture = PICTURES.exec(file)?.[1];
  if (!exists(file)) throw new Error(`${from}: the link ${target} leads to no file`);
  if (picture !== undefined) return `/${picture}`;
  const address = addressOf(file);
  const end = anchor === undefined ? '' : `#${anchor}`;
  if (address !== undefined) return hrefOf(address.includes('#') ? address : address + end);
  return `${REPOSITORY}/${/\.\w+$/.test(file) ? 'blob' : 'tree'}/main/${file}${end}`;
}

/** The text with all its links rewritten; code stays as it is. */
export function withSiteLinks(from: string, text: string): string {
  return eachProseLine(text, (line) =>
    line
      .split(/(`[^`]*`)/)
      .map((part, at) => (at % 2 === 1 ? part : rewritten(from, part)))
      .join(''),
  );
}

function rewritten(from: string, text: string): string {
  return text
    .replaceAll(/\]\(([^()\s]+)\)/g, (_, target: string) => `](${siteLink(from, target)})`)
    .replaceAll(/(src|srcset)="([^"]+)"/g, (_, name: string, target: string) => {
      return `${name}="${siteLink(from, target)}"`;
    });
}

/** The text with its lines outside of code blocks replaced. */
export function eachProseLine(text: string, change: (line: string) => string): string {
  let fence = '';
  const lines = text.split('\n').map((line) => {
    const mark = /^\s*(```+|~~~+)/.exec(line)?.[1] ?? '';
    if (fence === '' && mark !== '') fence = mark;
    else if (fence !== '' && mark.startsWith(fence)) fence = '';
    else if (fence === '') return change(line);
    return line;
  });
  return lines.join('\n');
}
