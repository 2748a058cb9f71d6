// tier: release
// The page of `simulate` draws its charts in a browser, without a network and without a complaint.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { poundlock } from '../cli/fake-host.ts';
import { startChromium } from './chromium.ts';

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

/** Runs in the page: the canvases that are not empty. */
const INKED = `[...document.querySelectorAll('canvas')]
  .filter((canvas) => canvas.getContext('2d')
    .getImageData(0, 0, canvas.width, canvas.height).data.some((value) => value !== 0))
  .map((canvas) => canvas.id)`;

/** The charts of a page that have any ink, by name. */
async function drawn(args: readonly string[], name: string): Promise<string[]> {
  const file = join(folder, name);
  const { code } = await poundlock(folder, [
    'simulate',
    KERNEL,
    ...args,
    '--reporter',
    `html=${file}`,
  ]);
  assert.equal(code, 0);
  const page = await (browser as Browser).newPage({ viewport: { width: 1200, height: 900 } });
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => void faults.push(message.text()));
  page.on('request', (request) => {
    if (!request.url().startsWith('file:')) faults.push(`asks for ${request.url()}`);
  });
  await page.goto(pathToFileURL(file).href);
  await page.waitForSelector('body[data-drawn=yes]');
  const charts = await page.evaluate<string[]>(INKED);
  await page.close();
  assert.deepEqual(faults, []);
  return charts;
}

test('one run has stall bars and a timeline, many runs have a sweep', async (t) => {
  if (typeof browser === 'string') return t.skip(browser);
  assert.deepEqual(await drawn(['--set', 'kBlocks=16'], 'one.html'), ['stalls', 'timeline']);
  const sweep = ['--sweep', 'stages=2..5', '--set', 'kBlocks=16'];
  assert.deepEqual(await drawn(sweep, 'many.html'), ['sweep']);
});
