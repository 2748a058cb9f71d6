// Whose error a kernel with tensor maps prints: by who copies, and by what is multiplied.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ptxKernel } from 'poundlock/ptx';
import { MODELS, simulate } from '#src/simulate/index';
import { kernelText } from '../../../ptx/test/kernel-text.ts';

const DECLARED = `.reg .b32 %r<8>; .reg .f32 %f<4>; .reg .b64 %rd<4>; .reg .pred %p<4>;
.shared .align 1024 .b8 tile[16384];
.shared .align 8 .b64 full;`;
const SHAPE = 'wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16';
const FIRST = `${SHAPE} {%f0, %f1, %f2, %f3}, %rd1, %rd1, 1, 1, 1, 0, 0;`;
const OF_REGISTERS = `${SHAPE} {%f0, %f1, %f2, %f3}, {%r4, %r4, %r4, %r4}, %rd1, 1, 1, 1, 0;`;
const ENDS = 'wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;';
const COPIED = 8192;

/** The thread `copying` loads a tile, which the first four warps multiply. */
function errorOf(copying: number, isChained: boolean): string {
  const a = isChained ? 'cvt.rn.f16x2.f32 %r4, %f0, %f1;' : 'mov.b32 %r4, 0;';
  const body = `ld.param.u64 %rd0, [map];
mov.u64 %rd1, 0x4000004000010000; mov.u32 %r0, %tid.x; mov.u32 %r1, 0;
setp.eq.u32 %p0, %r0, ${copying}; setp.ge.u32 %p1, %r0, 128;
@%p0 mbarrier.init.shared::cta.b64 [full], 1;
@%p0 fence.mbarrier_init.release.cluster;
bar.sync 0;
@%p0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [full], ${COPIED};
@%p0 cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd0, {%r1}], [full];
@%p1 bra END;
WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p2, [full], 0;
@!%p2 bra WAIT;
wgmma.fence.sync.aligned; ${FIRST} ${ENDS}
${a}
wgmma.fence.sync.aligned; ${OF_REGISTERS} ${ENDS}
END: ret;`;
  const map = { kind: 'pointer', bytes: 128, content: 'tensormap', boxBytes: COPIED };
  const launch = { grid: [1], block: [160], params: [map] };
  const kernel = ptxKernel({
    ptx: { file: 'kernel.ptx', text: kernelText(DECLARED, body, '.param .u64 map') },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  });
  return simulate(kernel, { model: MODELS.h200, maxSpans: 0 }).device.accuracy[0]!;
}

test('a kernel with tensor maps prints the error of the pipelines that are like it', () => {
  assert.match(errorOf(128, false), /launches of CUTLASS's products/);
  assert.match(errorOf(128, true), /launches of FlashAttention-3/);
  assert.match(errorOf(0, false), /launches of Triton's products and attention/);
  assert.match(errorOf(0, true), /launches of Triton's products and attention/);
});
