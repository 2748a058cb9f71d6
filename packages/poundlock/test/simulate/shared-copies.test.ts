// Copies that blocks side by side make alike: the L2 is asked for them once, and they take less.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ptxKernel } from 'poundlock/ptx';
import { MODELS, simulate, timedProgram } from '#src/simulate/index';
import { kernelText } from '../../../ptx/test/kernel-text.ts';

const ROUNDS = 64;
const ACCUMULATORS = Array.from({ length: 4 }, (_, index) => `%f${index}`).join(', ');
const PRODUCT = `wgmma.fence.sync.aligned;
wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {${ACCUMULATORS}}, %d2, %d3, 1, 1, 1, 0, 0;
wgmma.commit_group.sync.aligned;
wgmma.wait_group.sync.aligned 0;`;

/** Blocks of a warpgroup that copy 32 KiB a round, from where `place` has put the first byte. */
function streams(place: string, multiplies = true) {
  const body = `mov.u64 %d2, 0x4000004000010000;
mov.u64 %d3, 0x4000004000010400;
mov.u32 %r0, %tid.x;
mov.u32 %r1, %ctaid.x;
setp.eq.u32 %p0, %r0, 0;
ld.param.u64 %d0, [data];
${place}
mul.wide.u32 %d1, %r1, 32768;
add.u64 %d0, %d0, %d1;
@%p0 mbarrier.init.shared::cta.b64 [65536], 1;
bar.sync 0;
mov.u32 %r2, 0;
mov.u32 %r3, 0;
ROUND:
@%p0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [65536], 32768;
@%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [0], [%d0], 32768, [65536];
WAIT:
mbarrier.try_wait.parity.shared::cta.b64 %p1, [65536], %r3;
@!%p1 bra WAIT;
${multiplies ? PRODUCT : ''}
xor.b32 %r3, %r3, 1;
add.u64 %d0, %d0, 8650752;
add.u32 %r2, %r2, 1;
setp.lt.u32 %p1, %r2, ${ROUNDS};
@%p1 bra ROUND;
ret;`;
  const declared = '.reg .f32 %f<4>; .reg .u32 %r<9>; .reg .u64 %d<9>; .reg .pred %p<9>;';
  const params = [{ kind: 'pointer', bytes: 2 ** 30 }];
  const launch = { grid: [132], block: [128], params, dynamicSharedMemory: 65_544 };
  return ptxKernel({
    ptx: { file: 'kernel.ptx', text: kernelText(declared, body, '.param .u64 data') },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  });
}

function seen(place: string, multiplies = true) {
  const kernel = streams(place, multiplies);
  const timed = timedProgram(kernel, MODELS.h200);
  const { totalCycles } = simulate(kernel, { model: MODELS.h200, maxSpans: 0 });
  return { share: timed.kernel.timing?.(timed.params)?.work.sharedShare, totalCycles };
}

test('pairs of blocks that copy the same bytes get them sooner than each its own', () => {
  const own = seen('');
  const pairs = seen('shr.u32 %r1, %r1, 1;');
  const far = seen('and.b32 %r1, %r1, 1;');
  assert.deepEqual([own.share, pairs.share, far.share], [0, 1, 0]);
  assert.ok(pairs.totalCycles < 0.9 * own.totalCycles, `${pairs.totalCycles}`);
  assert.ok(Math.abs(far.totalCycles - own.totalCycles) < 9, `${far.totalCycles}`);
});

test('of warps that only copy it is not known how far two blocks come apart', () => {
  assert.equal(seen('shr.u32 %r1, %r1, 1;', false).share, 0);
});
