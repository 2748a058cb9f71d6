// What a deleted instruction gains of the simulated time of the kernel.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reviewSynchronization } from '#src/advise/synchronization/review';
import { gainOf } from '#src/advise/synchronization/gains';
import { kernelText } from '../../../../ptx/test/kernel-text.ts';
import { optionsOf, ptxOf, type Part } from './kernels.ts';

const STORE: Part = { kind: 'store', slot: 0, shift: 0 };
const LOAD: Part = { kind: 'load', slot: 0, shift: 1 };
const BARRIER: Part = { kind: 'barrier' };

test('a gain is that of runs with the same latencies', () => {
  assert.deepEqual(gainOf([100, 200, 300], [90, 150, 299]), { cycles: 10, least: 1, most: 50 });
});

test('a barrier that can go has a gain, one that has to stay has none', async () => {
  const options = optionsOf(ptxOf([STORE, BARRIER, LOAD, BARRIER]));
  const { instructions, simulated } = await reviewSynchronization(options, {});
  const [needed, free] = instructions;
  assert.equal(needed?.gain, null);
  assert.ok(free!.gain!.cycles > 0);
  assert.deepEqual(simulated?.gain, free!.gain);
  assert.ok(simulated.totalCycles > simulated.gain.cycles);
});

test('a kernel of which nothing can go is not simulated', async () => {
  const { simulated } = await reviewSynchronization(optionsOf(ptxOf([STORE, BARRIER, LOAD])), {});
  assert.equal(simulated, null);
});

const DECLARATIONS = `.reg .pred %p<3>; .reg .b32 %r<9>;\n.shared .align 8 .b8 words[512];`;
const WORDS = `mov.u32 %r1, %tid.x; mov.u32 %r2, words; shl.b32 %r3, %r1, 2; add.u32 %r4, %r2, %r3;`;

test('a fence gains its price where it is on the longest path alone', async () => {
  const fence = (of: string) => `setp.${of}.u32 %p1, %r1, 32;\n@%p1 bra on;
fence.proxy.async.shared::cta;\non: bar.sync 0;\nst.shared.u32 [%r4], %r1;\nret;`;
  const text = kernelText(DECLARATIONS, `${WORDS}\n${fence('lt')}`);
  const { instructions } = await reviewSynchronization(optionsOf(text), {});
  const [alone, barrier] = instructions;
  assert.equal(alone?.opcode, 'fence.proxy.async.shared::cta');
  assert.equal(alone.gain?.cycles, alone.cycles);
  // Without the barrier the other warp still has its fence.
  assert.ok(barrier!.gain!.cycles >= 0);
  // Both warps have one: the other one ends as late as before.
  const both = kernelText(
    DECLARATIONS,
    `${WORDS}\nsetp.lt.u32 %p1, %r1, 32;\n@%p1 bra first;\nmembar.cta;\nst.shared.u32 [%r4], %r1;
ret;\nfirst: membar.cta;\nst.shared.u32 [%r4], %r1;\nret;`,
  );
  const review = await reviewSynchronization(optionsOf(both), {});
  assert.equal(review.simulated?.gain.cycles, 9);
  for (const { gain } of review.instructions) assert.equal(gain?.cycles, 0);
});
