// Opens every page of the built site, at the width of a phone and at that of a screen.
import { globSync } from 'node:fs';
import { sep } from 'node:path';
import type { Page } from 'playwright-core';
import { accessible, fitsWidth } from '../../../packages/poundlock/test/browser/looks.ts';

/** The kinds of elements on a page: an element and its parent, by tag, classes and own colors. */
const KINDS = `(() => {
  const colors = (style) => style.replaceAll(/[\\d.]+(?:ch|px|rem|%)/g, 'N');
  const kind = (element) => [
    element.localName, ...element.classList, colors(element.getAttribute('style') ?? ''),
  ].join('.');
  const pairs = [...document.querySelectorAll('body *')].map(
    (element) => kind(element.parentElement) + ' > ' + kind(element),
  );
  return [...new Set(pairs)];
})()`;

const PHONE = { width: 375, height: 900 };
const SCREEN = { width: 1280, height: 900 };

export interface EveryPage {
  readonly pages: number;
  /** Pages that axe looked at, which together have each kind of element of the site. */
  readonly examined: number;
}

/**
 * Looks at each page of a folder: none is wider than its window, and axe finds no serious fault.
 * Axe takes seconds for a page, and most pages have only what others have.
 */
export async function lookAtEveryPage(
  page: Page,
  { folder, url }: { readonly folder: string; readonly url: string },
): Promise<EveryPage> {
  const paths = globSync('**/*.html', { cwd: folder }).map((path) => path.split(sep).join('/'));
  const kinds = new Map<string, readonly string[]>();
  await page.setViewportSize(PHONE);
  for (const path of paths.toSorted()) {
    await page.goto(url + path);
    await fitsWidth(page, path);
    kinds.set(path, await page.evaluate<string[]>(KINDS));
  }
  const examined = covering(kinds);
  for (const path of examined) {
    await page.goto(url + path);
    await page.emulateMedia({ colorScheme: 'light' });
    await accessible(page, `${path}, light, ${PHONE.width} pixels`);
    await page.setViewportSize(SCREEN);
    await page.emulateMedia({ colorScheme: 'dark' });
    await fitsWidth(page, path);
    await accessible(page, `${path}, dark, ${SCREEN.width} pixels`);
    await page.setViewportSize(PHONE);
  }
  return { pages: paths.length, examined: examined.length };
}

/** Few pages that have every kind; the one with the most kinds that are missing is the next. */
function covering(kinds: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const missing = new Set([...kinds.values()].flat());
  const chosen: string[] = [];
  while (missing.size > 0) {
    const gain = (path: string) => kinds.get(path)!.filter((kind) => missing.has(kind)).length;
    const best = [...kinds.keys()].reduce((a, b) => (gain(b) > gain(a) ? b : a));
    chosen.push(best);
    for (const kind of kinds.get(best)!) missing.delete(kind);
  }
  return chosen;
}
