// tier: deep
// Each engine agrees with SPIN on every program of the tables, and schedules are no longer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectPage } from '../generated-page.ts';
import { grid, page, verdicts, type Row, type SpinVerdict } from './spin-table.ts';
import { isCertifiedBy, modelKernel, verdictOf } from './verdict-of.ts';

const known: Row[] = [];
const more: Row[] = [];

function compare(spin: SpinVerdict, rows: Row[]): void {
  const { model, variant, params, verdict } = spin;
  test(`${model} ${variant} ${JSON.stringify(params)} is ${verdict}`, async () => {
    const kernel = await modelKernel(model);
    const ours = await verdictOf(kernel, params);
    const reduced = await verdictOf(kernel, params, 'reduced');
    assert.deepEqual([reduced.isCertified, reduced.rule], [ours.isCertified, ours.rule]);
    if (ours.isCertified) assert.ok(reduced.states <= spin.states, `${reduced.states} states`);
    for (const engine of ['auto', 'certify'] as const) {
      assert.equal(await isCertifiedBy(engine, kernel, params), ours.isCertified, engine);
    }
    rows.push({ spin, ours });
    assert.equal(ours.isCertified, verdict === 'PASS', ours.rule);
    if (!ours.isCertified) assert.ok(ours.steps <= spin.steps, `${ours.steps} > ${spin.steps}`);
  });
}

for (const spin of verdicts()) compare(spin, known);
for (const spin of grid()) compare(spin, more);

test('bench/results/verdicts.md is the table of these verdicts', () => {
  assert.deepEqual([known.length, more.length], [39, 81]);
  expectPage('bench/results/verdicts.md', page(known, more));
});
