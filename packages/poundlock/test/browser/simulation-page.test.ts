// tier: release
// Pages with charts, of simulate, sweep and advise, in narrow browsers, without a complaint.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { poundlock } from '../cli/fake-host.ts';
import { startChromium } from './chromium.ts';
import { accessible, becomes, fitsWidth } from './looks.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');
const KERNEL = join(ROOT, 'examples', 'h200', 'tensor-core.ts');
const folder = mkdtempSync(join(import.meta.dirname, 'page-'));

let browser: Browser | string = 'the browser was not started';
before(async () => {
  browser = await startChromium();
});
after(async () => {
  if (typeof browser !== 'string') await browser.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The texts of the charts of a page that have any mark. */
async function charts(args: readonly string[], name: string): Promise<(string | null)[]> {
  return chartsOf(['simulate', KERNEL, ...args, '--reporter'], 'html=', name);
}

/** The same of any command, whose last word names the file. */
async function chartsOf(
  words: readonly string[],
  before: string,
  name: string,
): Promise<(string | null)[]> {
  const file = join(folder, name);
  assert.equal((await poundlock(folder, [...words, `${before}${file}`])).code, 0);
  const page = await (browser as Browser).newPage({ viewport: { width: 375, height: 900 } });
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => void faults.push(message.text()));
  page.on('request', (request) => {
    if (!request.url().startsWith('file:')) faults.push(`asks for ${request.url()}`);
  });
  await page.goto(pathToFileURL(file).href);
  await fitsWidth(page);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await accessible(page, `${name}, ${colorScheme}`);
  }
  const drawn = await page.locator('svg:is(:has(rect), :has(path.line))').all();
  const texts = await Promise.all(drawn.map((chart) => chart.getAttribute('aria-label')));
  await page.close();
  assert.deepEqual(faults, []);
  return texts;
}

test('one run has stall bars and a timeline, many runs have a sweep', async (t) => {
  if (typeof browser === 'string') return t.skip(browser);
  const [stalls, timeline, ...others] = await charts(['--set', 'kBlocks=16'], 'one.html');
  assert.match(stalls!, /^cycles of each role/);
  assert.match(timeline!, /^timeline of roles and units, cycles 0 to [\d,]+/);
  assert.deepEqual(others, []);
  const sweep = ['--sweep', 'stages=2..5', '--set', 'kBlocks=16'];
  assert.deepEqual(await charts(sweep, 'many.html'), ['cycles over stages']);
});

test('a sweep draws its fastest row, and advice the run as it is, with the same timeline', async (t) => {
  if (typeof browser === 'string') return t.skip(browser);
  const gemm = join(ROOT, 'examples', 'gemm.ts');
  const rows = await chartsOf(['sweep', gemm, '--over', 'stages=1..3', '--html'], '', 'rows.html');
  assert.equal(rows.filter((about) => about?.startsWith('timeline of roles')).length, 1);
  const [timeline, ...others] = await chartsOf(
    ['advise', gemm, '--reporter'],
    'html=',
    'advice.html',
  );
  assert.match(timeline!, /^timeline of roles and units, cycles 0 to [\d,]+/);
  assert.deepEqual(others, []);
  const better = ['advise', gemm, '--set', 'stages=1', '--reporter'];
  assert.equal((await chartsOf(better, 'html=', 'better.html')).length, 2, 'before and after');
});

test('keys, buttons and the wheel zoom the timeline of a page', async (t) => {
  if (typeof browser === 'string') return t.skip(browser);
  const file = join(folder, 'zoom.html');
  await poundlock(folder, [
    'simulate',
    KERNEL,
    '--set',
    'kBlocks=16',
    '--reporter',
    `html=${file}`,
  ]);
  const page = await browser.newPage();
  await page.goto(pathToFileURL(file).href);
  const pane = page.locator('.bars > div:has(> svg.dense)');
  const found = "document.querySelector('.bars > div:has(> svg.dense)')";
  const widen = (): Promise<number> =>
    page.evaluate<number>(`${found}.scrollWidth / ${found}.clientWidth`);
  const ticks = (): Promise<number> => pane.locator('.tick:visible').count();
  const coarse = await ticks();
  await pane.hover();
  await page.mouse.wheel(0, -100);
  assert.equal(await widen(), 1, 'the wheel scrolls the page at first');
  await pane.focus();
  for (let times = 0; times < 8; times++) await page.keyboard.press('+');
  const close = await widen();
  assert.ok(close > 4 && (await ticks()) > coarse);
  await page.mouse.wheel(0, -100);
  await becomes(page, `${found}.scrollWidth / ${found}.clientWidth > ${close * 1.1}`);
  await accessible(page, 'zoomed');
  await page.getByRole('button', { name: 'all of it' }).click();
  assert.equal(await widen(), 1);
  await page.close();
});
