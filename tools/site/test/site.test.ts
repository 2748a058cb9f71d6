// tier: release
// The documentation site as built: all its links, and its pages in a browser without a network.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { startChromium } from '../../../packages/poundlock/test/browser/chromium.ts';
import { isInstalled } from '../install.ts';
import { brokenLinks } from '../stage/check-links.ts';
import { buildSite } from '../build.ts';
import {
  serveFolder,
  type Served,
} from '../../../packages/poundlock/test/browser/folder-server.ts';
import { lookAtEveryPage } from './every-page.ts';

/** A path as that of a project on a shared host. */
const BASE = '/some/project/';
/** The gallery test checks all bugs; here a few show that their pages are right. */
const EVERY_BUG = 40;
const WAIT_MS = 60_000;

const missing = isInstalled() ? '' : 'its packages are missing: `npm run setup:site`';
let folder = '';
let served: Served | undefined;
let browser: Browser | string = 'the browser was not started';
const faults: string[] = [];

before(async () => {
  if (missing !== '') return;
  folder = await buildSite({ everyBug: EVERY_BUG, root: BASE });
  served = await serveFolder(folder, BASE);
  browser = await startChromium();
});
after(async () => {
  if (typeof browser !== 'string') await browser.close();
  await served?.close();
});

/** Why there is no page to look at. */
const reason = (): string | undefined => {
  if (missing !== '') return missing;
  return typeof browser === 'string' ? browser : undefined;
};

async function open(path: string): Promise<Page> {
  const { url } = served!;
  const page = await (browser as Browser).newPage({ viewport: { width: 1300, height: 900 } });
  page.setDefaultTimeout(WAIT_MS);
  page.on('pageerror', (error) => faults.push(`${page.url()}: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`${page.url()}: ${message.text()}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) faults.push(`${page.url()}: no ${response.url()}`);
  });
  // Nothing but the site itself can be reached.
  await page.route('**/*', (route) => {
    const target = route.request().url();
    if (target.startsWith(url) || /^(?:data|blob):/.test(target)) return route.continue();
    faults.push(`${page.url()}: asks for ${target}`);
    return route.abort();
  });
  await page.goto(url + path);
  return page;
}

test('every link leads to a page or a file, and to an anchor that exists', (t) => {
  if (missing !== '') return t.skip(missing);
  assert.deepEqual(brokenLinks(folder), []);
});

test('from the front page to a rule, with both programs', async (t) => {
  if (reason() !== undefined) return t.skip(reason());
  const page = await open('');
  await page.locator('.path .expressive-code').first().waitFor();
  assert.match((await page.textContent('.path'))!, /error\[race\][\s\S]*certified/);
  await page.click('.numbers a[href*="rules"]');
  await page.click('main a:text-is("deadlock")');
  await page.waitForURL('**/rules/deadlock/');
  assert.equal(await page.textContent('h1'), 'deadlock');
  assert.equal(await page.locator('.pair .side').count(), 2);
  await page.close();
});

/** Opens a page, and in the playground what one of its links has; a link there leads back. */
async function played(path: string, link: string, verdict: string): Promise<void> {
  const page = await open(path);
  await page.click(link);
  await page.locator(`.verdict.${verdict}`).waitFor();
  const back = await page.evaluate("document.querySelector('.toolbar a.name').href");
  assert.equal(back, served!.url);
  await page.close();
}

test('from the front page to a certified kernel in the playground, and back', async (t) => {
  if (reason() !== undefined) return t.skip(reason());
  await played('', '.hero a >> nth=0', 'counterexample');
  await played('', '.path .button >> nth=1', 'certified');
});

test('a bug of the gallery opens in the playground, with its bug and with its fix', async (t) => {
  if (reason() !== undefined) return t.skip(reason());
  const bug = 'gallery/001-empty-tile-arrives/';
  await played(bug, '.open-in-playground >> nth=0', 'counterexample');
  await played(bug, '.open-in-playground >> nth=1', 'certified');
  await played(bug, 'a:text-is("Open its PTX in playground")', 'counterexample');
});

test('the search finds a page, and leads to it', async (t) => {
  if (reason() !== undefined) return t.skip(reason());
  const page = await open('how-to/ptx/');
  await page.click('button[data-open-modal]');
  await page.fill('.pagefind-ui__search-input', 'exit-with-open-flight');
  assert.equal(await page.getAttribute('.pagefind-ui__search-input', 'aria-label'), 'search');
  const result = page.locator('.pagefind-ui__result-link').first();
  await result.waitFor();
  await result.click();
  await page.waitForURL((url) => !url.pathname.includes('how-to/ptx'));
  assert.ok(page.url().startsWith(served!.url));
  await page.close();
});

test('a bug of the gallery has its thread, its finding, its diagram and its fix', async (t) => {
  if (reason() !== undefined) return t.skip(reason());
  const page = await open('gallery/');
  await page.locator('.cards a').first().click();
  await page.waitForURL('**/gallery/001-*/');
  assert.equal(await page.textContent('h1'), 'Empty tile arrives');
  assert.equal(await page.locator('.facts a[href^="https://github.com/vllm-project"]').count(), 1);
  assert.ok(await page.locator('.diagram svg.wide').isVisible());
  const text = (await page.textContent('main'))!;
  assert.match(text, /error\[shared-barrier-id\][\s\S]*certified[\s\S]*__global__/);
  await page.close();
});

test('an unknown address shows the error page', async (t) => {
  if (reason() !== undefined) return t.skip(reason());
  const { url } = served!;
  const page = await (browser as Browser).newPage();
  const response = await page.goto(`${url}no/such/page/`);
  assert.equal(response?.status(), 404);
  await page.click('a[href="/some/project/"]');
  await page.locator('.path').waitFor();
  await page.close();
});

test('each page is no wider than a phone, and accessible, in light and dark', async (t) => {
  if (reason() !== undefined) return t.skip(reason());
  const page = await open('');
  const { pages, examined } = await lookAtEveryPage(page, { folder, url: served!.url });
  t.diagnostic(`${pages} pages, ${examined} of them examined by axe`);
  assert.ok(pages > 400 && examined > 10);
  await page.close();
});

test('no page had an error, or asked for anything that is not the site', (t) => {
  if (reason() !== undefined) return t.skip(reason());
  assert.deepEqual(faults, []);
});
