// The wake-up protocol is proved before it is trusted, and each of its rules is needed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '#src/check/index';
import wakeUp from '../../../../examples/models/wake-up.ts';

for (const params of [
  { phases: 3, sleepers: 1 },
  { phases: 2, sleepers: 2 },
]) {
  test(`no sleeper is forgotten: ${JSON.stringify(params)}`, async () => {
    const { verdict, findings } = await check(wakeUp, { params });
    assert.deepEqual(findings, []);
    assert.equal(verdict, 'certified');
  });
}

for (const sleeping of ['unmarked', 'unjudged', 'late']) {
  test(`a protocol that is ${sleeping} forgets a sleeper`, async () => {
    const { findings } = await check(wakeUp, { params: { sleeping } });
    assert.equal(findings[0]?.rule, 'deadlock');
  });
}
