// tier: deep
// G01, G02: what a member of a team knows after a wait for the team's groups.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../../src/check/index.ts';
import { explore, litmusKernel, sceneOf, type LitmusAgent } from '@poundlock/fuzz/internal/memory';
import {
  R,
  S,
  S_AND_T,
  W,
  agent,
  arr,
  cpa,
  load,
  strands,
  wait,
  wg,
  wgwait,
} from './litmus/words.ts';

// G02: nothing of the groups that another member has issued since. One member may wait before the
// other has issued its second group, or after.
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

// H4: what a member has read before it issued its part is over, in practice; in `isa` it may not be.
const OVERWRITTEN: Readonly<Record<string, readonly LitmusAgent[]>> = {
  'a thread': [
    strands('w', R('t', { by: [0] }), wg(['s']), wgwait({ team: true }), W('t', { by: [1] })),
  ],
  'cp.async': [
    strands('w', R('t', { by: [0] }), wg(['s']), wgwait({ team: true }), { ...cpa('t'), by: [1] }),
  ],
  'a load that another thread issues': [
    strands('w', R('t', { by: [0] }), wg(['s']), wgwait({ team: true }), arr('b', { by: [1] })),
    agent('t', wait('b'), ...load('t', 'c'), wait('c')),
  ],
};

for (const [by, agents] of Object.entries(OVERWRITTEN)) {
  test(`a member has read, another one lets it be overwritten: by ${by}`, async () => {
    const program = { id: 'back', mem: S_AND_T, bars: { b: {}, c: {} }, agents };
    for (const memory of ['practice', 'isa'] as const) {
      const { verdict, findings } = await check(litmusKernel(program), {
        memory,
        sizes: 'requested',
      });
      const isGood = memory === 'practice';
      assert.equal(verdict, isGood ? 'certified' : 'counterexample');
      assert.equal(findings.length === 0, isGood);
      assert.equal(explore(sceneOf(program), { profile: memory }).faults.size === 0, isGood);
    }
  });
}
