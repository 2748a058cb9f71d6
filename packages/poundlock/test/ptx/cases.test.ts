// tier: deep
// Kernels as built whose answers are known: the command has these, but for the ones listed here.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { poundlock } from '../cli/fake-host.ts';
import { CASES, faultOf, readCases } from './cases.ts';

/** Cases that are answered wrongly, and how. The list only gets shorter: a right answer fails. */
const PENDING: Readonly<Record<string, string>> = {
  // Lanes that only wait beside others.
  'late-lanes.ptx': 'exit 1',
};

/** Cases whose answer is accepted, and not what is wanted. The list only gets shorter, too. */
const INCONCLUSIVE: readonly string[] = ['every-u8.ptx'];

for (const each of readCases())
  test(`${each.file}: ${each.why}`, async () => {
    const answer = await poundlock(CASES, ['check', each.file, ...each.args]);
    const fault = faultOf(each, answer);
    const pending = PENDING[each.file] ?? null;
    const isRight = fault === null && pending !== null;
    assert.equal(fault, pending, isRight ? 'right: delete its row in PENDING' : undefined);
    if (fault !== null) return;
    const isListed = INCONCLUSIVE.includes(each.file);
    assert.equal(answer.code !== each.exit, isListed, `exit ${answer.code}: edit INCONCLUSIVE`);
  });

test('each row of the lists is a case', () => {
  const files = new Set(readCases().map(({ file }) => file));
  const listed = [...Object.keys(PENDING), ...INCONCLUSIVE];
  assert.deepEqual(
    listed.filter((file) => !files.has(file)),
    [],
  );
});
