// tier: release
// Rings between a page and its worker: the main thread waits without blocking, and receives faults.
import assert from 'node:assert/strict';
import type { Server } from 'node:http';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { startChromium } from './chromium.ts';
import { servePage } from './page-server.ts';

let browser: Browser | string = 'the browser was not started';
let server: Server;
let page: Page;

before(async () => {
  browser = await startChromium();
  if (typeof browser === 'string') return;
  const served = await servePage();
  ({ server } = served);
  page = await browser.newPage();
  await page.goto(served.origin);
});
after(async () => {
  if (typeof browser === 'string') return;
  await browser.close();
  server.close();
  server.closeAllConnections();
});

test('the page may share memory', async (t) => {
  if (typeof browser === 'string') return t.skip(browser);
  assert.equal(await page.evaluate('crossOriginIsolated'), true);
});

test('numbers go to a worker and come back, and no wait blocks the page', async (t) => {
  if (typeof browser === 'string') return t.skip(browser);
  const { sum, ticks } = await page.evaluate<{ sum: number; ticks: number }>('sumOfSquares(2000)');
  assert.equal(sum, (1999 * 2000 * 3999) / 6);
  assert.ok(ticks > 0, 'timers ran meanwhile');
});

test('an error that leaves the worker reaches the page that waits', async (t) => {
  if (typeof browser === 'string') return t.skip(browser);
  const message = await page.evaluate<string>(
    'sumOfSquares(2000, 7).catch((error) => error.message)',
  );
  assert.match(message, /ring \w+: (?:consumer|producer) squarer failed.*a broken number/);
});

test('a wait that would block the page is refused in one line', async (t) => {
  if (typeof browser === 'string') return t.skip(browser);
  const acquire = await page.evaluate<string>("blocked('acquire')");
  assert.match(acquire, /^RingMisuse: consumer page cannot block here: use acquire\(\)/);
  const drain = await page.evaluate<string>("blocked('drain')");
  assert.match(drain, /^RingMisuse: producer page cannot block here: use acquire\(\) or drain\(\)/);
});

for (const how of ['terminate', 'block', 'close', 'throw']) {
  test(`the page learns that its worker has ended: ${how}`, async (t) => {
    if (typeof browser === 'string') return t.skip(browser);
    const { ms, name, cause } = await page.evaluate<{ ms: number; name: string; cause: string }>(
      `afterDeath(${JSON.stringify(how)})`,
    );
    assert.equal(name, 'RingPoisoned');
    assert.match(cause, how === 'throw' ? /a broken number/ : /terminated, or it crashed/);
    t.diagnostic(`${ms.toFixed(1)} ms`);
  });
}

for (const how of ['block', 'block at once']) {
  test(`a worker that does not answer is not taken for dead: ${how}`, async (t) => {
    if (typeof browser === 'string') return t.skip(browser);
    assert.equal(await page.evaluate(`afterBlocking(${JSON.stringify(how)}, 3000)`), null);
  });
}

test('APIs that refuse shared memory take a copy', async (t) => {
  if (typeof browser === 'string') return t.skip(browser);
  assert.deepEqual(await page.evaluate('copied()'), ['hi', 20, 'hi']);
});

test('a pipe runs on workers of the page', async (t) => {
  if (typeof browser === 'string') return t.skip(browser);
  const seen = await page.evaluate(`(async () => {
    const { pipe } = await import('/ring/lib/public.js');
    const text = 'export const invert = (n) => { if (n === 0) throw new RangeError("0"); return 1 / n; };';
    const invert = new URL(URL.createObjectURL(new Blob([text], { type: 'text/javascript' })));
    const seen = [];
    const push = (item) => void seen.push(item);
    await pipe([1, 2, 4], { invert, workers: 2, ordered: true }, push).done;
    for (const item of [0, new Map()]) {
      await pipe([item], { invert }, push).done.catch((error) => push(error.message));
    }
    return seen;
  })()`);
  const [one, half, quarter, thrown, refused] = seen as unknown[];
  assert.deepEqual([one, half, quarter], [1, 0.5, 0.25]);
  assert.equal(thrown, 'pipe pipe: invert failed in worker 0: RangeError: 0');
  assert.match(String(refused), /source failed: InputError: .*Map.* which JSON has no form of/);
});
