// Time to the first verdict of the playground, each load in a browser that was just started.
//
//   nice -n -15 node --conditions=poundlock-source bench/first-verdict.mjs [FOLDER…]
//
// FOLDERs are builds of the playground (`node tools/playground/build.mjs FOLDER`) that are compared,
// one load of each in turn; without one, a new build. Writes bench/results/first-verdict.md.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import process from 'node:process';
import { startChromium } from '../packages/poundlock/test/browser/chromium.ts';
import { serveFolder } from '../packages/poundlock/test/browser/folder-server.ts';
import { bundlePlayground } from '../tools/playground/build.mjs';

const LOADS = 20;
const VERDICT = '.verdict.certified, .verdict.counterexample, .verdict.inconclusive';
const PAGE = new URL('results/first-verdict.md', import.meta.url);

/** Notes in the page when a verdict is shown: what asks for it from outside is late. */
function watchVerdict(selector) {
  const look = () => {
    if (document.querySelector(selector) === null) return;
    observer.disconnect();
    globalThis.verdictAt = performance.now();
  };
  const observer = new MutationObserver(look);
  observer.observe(document, { attributes: true, childList: true, subtree: true });
}

async function load(url) {
  const browser = await startChromium();
  if (typeof browser === 'string') throw new Error(browser);
  try {
    const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
    await page.addInitScript(watchVerdict, VERDICT);
    await page.goto(url);
    await page.waitForFunction(() => globalThis.verdictAt !== undefined);
    return await page.evaluate(() => globalThis.verdictAt);
  } finally {
    await browser.close();
  }
}

const named = process.argv.slice(2);
const own = mkdtempSync(join(tmpdir(), 'poundlock-playground-'));
if (named.length === 0) await bundlePlayground(own);
const folders = named.length === 0 ? [own] : named;
const times = new Map(folders.map((folder) => [folder, []]));
const served = new Map();
for (const folder of folders) served.set(folder, await serveFolder(folder, '/playground/'));
for (let count = 0; count < LOADS; count++)
  for (const folder of folders) times.get(folder).push(await load(served.get(folder).url));
for (const { close } of served.values()) await close();
rmSync(own, { recursive: true });

const rows = folders.map((folder) => {
  const sorted = times.get(folder).toSorted((a, b) => a - b);
  const shares = [sorted[0], sorted[LOADS >> 1], sorted[Math.floor(LOADS * 0.9)], sorted.at(-1)];
  const cells = shares.map((ms) => (ms / 1000).toFixed(2)).join(' | ');
  return `| ${folder === own ? 'this build' : basename(folder)} | ${cells} |`;
});
writeFileSync(
  PAGE,
  `# The playground's first verdict

\`nice -n -15 node --conditions=poundlock-source bench/first-verdict.mjs [FOLDER…]\`, on ${new Date().toISOString().slice(0, 10)}: seconds from
the start of the navigation to the verdict of the first example, over ${LOADS} loads, each in a Chromium that was just started
and has nothing in a cache, on a virtual machine with two cores that other work used at the same time.

| build | least | median | 90 % | most |
|---|---:|---:|---:|---:|
${rows.join('\n')}

The longest part is the script of the program's thread: 1.8 MB are parsed, a quarter of the time. So the page fetches it and
starts the thread before it is read itself ([early.ts](../../tools/playground/app/early.ts)), and passes the script on as a
blob, without a copy. The editor is loaded after the verdict.
`,
);
process.stdout.write(`${rows.join('\n')}\n`);
