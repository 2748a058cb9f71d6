// G02: after a wait for a team's groups, nothing is known of those that a member issued since. One
// member may wait before the other has issued its second group, or after.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../../src/check/index.ts';
import { litmusKernel } from './litmus-kernel.ts';
import { S, W, strands, wg, wgwait } from './litmus/words.ts';

for (const memory of ['none', 'practice', 'isa'] as const) {
  test(`a member is ahead by a group that writes: ${memory}`, async () => {
    const late = litmusKernel({
      id: 'late',
      mem: { s: S['s']!, t: S['s']! },
      agents: [
        strands(
          'w',
          wg(['t']),
          wgwait({ team: true }),
          W('s', { by: [0] }),
          W('s', { by: [1] }),
          wg(['t']),
        ),
      ],
    });
    const { verdict, findings } = await check(late, { memory, sizes: 'requested' });
    assert.equal(verdict, 'counterexample');
    assert.ok(findings.some(({ rule }) => rule === 'unjoined-lanes'));
  });
}
