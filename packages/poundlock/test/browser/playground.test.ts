// tier: release
// The playground in a browser without a network: programs, PTX, links, and what a program can reach.
import assert from 'node:assert/strict';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { writeProgram } from '#src/explore/index';
import { poundlock } from '../cli/fake-host.ts';
import { startChromium } from './chromium.ts';
import { accessible, becomes, fitsWidth } from './looks.ts';
import { serveFolder, type Served } from './folder-server.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');
const folder = mkdtempSync(join(import.meta.dirname, 'playground-'));
const MAX_BYTES = 6_000_000;
const WAIT_MS = 60_000;

let browser: Browser | string = 'the browser was not started';
let served: Served | undefined;
let address = '';
/** What pages complain about, and requests to other origins, which do not leave this machine. */
const faults: string[] = [];

before(async () => {
  browser = await startChromium();
  if (typeof browser === 'string') return;
  const { bundlePlayground } = (await import(join(ROOT, 'tools', 'playground', 'build.mjs'))) as {
    bundlePlayground: (folder: string) => Promise<void>;
  };
  await bundlePlayground(folder);
  served = await serveFolder(folder, '/any/path/');
  address = served.url;
});
after(async () => {
  if (typeof browser !== 'string') await browser.close();
  await served?.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Opening extends BrowserContextOptions {
  /** Whether a program tries to reach something: attempts and complaints are expected. */
  readonly isHostile?: boolean;
  /** Whether the editor is loaded; a text field stays without it, and tests are faster. */
  readonly hasEditor?: boolean;
}

/** Opens a page in a profile of its own. */
async function open(
  fragment = '',
  { isHostile = false, hasEditor = false, ...options }: Opening = {},
) {
  const context = await (browser as Browser).newContext({
    viewport: { width: 1400, height: 900 },
    ...options,
  });
  context.setDefaultTimeout(WAIT_MS);
  await context.route('**', (route) => {
    const url = route.request().url();
    if (url.startsWith(address) || isHostile) return route.continue();
    faults.push(`asks for ${url}`);
    return route.abort();
  });
  if (!hasEditor) await context.route('**/types.json', (route) => route.abort());
  const page = await context.newPage();
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    const isComplaint = ['error', 'warning'].includes(message.type());
    if (isComplaint && !isHostile && hasEditor) faults.push(message.text());
  });
  await page.goto(address + fragment);
  return page;
}

const verdict = (page: Page, word: string) => page.waitForSelector(`.verdict.${word}`);
const step = (page: Page, text: string) =>
  page.waitForSelector(`.steps output:text-is("step ${text}")`);
const close = (page: Page) => page.context().close();

async function linkTo(text: string, name = 'kernel.ts'): Promise<string> {
  return `#program=${await writeProgram([{ name, text }])}`;
}

