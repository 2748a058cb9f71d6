// tier: release
// The page of every verb, at the width of a phone and of a screen, in light and in dark.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { REPORTERS } from '#src/report/index';
import { environment, KERNEL } from '../report/sample.ts';
import { OF_VERB } from '../report/verb-samples.ts';
import { startChromium } from './chromium.ts';
import { accessible, fitsWidth } from './looks.ts';

let browser: Browser | string = 'the browser was not started';
before(async () => {
  browser = await startChromium();
});
after(async () => {
  if (typeof browser !== 'string') await browser.close();
});

for (const report of Object.values(OF_VERB)) {
  const { verb } = report.tool;
  test(`the page of ${verb} fits its window, and axe finds no serious fault`, async (t) => {
    if (typeof browser === 'string') return t.skip(browser);
    const page = await browser.newPage();
    const faults: string[] = [];
    page.on('console', (message) => void faults.push(message.text()));
    await page.setContent(REPORTERS.html.render(report, environment(KERNEL)));
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [375, 1280]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        await fitsWidth(page, verb);
        await accessible(page, `${colorScheme}, ${width} pixels`);
      }
    }
    await page.close();
    assert.deepEqual(faults, []);
  });
}
