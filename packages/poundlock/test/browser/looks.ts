// What tests of several pages ask of them: a state that comes, and no serious fault that axe finds.
import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import axe from 'axe-core';
import type { Page } from 'playwright-core';

const WAIT_MS = 60_000;
const POLL_MS = 20;

/** Asked from here, as Playwright's own wait evaluates text in the page, which policies forbid. */
export async function becomes(page: Page, condition: string, where = ''): Promise<void> {
  const end = Date.now() + WAIT_MS;
  while (!(await page.evaluate<boolean>(condition))) {
    assert.ok(Date.now() < end, `${where} never: ${condition}`);
    await setTimeout(POLL_MS);
  }
}

/** The page is no wider than its window. */
export function fitsWidth(page: Page, where = ''): Promise<void> {
  const root = 'document.documentElement';
  return becomes(page, `${root}.scrollWidth <= ${root}.clientWidth`, where);
}

/** Fails with each serious violation: its rule, the element and what is wrong with it. */
export async function accessible(page: Page, where = ''): Promise<void> {
  // Policies forbid scripts of others: the test's own is evaluated, not loaded.
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<axe.AxeResults>('axe.run()');
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  const shown = serious.map(
    ({ id, nodes }) => `${id}: ${nodes[0]!.html} ${nodes[0]!.failureSummary} (${nodes.length})`,
  );
  assert.deepEqual(shown, [], where);
}
