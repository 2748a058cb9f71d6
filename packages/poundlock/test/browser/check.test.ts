// tier: release
// `check` answers in a browser what it answers in Node, down to the lines of its findings.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { check, type CheckOptions } from '#src/check/index';
import type { CheckResult } from '../../../core/src/finding/index.ts';
import type { Kernel } from '../../../core/src/program/index.ts';
import { startChromium } from './chromium.ts';
import { ROOT, servePage } from './page-server.ts';

const CORRECT = readdirSync(join(ROOT, 'examples'))
  .filter((name) => name.endsWith('.ts'))
  .map((name) => `examples/${name}`);
/** What the search finds, what the walk beside it finds, and places of every sort. */
const BROKEN = [
  'lapped-lane',
  'loop-captures',
  'missing-drain',
  'nondeterministic-role',
  'one-end-mark',
  'one-stage',
  'tmem-freed-early',
  'use-after-release',
].map((name) => `examples/broken/${name}.ts`);

type Options = Pick<CheckOptions, 'params' | 'replay' | 'example'>;

let browser: Browser | string = 'the browser was not started';
let server: Server;
let origin: string;
let page: Page;
const faults: string[] = [];

before(async () => {
  browser = await startChromium();
  if (typeof browser === 'string') return;
  ({ server, origin } = await servePage());
  page = await browser.newPage();
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) faults.push(message.text());
  });
  await page.goto(origin);
});
after(async () => {
  if (typeof browser === 'string') return;
  await browser.close();
  server.close();
  server.closeAllConnections();
});

/** The JSON of a result without what may differ: where the files are, and how long it took. */
function comparable(json: string, base: string): CheckResult {
  const result = JSON.parse(json.replaceAll(`${base}/`, '')) as CheckResult;
  return { ...result, stats: { ...result.stats, elapsedMs: 0 } };
}

async function inNode(file: string, options: Options): Promise<CheckResult> {
  const url = pathToFileURL(join(ROOT, file)).href;
  const { default: kernel } = (await import(url)) as { default: Kernel };
  return comparable(JSON.stringify(await check(kernel, options)), pathToFileURL(ROOT).href);
}

async function inBrowser(file: string, options: Options): Promise<CheckResult> {
  const call = `checkModule(${JSON.stringify(`${origin}/${file}`)}, ${JSON.stringify(options)})`;
  return comparable(await page.evaluate<string>(call), origin);
}

for (const file of [...CORRECT, ...BROKEN]) {
  test(`${file} has the same JSON in Chromium as in Node`, async (t) => {
    if (typeof browser === 'string') return t.skip(browser);
    const options = { example: true, accept: ['loop-state', 'poll'] } as const;
    const [expected, found] = [await inNode(file, options), await inBrowser(file, options)];
    assert.equal(found.verdict, file.includes('/broken/') ? 'counterexample' : 'certified');
    assert.deepEqual(found, expected);
  });
}

test('a finding points to its line in the source, in a browser too', async (t) => {
  if (typeof browser === 'string') return t.skip(browser);
  const file = 'examples/broken/one-stage.ts';
  const lines = readFileSync(join(ROOT, file), 'utf8').split('\n');
  const [finding] = (await inBrowser(file, {})).findings;
  const places = [finding!.primary, ...finding!.labels];
  assert.deepEqual([...new Set(places.map((place) => place.file))], [file]);
  const shown = places.map(({ line, column }) => lines[line - 1]!.slice(column - 1));
  for (const text of ['produce();', 'acquireConsumer();', 'release();']) {
    assert.ok(shown.includes(text), `${text} is one of ${shown.join(' ')}`);
  }
  for (const step of finding!.trace!) assert.equal(step.file, file);
});

test('parameters and replay tokens mean the same', async (t) => {
  if (typeof browser === 'string') return t.skip(browser);
  const file = 'examples/broken/one-stage.ts';
  const { replayToken: replay } = (await inBrowser(file, {})).findings[0]!;
  const replayed = await inBrowser(file, { replay: replay! });
  assert.deepEqual(replayed, await inNode(file, { replay: replay! }));
  assert.equal(replayed.findings[0]!.rule, 'deadlock');
  const larger = await inBrowser(file, { params: { stages: 2 } });
  assert.equal(larger.verdict, 'certified');
});

test('the page has no complaints', (t) => {
  if (typeof browser === 'string') return t.skip(browser);
  assert.deepEqual(faults, []);
});
