// The wake-up protocol is certified, and each of its rules is necessary.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../../poundlock/src/check/index.ts';
import publish from '../../../examples/models/publish.ts';
import putOff from '../../../examples/models/put-off.ts';
import wakeUp from '../../../examples/models/wake-up.ts';

for (const params of [
  { phases: 3, sleepers: 1 },
  { phases: 2, sleepers: 2 },
]) {
  test(`no sleeper is forgotten: ${JSON.stringify(params)}`, async () => {
    const { verdict, findings } = await check(wakeUp, { params, engine: 'search' });
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

test('a failure mark that a counter overwrote still ends every wait', async () => {
  const { verdict, findings } = await check(publish, { engine: 'search' });
  assert.deepEqual(findings, []);
  assert.equal(verdict, 'certified');
});

for (const wiping of ['forgotten', 'unsaid']) {
  test(`an overwritten failure mark that is ${wiping} leaves a sleeper`, async () => {
    const { findings } = await check(publish, { params: { wiping } });
    assert.equal(findings[0]?.rule, 'deadlock');
  });
}

for (const params of [
  { tiles: 3, stages: 1 },
  { tiles: 4, stages: 2 },
]) {
  test(`a deferred wake-up still happens: ${JSON.stringify(params)}`, async () => {
    const { verdict, findings } = await check(putOff, { params, engine: 'search' });
    assert.deepEqual(findings, []);
    assert.equal(verdict, 'certified');
  });
}

for (const paying of ['never', 'after-sleep', 'unclosed']) {
  test(`a wake-up that is flushed ${paying} leaves a sleeper`, async () => {
    const { findings } = await check(putOff, { params: { paying } });
    assert.equal(findings[0]?.rule, 'deadlock');
  });
}
