// Makes a built site work under any path: every address in it becomes relative to its page.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';

/** The base that Astro builds for; it is in no file when this is done. */
export const BASE = '/__base__';

/** An attribute with an address from the root, and each of several in a `srcset`. */
const ATTRIBUTE = /(\s(?:href|src|poster|action|data-href)=)(["'])\/(?!\/)([^"']*)\2/g;

/** Rewrites all pages and scripts of a folder. `root` is where an error page looks for its files. */
export function relocate(folder: string, root: string): void {
  for (const file of filesOf(folder, '**/*.html')) {
    const path = join(folder, file);
    const up = file === '404.html' ? root : '../'.repeat(file.split('/').length - 1) || './';
    writeFileSync(path, relocated(readFileSync(path, 'utf8'), up, posix.dirname(file)));
  }
  for (const file of filesOf(folder, '_astro/*.{js,css}')) {
    const path = join(folder, file);
    const text = readFileSync(path, 'utf8');
    const changed = file.endsWith('.js') ? relocatedScript(text) : relocatedStyle(text);
    if (changed.includes(BASE)) throw new Error(`${file} has an address that stays absolute`);
    writeFileSync(path, changed);
  }
}

function filesOf(folder: string, pattern: string): string[] {
  return globSync(pattern, { cwd: folder }).map((file) => file.split(sep).join('/'));
}

/** The text of a page with addresses relative to it; `up` leads to the root. */
export function relocated(html: string, up: string, page = '.'): string {
  const text = html.replaceAll(ATTRIBUTE, (_, name: string, quote: string, target: string) => {
    const path = `/${target}`.startsWith(`${BASE}/`) ? target.slice(BASE.length) : target;
    return `${name}${quote}${up}${path === BASE.slice(1) ? '' : path}${quote}`;
  });
  if (text.includes(BASE)) throw new Error(`the page ${page} has an address that stays absolute`);
  return text;
}

/** A script in `_astro`, one folder below the root: its literals that begin with the base. */
export function relocatedScript(text: string): string {
  const root = '(new URL("..",import.meta.url).pathname)';
  const literal = new RegExp(`([\`"'])${BASE}(/?)`, 'g');
  // The path of a URL ends in a slash; the base alone has none.
  return text.replaceAll(literal, (_, quote: string, slash: string) => {
    const up = slash === '' ? `${root}.slice(0,-1)` : root;
    return `${up}+${quote}`;
  });
}

/** A style in `_astro`, which names files beside itself. */
function relocatedStyle(text: string): string {
  return text.replaceAll(`${BASE}/_astro/`, './').replaceAll(`${BASE}/`, '../');
}
