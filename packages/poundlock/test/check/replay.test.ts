// Replaying: every finding comes back from its token, and impossible tokens are refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '#src/check/index';
import { handOver } from '../kernels.ts';

test('a finding comes back from its token, word for word', async () => {
  const params = { arrivals: 2 };
  const first = await check(handOver, { params });
  const again = await check(handOver, { params, replay: first.findings[0]!.replayToken! });
  assert.equal(again.verdict, 'counterexample');
  assert.deepEqual(again.findings, first.findings);
});

test('a schedule that shows nothing proves nothing', async () => {
  const { example } = await check(handOver, { example: true });
  assert.equal(example?.replayToken, 'p2c2');
  const { verdict, reason } = await check(handOver, { replay: 'p2c2' });
  assert.equal(verdict, 'inconclusive');
  assert.match(reason!, /the replayed schedule ends without/);
});

test('a token that moves a blocked or an unknown agent is refused', async () => {
  await assert.rejects(check(handOver, { replay: 'c1' }), /runs consumer, which is blocked/);
  await assert.rejects(
    check(handOver, { replay: 'x1' }),
    /runs x, but the program has only p \(role/,
  );
  await assert.rejects(
    check(handOver, { replay: 't1' }),
    /completes an operation of tma that is not in flight/,
  );
});
