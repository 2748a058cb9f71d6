// tier: release
// Diagrams in a browser: no text covers another one, a telephone shows them, axe finds no fault.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { poundlock } from '../cli/fake-host.ts';
import { startChromium } from './chromium.ts';
import { accessible, fitsWidth } from './looks.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');
const FILES = [
  'examples/broken/early-release.ts',
  'examples/broken/multicast-commit.ts',
  'examples/broken/tmem-freed-early.ts',
  'examples/broken/wrong-start-phase.ts',
  'examples/ptx/tile-sum-early-release.sm90a.ptx',
];
const folder = mkdtempSync(join(import.meta.dirname, 'diagram-'));
const html = join(folder, 'check.html');
const svg = join(folder, 'check.svg');

let browser: Browser | string = 'the browser was not started';
before(async () => {
  browser = await startChromium();
  if (typeof browser === 'string') return;
  const reporters = ['--reporter', `html=${html}`, '--reporter', `svg=${svg}`];
  const { code } = await poundlock(ROOT, ['check', ...FILES, '--sizes', 'requested', ...reporters]);
  assert.equal(code, 1);
});
after(async () => {
  if (typeof browser !== 'string') await browser.close();
  rmSync(folder, { recursive: true, force: true });
});

type Scheme = 'light' | 'dark';

async function open(file: string, width: number, colorScheme: Scheme = 'light'): Promise<Page> {
  const page = await (browser as Browser).newPage({
    viewport: { width, height: 900 },
    colorScheme,
  });
  await page.goto(pathToFileURL(file).href);
  return page;
}

/** Runs in the page: pairs of visible texts of one diagram that cover each other. */
const COVERED = `[...document.querySelectorAll('svg.space-time')]
  .filter((svg) => svg.getBoundingClientRect().width > 0 && !svg.querySelector('svg'))
  .flatMap((svg) => {
    const all = [...svg.querySelectorAll('text')].filter((one) => one.textContent.length > 1);
    const boxes = all.map((one) => [one.getBoundingClientRect(), one.textContent]);
    return boxes.flatMap(([a, text], at) => boxes.slice(at + 1)
      .filter(([b]) => a.left + 1 < b.right && b.left + 1 < a.right
        && a.top + 3 < b.bottom && b.top + 3 < a.bottom)
      .map(([, other]) => text + ' | ' + other));
  })`;

/** Runs in the page: texts that are cut off at an edge of their diagram. */
const CUT_OFF = `[...document.querySelectorAll('svg.space-time')]
  .filter((svg) => svg.getBoundingClientRect().width > 0)
  .flatMap((svg) => {
    const frame = svg.getBoundingClientRect();
    return [...svg.querySelectorAll('text')].filter((one) => {
      const box = one.getBoundingClientRect();
      return box.left < frame.left || box.right > frame.right || box.bottom > frame.bottom;
    }).map((one) => one.textContent);
  })`;

for (const width of [375, 1200]) {
  test(`${width} pixels: no text covers another one or is cut off`, async (t) => {
    if (typeof browser === 'string') return t.skip(browser);
    const page = await open(html, width);
    assert.deepEqual(await page.evaluate(COVERED), []);
    assert.deepEqual(await page.evaluate(CUT_OFF), []);
    const shown = `[...document.querySelectorAll('.diagram svg')]
      .filter((one) => one.getBoundingClientRect().width > 0).length`;
    assert.equal(await page.evaluate(shown), FILES.length);
    await page.close();
  });
}

test('a telephone shows a page without scrolling to the side', async (t) => {
  if (typeof browser === 'string') return t.skip(browser);
  const page = await open(html, 375);
  await fitsWidth(page);
  await page.close();
});

for (const scheme of ['light', 'dark'] as const) {
  test(`axe finds no serious fault in a ${scheme} page`, async (t) => {
    if (typeof browser === 'string') return t.skip(browser);
    const page = await open(html, 1200, scheme);
    await accessible(page);
    await page.close();
  });
}

test('the theme of an element around a diagram wins over that of the system', async (t) => {
  if (typeof browser === 'string') return t.skip(browser);
  const page = await open(html, 1200, 'dark');
  const ink = `getComputedStyle(document.querySelector('svg.space-time')).getPropertyValue('--ink')`;
  const dark = await page.evaluate<string>(ink);
  await page.evaluate("document.body.dataset.theme = 'light'");
  assert.notEqual(await page.evaluate<string>(ink), dark);
  await page.close();
});

test('a file of diagrams is an image and a document, with its table', async (t) => {
  if (typeof browser === 'string') return t.skip(browser);
  const page = await open(svg, 1200);
  assert.equal(await page.evaluate('document.documentElement.tagName'), 'svg');
  assert.deepEqual(await page.evaluate(COVERED), []);
  assert.equal(
    await page.evaluate(`document.querySelectorAll('[role=table]').length`),
    FILES.length,
  );
  await page.close();
});
