// Lists the Markdown pages of the repository and the links and anchors in each.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { ROOT } from '../../packages/poundlock/test/golden/golden.ts';

/** Folders without pages of ours: dependencies, build output, test data. */
const SKIPPED = /^(?:node_modules|dist|lib|coverage|golden|fixtures|cases|snippet-.*|\..+)$/;

export interface Link {
  readonly line: number;
  /** As it is written, with its anchor. */
  readonly target: string;
}

/** The Markdown files under a folder of the repository, as paths from its root. */
export function pagesUnder(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return SKIPPED.test(entry.name) ? [] : pagesUnder(path);
      return entry.name.endsWith('.md') ? [relative('.', path).split(sep).join('/')] : [];
    })
    .toSorted();
}

/** The text of a page outside of its code blocks, line for line. */
export function proseOf(text: string): string[] {
  let fence = '';
  return text.split('\n').map((line) => {
    const mark = /^\s*(```+|~~~+)/.exec(line)?.[1] ?? '';
    if (fence === '' && mark !== '') fence = mark;
    else if (fence !== '' && mark.startsWith(fence)) fence = '';
    else if (fence === '') return line;
    return '';
  });
}

/** Links and pictures of a page, without those to other sites. */
export function linksOf(text: string): Link[] {
  return proseOf(text).flatMap((line, at) => {
    const plain = line.replaceAll(/`[^`]*`(?!\])/g, '');
    const written = [...plain.matchAll(/\]\((?<to>[^()\s]+)\)|(?:src|srcset)="(?<from>[^"]+)"/g)];
    return written
      .map(({ groups }) => groups?.['to'] ?? groups?.['from'] ?? '')
      .filter((target) => !/^[a-z]+:/.test(target))
      .map((target) => ({ line: at + 1, target }));
  });
}

/** The anchors that GitHub makes of the headings of a page. */
export function anchorsOf(text: string): string[] {
  const seen = new Map<string, number>();
  return proseOf(text)
    .flatMap((line) => /^#{1,6} +(.+?)\s*#*$/.exec(line)?.[1] ?? [])
    .map((heading) => {
      const words = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
      const slug = words.replaceAll(/[^\p{L}\p{N}\- _]/gu, '').replaceAll(' ', '-');
      const count = seen.get(slug) ?? 0;
      seen.set(slug, count + 1);
      return count === 0 ? slug : `${slug}-${count}`;
    });
}

export function textOf(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8');
}
