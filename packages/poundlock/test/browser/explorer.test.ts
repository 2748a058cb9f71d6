// tier: release
// The explorer in a browser, clicked through: steps, moves, the finding, parameters, the address.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { serveExplorer, type Served } from '#src/cli/explore/server';
import { exploreSession } from '#src/cli/explore/session';
import { loadKernel } from '#src/cli/load-kernel';
import { fakeHost } from '../cli/fake-host.ts';
import { startChromium } from './chromium.ts';
import { accessible, becomes, fitsWidth } from './looks.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');
const PROGRAM = 'examples/broken/one-stage.ts';
const PTX = 'examples/ptx/tile-sum-early-release.sm90a.ptx';
const TIMED = 'examples/hand-over-hand.ts';
const folder = mkdtempSync(join(import.meta.dirname, 'explorer-'));
/** PTX and launch alone, in another folder: without its CUDA. */
const BARE = join(folder, 'bare.ptx');
/** A program that is edited while it is shown. */
const OWN = join(folder, 'own.ts');
const WAIT_MS = 60_000;

let browser: Browser | string = 'the browser was not started';
const servers = new Map<string, Served>();
const faults: string[] = [];

before(async () => {
  browser = await startChromium();
  if (typeof browser === 'string') return;
  const script = join(ROOT, 'scripts', 'explorer.mjs');
  const { bundleExplorer } = (await import(script)) as {
    bundleExplorer: (folder: string) => Promise<void>;
  };
  await bundleExplorer(folder);
  cpSync(join(ROOT, PTX), BARE);
  const launch = readFileSync(join(ROOT, PTX.replace(/ptx$/, 'launch.json')), 'utf8');
  const own = JSON.stringify({ ...(JSON.parse(launch) as object), ptx: undefined });
  writeFileSync(join(folder, 'launch.json'), own);
  const { host } = fakeHost(ROOT);
  cpSync(join(ROOT, PROGRAM), OWN);
  for (const file of [PROGRAM, TIMED, PTX, BARE, OWN]) {
    const shown = relative(ROOT, resolve(ROOT, file));
    const session = exploreSession(host, { file: shown, kernel: await loadKernel(file, host) });
    servers.set(file, await serveExplorer(session, { folder, cwd: ROOT }));
  }
});
after(async () => {
  if (typeof browser !== 'string') await browser.close();
  for (const { close } of servers.values()) await close();
  rmSync(folder, { recursive: true, force: true });
});

interface Options {
  readonly fragment?: string;
  readonly width?: number;
  readonly scheme?: 'light' | 'dark';
}

async function open(file: string, { fragment = '', width = 1400, scheme }: Options = {}) {
  const { url } = servers.get(file)!;
  const page = await (browser as Browser).newPage({
    viewport: { width, height: 900 },
    ...(scheme !== undefined && { colorScheme: scheme }),
  });
  page.setDefaultTimeout(WAIT_MS);
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) faults.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(url)) faults.push(`asks for ${request.url()}`);
  });
  await page.goto(url + fragment);
  await page.waitForSelector('.views');
  return page;
}

const at = (page: Page, step: number, last: number) =>
  page.waitForSelector(`.steps output:text-is("step ${step} of ${last}")`);
const verdict = (page: Page, word: string) => page.waitForSelector(`.verdict.${word}`);
/** The address changes after the page does. */
const addressed = (page: Page, fragment: RegExp) =>
  becomes(page, `${fragment}.test(location.hash)`);
/** The lines that roles are at, when the source is there. */
async function marked(page: Page): Promise<string[]> {
  const lines = page.locator('.source .has code');
  await lines.first().waitFor();
  return lines.allTextContents();
}

