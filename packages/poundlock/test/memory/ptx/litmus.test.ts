// tier: deep
// The litmus list as PTX: instructions order what the operations of the same program order.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from 'poundlock/check';
import { LITMUS } from '../litmus/index.ts';
import { litmusPtx } from './litmus-ptx.ts';
import { registersPtx } from './registers-ptx.ts';

/** A number that PTX forbids: the run itself shows it, on every schedule. */
const REFUSED = 'N5';
const rows = LITMUS.flatMap((row) => {
  const kernel = litmusPtx(row) ?? registersPtx(row);
  return kernel === null ? [] : [{ ...row, kernel }];
});

/** Agents change tensor maps, which a run assumes of no data. */
const ACCEPTED = ['tensormap-data'] as const;

for (const { id, text, kernel, want, isa = want } of rows) {
  test(`${id}: ${text}`, async () => {
    for (const memory of ['practice', 'isa'] as const) {
      const { verdict, findings } = await check(kernel, { memory, accept: ACCEPTED });
      const rules = findings.map(({ rule }): string => rule);
      const expected = memory === 'isa' ? isa : want;
      const at = `${memory}: ${verdict} ${rules.join()}`;
      if (id === REFUSED) assert.equal(rules[0], 'invalid-operation', at);
      else if (expected === 'ok') assert.deepEqual([verdict, rules], ['certified', []], at);
      else assert.ok(rules.includes(expected), `${expected} expected, ${at}`);
    }
  });
}

test('most programs about shared and tensor memory, and about registers, have a kernel', () => {
  assert.ok(rows.length >= 98, `${rows.length}`);
});
