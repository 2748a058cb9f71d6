// Follows every link of a built site: pages, files and anchors; nothing is asked of the network.
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join, posix, sep } from 'node:path';

const LINK = /\s(?:href|src)=(?:"([^"]*)"|'([^']*)')/g;
const ANCHOR = /\s(?:id|name)=(?:"([^"]*)"|'([^']*)')/g;
/** Addresses that a browser loads from elsewhere with the page. */
const LOADED = /<(?:script|img|iframe|source|link)\b[^>]*\s(?:src|href)=["']https?:[^>]*>/g;
const MAX_REPORTED = 50;

/** What is wrong with the links of a folder, one line each; no more than a few. */
export function brokenLinks(folder: string): string[] {
  const pages = globSync('**/*.html', { cwd: folder }).map((file) => file.split(sep).join('/'));
  const texts = new Map(
    pages.map((page) => [page, withoutScripts(readFileSync(join(folder, page), 'utf8'))]),
  );
  const anchors = new Map([...texts].map(([page, text]) => [page, anchorsOf(text)]));
  // The error page has no place, and an application in a folder of its own has its own tests.
  const own = pages.filter((page) => page !== '404.html' && !page.startsWith('playground/'));
  const faults = own.flatMap((page) => {
    const text = texts.get(page)!;
    const loaded = (text.match(LOADED) ?? []).filter((tag) => !/rel="canonical"/.test(tag));
    const broken = linksOf(text).filter((link) => !leads(folder, page, link, anchors));
    return [
      ...loaded.map((tag) => `${page}: loads ${tag}`),
      ...broken.map((link) => `${page}: ${link} leads nowhere`),
    ];
  });
  return faults.slice(0, MAX_REPORTED);
}

function withoutScripts(html: string): string {
  return html.replaceAll(/(<script\b[^>]*>)[\s\S]*?<\/script>/g, '$1');
}

function anchorsOf(html: string): Set<string> {
  return new Set([...html.matchAll(ANCHOR)].map(([, a, b]) => decoded(a ?? b ?? '')));
}

function linksOf(html: string): string[] {
  const links = [...html.matchAll(LINK)].map(([, a, b]) => decoded(a ?? b ?? ''));
  return [...new Set(links)].filter((link) => !/^(?:[a-z]+:|\/\/)/i.test(link));
}

function decoded(text: string): string {
  return text.replaceAll('&#x26;', '&').replaceAll('&amp;', '&').replaceAll('&#38;', '&');
}

/** Whether a link leads to a file, and to an anchor of it that exists. */
function leads(
  folder: string,
  page: string,
  link: string,
  anchors: ReadonlyMap<string, ReadonlySet<string>>,
): boolean {
  const [path = '', anchor = ''] = link.split('#');
  const plain = decodeURIComponent(path.split('?')[0]!);
  const file = plain === '' ? page : posix.normalize(posix.join(posix.dirname(page), plain));
  if (file.startsWith('..') || plain.startsWith('/')) return false;
  const full = join(folder, file);
  if (!existsSync(full)) return false;
  const target = statSync(full).isDirectory() ? posix.join(file, 'index.html') : file;
  if (!existsSync(join(folder, target))) return false;
  // Fragments of the playground are programs, and `_top` is the top of any page.
  if (anchor === '' || anchor === '_top' || target.startsWith('playground/')) return true;
  return anchors.get(target)?.has(decodeURIComponent(anchor)) ?? true;
}