test('from the verdict to the finding, and back step by step', async (t) => {
  if (typeof browser === 'string') return t.skip(browser);
  const page = await open(PROGRAM);
  await verdict(page, 'counterexample');
  // It opens at the step of the finding, without a click.
  await at(page, 8, 8);
  assert.match((await page.textContent('.findings [aria-current]'))!, /deadlock.*load and mma/);
  // The finding is there once: its button is gone, and the step names its rule alone.
  assert.equal(await page.locator('.findings button').count(), 0);
  assert.equal(await page.locator('p:text("load and mma"), li:text("load and mma")').count(), 1);
  assert.equal(await page.textContent('.now'), 'this step shows the deadlock above');
  assert.equal(await page.locator('.state .starves').count(), 2);
  assert.match((await page.textContent('.state'))!, /mma → load/);
  // The source says what the frame on the terminal says, below the lines of it.
  const notes = page.locator('.source li:has(.note)');
  assert.deepEqual(
    await notes.evaluateAll((lines) => lines.map((line) => Number(line.getAttribute('value')))),
    [14, 15, 24, 27],
  );
  const primary = page.locator('.source .note.error');
  assert.match((await primary.textContent())!, /^load waits here for ab\.empty\[0\]/);
  await addressed(page, /^#path=l3t1m3a1$/);
  await page.keyboard.press('ArrowLeft');
  await at(page, 7, 8);
  await becomes(page, "document.querySelector('.note') === null");
  await addressed(page, /&at=7$/);
  await becomes(page, "document.querySelectorAll('.space-time g.ahead').length === 1");
  await page.keyboard.press('Home');
  await at(page, 0, 8);
  assert.deepEqual(
    (await marked(page)).map((line) => line.trim()),
    ['using slot = yield* ab.produce();', 'const tile = yield* ab.acquireConsumer();'],
  );
  await page.keyboard.press('End');
  await at(page, 8, 8);
  await page.goBack();
  await at(page, 0, 8);
  await page.close();
});

test('moves are chosen, and a row of the diagram is a way back', async (t) => {
  if (typeof browser === 'string') return t.skip(browser);
  const page = await open(PROGRAM, { fragment: '#path=l3t1m2' });
  await at(page, 6, 6);
  const moves = await page.locator('.moves button').allTextContents();
  assert.equal(moves.length, 2);
  await page.click('.moves button:has-text("(mma)")');
  await at(page, 7, 7);
  await addressed(page, /^#path=l3t1m2a1$/);
  await page.click('.space-time g[data-last="5"] text');
  await at(page, 5, 7);
  await page.keyboard.press('1');
  await at(page, 6, 7);
  await page.click('button[aria-label="one step forward"]');
  await at(page, 7, 7);
  await page.close();
});

test('other parameters have another verdict, and the address keeps them', async (t) => {
  if (typeof browser === 'string') return t.skip(browser);
  const page = await open(PROGRAM, { fragment: '#path=l3' });
  await at(page, 3, 3);
  await page.fill('.parameters label:has-text("stages") input', '2');
  await page.click('.parameters button');
  await verdict(page, 'certified');
  // A certified kernel shows a schedule that ends, and what the certificate is about.
  await page.waitForSelector('.state dd:has-text("ended")');
  assert.equal(await page.locator('.state tbody tr').count(), 4);
  const claim = (await page.textContent('.verdict'))!;
  assert.match(claim, /^certified one-stage \(stages=2, tiles=\d+; also tiles=.*no interleaving/);
  assert.match(
    (await page.textContent('.rests'))!,
    /by certificate.*text: .*one-stage\.ts \(sha256/,
  );
  await addressed(page, /params=/);
  const hash = await page.evaluate<string>('location.hash');
  await page.close();
  const again = await open(PROGRAM, { fragment: hash });
  assert.equal(await again.inputValue('.parameters label:has-text("stages") input'), '2');
  await again.fill('.parameters label:has-text("stages") input', 'many');
  assert.ok(await again.isDisabled('.parameters button'));
  await again.close();
});

test('a text that has changed takes the color and the marks of its verdict', async (t) => {
  if (typeof browser === 'string') return t.skip(browser);
  const text = readFileSync(join(ROOT, PROGRAM), 'utf8');
  const edited = async (words: string) => {
    writeFileSync(OWN, words);
    await page.evaluate("dispatchEvent(new Event('focus'))");
  };
  const page = await open(OWN);
  await page.waitForSelector('.verdict.counterexample');
  await page.waitForSelector('.source .note.error');
  await edited(`// new\n${text}`);
  await page.waitForSelector('.stale-note:has-text("text has changed")');
  await page.waitForSelector('.verdict.stale');
  assert.equal(await page.locator('.source :is(.has, .note)').count(), 0);
  await accessible(page);
  await edited(text);
  await page.waitForSelector('.verdict.counterexample');
  await page.waitForSelector('.source .note.error');
  await page.close();
});

test('a kernel as built: its CUDA lines, its warps, its race', async (t) => {
  if (typeof browser === 'string') return t.skip(browser);
  const page = await open(PTX);
  await verdict(page, 'counterexample');
  await page.waitForSelector('.now');
  assert.match(await page.inputValue('.source select'), /tile-sum-early-release\.cu$/);
  assert.match((await page.textContent('.findings [aria-current]'))!, /race.*tile\+0\/4096/);
  assert.ok((await page.locator('.space-time g[data-first]').count()) > 10);
  const source = readFileSync(join(ROOT, 'examples/ptx/tile-sum-early-release.cu'), 'utf8');
  for (const line of await marked(page)) assert.ok(source.includes(line));
  await page.close();
});

test('PTX takes the place of a source that is not here, and the diagram shows the step', async (t) => {
  if (typeof browser === 'string') return t.skip(browser);
  const page = await open(BARE);
  await verdict(page, 'counterexample');
  await page.waitForSelector('.now');
  await page.waitForSelector('.source .last');
  assert.match((await page.locator('.source .last code').textContent())!, /^\t\w|^\s*\{|^\s*@/);
  const shown = `(() => {
    const pane = document.querySelector('.diagram .scroll');
    const row = pane.querySelector('g.current').getBoundingClientRect();
    const { top, bottom } = pane.getBoundingClientRect();
    return pane.scrollHeight > pane.clientHeight && row.top >= top && row.bottom <= bottom;
  })()`;
  await page.setViewportSize({ width: 1400, height: 520 });
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowRight');
  await becomes(page, shown);
  // The names of the columns stay in sight, and no row is behind them.
  const named = `(() => {
    const { top } = document.querySelector('.diagram .scroll').getBoundingClientRect();
    const heads = document.querySelector('.heads svg').getBoundingClientRect();
    const row = document.querySelector('.diagram g.current').getBoundingClientRect();
    return Math.abs(heads.top - top) < 1 && row.top >= heads.bottom;
  })()`;
  await becomes(page, named);
  await page.close();
});

test('the time: a timeline, stalls by line, and a slider that leads to another check', async (t) => {
  if (typeof browser === 'string') return t.skip(browser);
  const page = await open(TIMED, { fragment: '#view=time' });
  await page.waitForSelector('.what-if');
  assert.match((await page.textContent('.timing .total output'))!, /^[\d,]+ cycles, .* µs/);
  assert.ok((await page.locator('.timeline rect').count()) > 50);
  assert.match((await page.textContent('.stalls tbody'))!, /hand-over-hand\.ts:\d+/);
  // Zoomed by the wheel and by keys, and back.
  const cycles = page.locator('.zoom span');
  const whole = (await cycles.textContent())!;
  await page.hover('.timeline svg');
  await page.mouse.wheel(0, -300);
  await page.waitForSelector(`.zoom span:not(:text-is("${whole}"))`);
  await page.focus('.timeline [role=region]');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('0');
  await page.waitForSelector(`.zoom span:text-is("${whole}")`);
  // An operation leads to its line, and a line to its operations.
  await page.locator('.timeline rect[data-line]').nth(3).click({ force: true });
  const line = await page.locator('.source li.selected').getAttribute('value');
  const selected = page.locator('.timeline rect.selected');
  assert.ok((await selected.count()) > 0);
  assert.equal(await selected.first().getAttribute('data-line'), line);
  await page.locator('.stalls td').first().waitFor();
  const stalled = /:(\d+)$/.exec((await page.textContent('.stalls td'))!)![1]!;
  await page.click(`.source li[value="${stalled}"]`);
  await page.waitForSelector(`.timeline rect.selected[data-line="${stalled}"]`);
  const slider = page.locator('.what-if input').first();
  await slider.fill('1');
  await page.waitForSelector('.what-if output:has-text("does not end")');
  await slider.fill('4');
  const releases = page.locator('.what-if input').last();
  await releases.fill('1');
  await page.waitForSelector('.what-if output:has-text("certified")');
  await page.locator('.what-if button').first().click();
  await addressed(page, /view=time.*params=|params=.*view=time/);
  // Neither the former answer nor the page without one.
  await page.waitForSelector('.what-if output b:text-is("4")');
  await page.waitForSelector('.what-if:not(:has(button))');
  await accessible(page);
  await page.click('.views button:has-text("schedule")');
  await page.waitForSelector('.steps');
  await page.close();
});

test('an address with a mistake is a sentence', async (t) => {
  if (typeof browser === 'string') return t.skip(browser);
  const { url } = servers.get(PROGRAM)!;
  const page = await browser.newPage();
  await page.goto(`${url}#path=z9`);
  await page.waitForSelector('[role=status]:has-text("the program has only")');
  await page.close();
});

for (const [scheme, width] of [
  ['light', 1400],
  ['dark', 1400],
  ['light', 375],
] as const) {
  test(`axe finds no serious fault: ${scheme}, ${width} pixels`, async (t) => {
    if (typeof browser === 'string') return t.skip(browser);
    const page = await open(PROGRAM, { fragment: '#path=l3t1m3a1&at=6', width, scheme });
    await verdict(page, 'counterexample');
    await page.waitForSelector('.source .has');
    await accessible(page);
    await fitsWidth(page);
    await page.close();
  });
}

test('the path of a kernel as built fits a narrow page', async (t) => {
  if (typeof browser === 'string') return t.skip(browser);
  const page = await open(PTX, { width: 375 });
  await verdict(page, 'counterexample');
  await page.waitForSelector('.findings .place');
  await fitsWidth(page);
  await page.close();
});

test('the page has no complaint and asks for nothing elsewhere', (t) => {
  if (typeof browser === 'string') return t.skip(browser);
  assert.deepEqual(faults, []);
});