test('the files are few megabytes, and name one another relative to themselves', (t) => {
  if (typeof browser === 'string') return t.skip(browser);
  const files = globSync('**/*', { cwd: folder, withFileTypes: true }).filter((one) =>
    one.isFile(),
  );
  const sizes = files.map((one) => gzipSync(readFileSync(join(one.parentPath, one.name))).length);
  const all = sizes.reduce((sum, size) => sum + size, 0);
  t.diagnostic(`${files.length} files, ${all} bytes compressed`);
  assert.ok(all <= MAX_BYTES, `${all} bytes`);
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  assert.doesNotMatch(html, /(?:src|href)="(?:\/|https?:)/);
});

/** In three looks, of which each is a part of a page that is open. */
async function faultless(page: Page): Promise<void> {
  for (const [colorScheme, width] of [
    ['light', 1400],
    ['dark', 1400],
    ['light', 375],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    await page.waitForSelector(colorScheme === 'dark' ? '.vs-dark' : '.vs:not(.vs-dark)');
    await fitsWidth(page);
    await accessible(page, `${colorScheme}, ${width} pixels`);
  }
}

test('it opens with a finding; the editor knows the types; axe finds no serious fault', async (t) => {
  if (typeof browser === 'string') return t.skip(browser);
  const page = await open('', { hasEditor: true });
  await verdict(page, 'counterexample');
  await step(page, '8 of 8');
  assert.match((await page.textContent('.findings [aria-current]'))!, /deadlock.*load and mma/);
  const marks = page.locator('.monaco-editor .mark-name');
  await marks.filter({ hasText: '✓' }).waitFor();
  assert.deepEqual(
    (await marks.allTextContents()).map((text) => text.replaceAll(/\s+/g, ' ').trim()).toSorted(),
    ['▸ load', '▸ mma', '✓ mma'],
  );
  const notes = page.locator('.zone .note');
  assert.equal(await notes.count(), 4);
  assert.match((await page.textContent('.zone .note.error'))!, /^load waits here for ab\.empty/);
  // One mistake is marked, and nothing else: not `using`, not `yield*`, not an import.
  await page.click('.monaco-editor .view-line >> nth=0');
  await page.keyboard.press('Control+Home');
  await page.keyboard.insertText('const wrong: string = 1;\n');
  assert.equal(await notes.count(), 0);
  // The verdict is about the text before: it has no color, and its marks are gone.
  await page.waitForSelector('.stale-note:has-text("text has changed")');
  assert.equal(await marks.count(), 0);
  await page.locator('.squiggly-error').first().waitFor();
  assert.equal(await page.locator('.squiggly-error').count(), 1);
  await page.waitForSelector('.run.edited');
  for (const key of ['Control+Home', 'Shift+ArrowDown', 'Delete']) await page.keyboard.press(key);
  await page.waitForSelector('.verdict.counterexample');
  await marks.first().waitFor();
  await page.keyboard.press('Control+Home');
  await page.keyboard.insertText('// new\n');
  await page.waitForSelector('.verdict.stale');
  await faultless(page);
  await close(page);
});

const OWN = `import { kernel, pipeline, read, role, tma } from 'poundlock';

export default kernel('my-own', { stages: 3, tiles: 5 }, ({ stages, tiles }) => {
const ab = pipeline('ab', { stages, bytes: 8192 });
const load = role('load', function* () {
for (let k = 0; k < tiles; k++) {
using slot = yield* ab.produce();
tma.load(slot);
}
yield* ab.drain();
});
const sum = role('sum', function* () {
for (let k = 0; k < tiles; k++) {
using tile = yield* ab.consume();
read(tile.buffer());
}
});
return [load, sum];
});
`;

test('with the keyboard alone: into the editor, an own kernel, its verdict, and out again', async (t) => {
  if (typeof browser === 'string') return t.skip(browser);
  const page = await open('', { hasEditor: true });
  await verdict(page, 'counterexample');
  await page.locator('.monaco-editor .view-line').first().waitFor();
  const isInEditor = "document.activeElement.closest('.monaco-editor') !== null";
  const tabUntil = async (isIn: boolean) => {
    for (let count = 0; count < 40; count++) {
      if ((await page.evaluate(isInEditor)) === isIn) return;
      await page.keyboard.press('Tab');
    }
    assert.fail(`the focus is not ${isIn ? 'in' : 'out of'} the editor`);
  };
  await tabUntil(true);
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(OWN.replace('read(tile', 'mistaken(tile'));
  await page.keyboard.press('Control+Enter');
  // What fails has no verdict, and is not being checked any more; the editor shows where.
  await page.waitForSelector('.problem:has-text("mistaken is not defined")');
  await page.waitForSelector('.verdict b:text-is("no verdict")');
  await page.waitForSelector('.zone .note.error:has-text("mistaken is not defined")');
  // What cannot even be loaded leaves the panes as they were, without color.
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(OWN.replace('return [load', 'return [load['));
  await page.keyboard.press('Control+Enter');
  await page.waitForSelector('.problem:has-text("syntax error")');
  await page.waitForSelector('.zone .note.error:has-text("syntax error")');
  await page.waitForSelector('.stale .diagram');
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(OWN);
  await page.keyboard.press('Control+Enter');
  await verdict(page, 'certified');
  await page.waitForSelector('h1:text-is("my-own")');
  // A certified kernel opens on a schedule, with the sizes of its claim.
  await page.waitForSelector('.state dd:has-text("ended")');
  assert.match((await page.textContent('.verdict.certified'))!, /^certified my-own \(stages=3, /);
  await page.keyboard.press('Escape');
  await tabUntil(false);
  await close(page);
});

test('a link of the command line shows the same finding in a fresh profile', async (t) => {
  if (typeof browser === 'string') return t.skip(browser);
  const argv = ['check', 'examples/broken/one-stage.ts', '--set', 'tiles=5', '--link'];
  const { stdout } = await poundlock(ROOT, argv, { env: { POUNDLOCK_PLAYGROUND: address } });
  const [, link = ''] = /^playground: (.*)$/m.exec(stdout) ?? [];
  assert.ok(link.startsWith(`${address}#program=`), stdout);
  const page = await open(link.slice(address.length));
  await verdict(page, 'counterexample');
  await step(page, '8 of 8');
  assert.equal(await page.inputValue('.parameters label:has-text("tiles") input'), '5');
  assert.match((await page.textContent('.findings [aria-current]'))!, /deadlock.*load and mma/);
  // Other parameters, shared from the page.
  await page.fill('.parameters label:has-text("stages") input', '2');
  await page.click('.parameters button');
  await verdict(page, 'certified');
  await page.click('.share button');
  const shared = await page.inputValue('.share input');
  await close(page);
  const again = await open(shared.slice(address.length));
  await verdict(again, 'certified');
  assert.equal(await again.inputValue('.parameters label:has-text("stages") input'), '2');
  await close(again);
});

test('a program of several files, and PTX with its launch', async (t) => {
  if (typeof browser === 'string') return t.skip(browser);
  const page = await open('#example=sm100/default');
  await verdict(page, 'certified');
  assert.ok((await page.locator('[role=tab]').count()) > 1);
  await page.selectOption('.toolbar select', 'ptx/tile-sum-early-release.sm90a');
  await verdict(page, 'counterexample');
  await page.waitForSelector('.now');
  assert.match((await page.textContent('.findings [aria-current]'))!, /race.*tile\+0\/4096/);
  await page.waitForSelector('[role=tab][aria-selected=true]:has-text(".cu")');
  await page.click('button:has-text("new PTX")');
  await verdict(page, 'certified');
  await page.click('button:has-text("new program")');
  await verdict(page, 'certified');
  await close(page);
});

test('the way back of the browser leads to a program that was edited and left', async (t) => {
  if (typeof browser === 'string') return t.skip(browser);
  const page = await open();
  await verdict(page, 'counterexample');
  await step(page, '8 of 8');
  await page.fill('textarea.plain', OWN);
  // The schedule of the address is not one of what has been edited.
  await page.click('.share button');
  assert.doesNotMatch(await page.inputValue('.share input'), /path=/);
  await page.click('button:has-text("new PTX")');
  await verdict(page, 'certified');
  await page.waitForSelector('[role=tab]:has-text(".ptx")');
  await page.goBack();
  await page.waitForSelector('h1:text-is("my-own")');
  assert.equal(await page.inputValue('textarea.plain'), OWN);
  await close(page);
});

/** Two kernels in one PTX text, and three launches of the ring in two files. */
async function linkToLaunches(): Promise<string> {
  const built = (name: string) => readFileSync(join(ROOT, 'examples/ptx', name), 'utf8');
  const ring = built('tile-sum-early-release.sm90a.ptx');
  const other = '.visible .entry meet() { bar.sync 0; ret; }\n';
  const { params, grid, block } = JSON.parse(built('launch.json')) as {
    params: { name?: string }[];
    grid: number[];
    block: number[];
  };
  const launch = (value: number) => ({
    grid,
    block,
    params: params.map((one) => (one.name === 'tiles' ? { ...one, value, vary: undefined } : one)),
  });
  return `#program=${await writeProgram([
    { name: 'two.ptx', text: ring + other },
    { name: 'launch.json', text: JSON.stringify({ launches: [launch(0), launch(1)] }) },
    { name: 'launch-2.json', text: JSON.stringify(launch(8)) },
  ])}`;
}

test('PTX with several kernels and launches: each is chosen, and a finding leads to its own', async (t) => {
  if (typeof browser === 'string') return t.skip(browser);
  const page = await open(await linkToLaunches());
  await verdict(page, 'counterexample');
  assert.equal(await page.inputValue('.parameters label:has-text("tiles") input'), '0');
  // The first launch has no tile: the race is in the third, whose schedule is one click away.
  await page.click('.findings button:has-text("show this launch")');
  await page.waitForSelector('.now:has-text("race")');
  assert.equal(await page.inputValue('.launches label:has-text("launch") select'), '2');
  assert.equal(await page.inputValue('.parameters label:has-text("tiles") input'), '8');
  await becomes(page, "location.hash.includes('launch=3')");
  const hash = await page.evaluate<string>('location.hash');
  await page.selectOption('.launches label:has-text("launch") select', '1');
  await verdict(page, 'certified');
  await page.selectOption('.launches label:has-text("kernel") select', 'meet');
  await page.waitForSelector('.problem:has-text("has 3 entries, the kernel has 0 parameters")');
  await page.selectOption('.launches label:has-text("kernel") select', { index: 0 });
  await page.waitForSelector('h1:text-is("tile_sum")');
  await close(page);
  const again = await open(hash);
  await verdict(again, 'counterexample');
  await again.waitForSelector('.now:has-text("race")');
  await close(again);
});

test('files of this computer: PTX without a launch gets a draft, and the steps of a run are checked', async (t) => {
  if (typeof browser === 'string') return t.skip(browser);
  const page = await open();
  await verdict(page, 'counterexample');
  const ptx = join(ROOT, 'examples/ptx/tile-sum.sm90a.ptx');
  await page.setInputFiles('.open input', [ptx]);
  await page.waitForSelector('.problem:has-text("launch.json is a draft")');
  assert.equal(await page.locator('.verdict').count(), 0);
  await page.click('[role=tab]:has-text("launch.json")');
  assert.match(await page.inputValue('textarea.plain'), /"kernel": ".*tile_sum.*"/);
  await page.click('.run');
  await page.waitForSelector('.verdict');
  await page.setInputFiles('.open input', [
    join(ROOT, 'examples/ptx/tile-sum.cu'),
    join(ROOT, 'examples/ptx/launch.json'),
    ptx,
  ]);
  await verdict(page, 'certified');
  const steps = join(folder, 'run.jsonl');
  await poundlock(ROOT, [
    'check',
    'examples/ptx/tile-sum-early-release.sm90a.ptx',
    '--steps',
    steps,
  ]);
  await page.setInputFiles('.open input', [steps]);
  await verdict(page, 'counterexample');
  await page.waitForSelector('.now:has-text("race")');
  await page.setInputFiles('.open input', [join(ROOT, 'examples/ptx/tile-sum.cu')]);
  await page.waitForSelector('.problem:has-text("no program (.ts), PTX or steps")');
  await close(page);
});

test('a browser without `using` runs programs, and shows the same lines', async (t) => {
  if (typeof browser === 'string') return t.skip(browser);
  const script = readFileSync(join(folder, 'program.js'), 'utf8');
  const [probe, unknown] = ['{ using none = null; }', '{ no using; }'];
  assert.ok(script.includes(probe));
  const page = await (browser as Browser).newPage();
  page.setDefaultTimeout(WAIT_MS);
  await page.route('**/program.js', (route) => {
    const contentType = 'text/javascript';
    return route.fulfill({ contentType, body: script.replace(probe, unknown) });
  });
  const linesOf = async (): Promise<string[]> => {
    await step(page, '8 of 8');
    return page.locator('.state .starves').allTextContents();
  };
  await page.goto(`${address}#example=broken/one-stage`);
  const lowered = await linesOf();
  const rows = await page.locator('.space-time text').allTextContents();
  await page.unroute('**/program.js');
  await page.reload();
  assert.deepEqual(await linesOf(), lowered);
  assert.deepEqual(await page.locator('.space-time text').allTextContents(), rows);
  await page.close();
});

test('mistakes are sentences with a place, and a loop without an end is stopped', async (t) => {
  if (typeof browser === 'string') return t.skip(browser);
  const page = await open(await linkTo('const x = 1;\nconst y = ;\n'));
  await page.waitForSelector('.problem:has-text("kernel.ts:2:11: syntax error")');
  await page.goto(address + (await linkTo("import { x } from './other.ts';\n")));
  await page.waitForSelector(`.problem:has-text("kernel.ts:1:20: cannot find './other.ts'")`);
  await page.goto(address + (await linkTo('\nthrow new RangeError("no");\n')));
  await page.waitForSelector('.problem:has-text("kernel.ts:2:7: throws while it is loaded")');
  await page.goto(address + (await linkTo('for (;;);\n')));
  await page.waitForSelector('.plain');
  await page.click('button:has-text("stop")');
  await page.waitForSelector('.problem:text-is("stopped")');
  await page.selectOption('.toolbar select', 'gemm');
  await verdict(page, 'certified');
  await page.goto(`${address}#program=damaged`);
  await page.waitForSelector('.problem:has-text("the link is damaged")');
  await close(page);
});

/** Tries every way out, and says in its name which ones were open. */
const HOSTILE = `import { kernel, role } from 'poundlock';
const out: string[] = [];
const attempt = async (name: string, work: () => unknown) => {
  try {
    const late = new Promise((resolve) => setTimeout(resolve, 300, 'late'));
    if ((await Promise.race([work(), late])) === 'late') return;
    out.push(name);
  } catch {}
};
const there = 'http://ELSEWHERE/';
const socket = () => new Promise((resolve, reject) => {
  const one = new WebSocket('ws://ELSEWHERE/');
  one.onopen = resolve;
  one.onerror = reject;
});
const events = () => new Promise((resolve, reject) => {
  const one = new EventSource(there);
  one.onopen = resolve;
  one.onerror = reject;
});
const stored = () => new Promise((resolve, reject) => {
  const one = indexedDB.open('x');
  one.onsuccess = resolve;
  one.onerror = reject;
});
const threaded = () => new Promise((resolve, reject) => {
  const text = 'fetch("http://ELSEWHERE/").then(() => postMessage(1), () => postMessage(0))';
  const one = new Worker(URL.createObjectURL(new Blob([text])));
  one.onmessage = ({ data }) => (data === 1 ? resolve(1) : reject(data));
  one.onerror = reject;
});
await attempt('fetch', () => fetch(there, { mode: 'no-cors' }));
await attempt('own', () => fetch('ADDRESSindex.html', { mode: 'no-cors' }));
await attempt('request', () => {
  const one = new XMLHttpRequest();
  one.open('GET', there, false);
  one.send();
});
await attempt('import', () => import(there));
await attempt('script', () => importScripts(there));
await attempt('socket', socket);
await attempt('events', events);
await attempt('database', stored);
await attempt('caches', () => caches.open('x'));
await attempt('files', () => navigator.storage.getDirectory());
await attempt('thread', threaded);
await attempt('window', () => document.cookie);
export default kernel('reaches ' + (out.join(' ') || 'nothing'), {}, () => [role('r', function* () {})]);
`;

test('a program reaches no network, no storage and no page', async (t) => {
  if (typeof browser === 'string') return t.skip(browser);
  let reached = 0;
  const elsewhere = createServer((_, response) => {
    reached++;
    response.writeHead(200, { 'access-control-allow-origin': '*' }).end('1');
  });
  elsewhere.on('upgrade', () => reached++);
  await new Promise((resolve) => void elsewhere.listen(0, '127.0.0.1', () => resolve(null)));
  t.after(() => elsewhere.close());
  const host = `127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
  const text = HOSTILE.replace('ADDRESS', address).replaceAll('ELSEWHERE', host);
  const link = await linkTo(text);
  const page = await open(link, { isHostile: true });
  await page.waitForSelector('h1, .problem');
  assert.equal(await page.textContent('h1, .problem'), 'reaches nothing');
  assert.equal(reached, 0);
  await close(page);
});

test('an answer that is forged shows nothing but text', async (t) => {
  if (typeof browser === 'string') return t.skip(browser);
  const forged = `const value = { file: '<b>', kernel: '<img src=x onerror=alert(1)>', parameters: {} };
    addEventListener('message', ({ data }) => postMessage({ id: data.id, value }));
    addEventListener('message', ({ data }) => postMessage({ id: data.id, value: { line: '<b>' } }));
    export default 1;`;
  const page = await open(await linkTo(forged), { isHostile: true });
  await page.waitForSelector('.problem');
  assert.equal(await page.locator('img').count(), 0);
  await close(page);
});

test('the pages have no complaint and ask for nothing elsewhere', (t) => {
  if (typeof browser === 'string') return t.skip(browser);
  assert.deepEqual(faults, []);
});
