// One thread of a warpgroup fetches the next tile after it has waited for the product of all four
// warps: none of them is behind by then, and the run that stands for all is one of those.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../accepting.ts';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../kernel-text.ts';

const DECLARATIONS = `.reg .b32 %r<16>; .reg .b64 %rd<6>; .reg .f32 %f<5>; .reg .pred %p<4>;
.shared .align 1024 .b8 a[16384]; .shared .align 1024 .b8 b[4096]; .shared .align 8 .b64 full;`;

const FETCH = `mbarrier.arrive.expect_tx.shared::cta.b64 _, [full], 2048;
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [a], [%rd3], 2048, [full];`;

const WAIT = 'wgmma.wait_group.sync.aligned 0;';

/** Tiles go through one stage; the next one is fetched before the wait for the product or after. */
function body(isEarly: boolean): string {
  const fetch = `setp.ge.u32 %p2, %r9, 5; or.pred %p2, %p2, %p0; @%p2 bra FETCHED; ${FETCH} FETCHED:`;
  return `mov.u32 %r0, %tid.x; setp.ne.u32 %p0, %r0, 0; ld.param.u64 %rd3, [param_0];
mov.u32 %r2, a; shr.u32 %r2, %r2, 4; mov.u32 %r3, b; shr.u32 %r3, %r3, 4; mov.u32 %r4, 0x40000040;
mov.f32 %f0, 0f00000000; mov.f32 %f1, %f0; mov.f32 %f2, %f0; mov.f32 %f3, %f0; mov.u32 %r9, 0;
mov.b64 %rd1, {%r2, %r4}; mov.b64 %rd2, {%r3, %r4};
@%p0 bra READY; mbarrier.init.shared::cta.b64 [full], 1; READY: bar.sync 0;
@%p0 bra ROUND; ${FETCH}
ROUND: and.b32 %r10, %r9, 1;
TRY: mbarrier.try_wait.parity.shared::cta.b64 %p1, [full], %r10; @!%p1 bra TRY;
wgmma.fence.sync.aligned;
wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %rd1, %rd2, 1, 1, 1, 0, 0;
wgmma.commit_group.sync.aligned; ${isEarly ? `${fetch} ${WAIT}` : `${WAIT} ${fetch}`}
add.u32 %r9, %r9, 1; setp.lt.u32 %p3, %r9, 6; @%p3 bra ROUND;`;
}

async function verdictOf(isEarly: boolean): Promise<string> {
  const params = [{ name: 'param_0', kind: 'pointer' }];
  const launch = { grid: [1, 1, 1], block: [128, 1, 1], params };
  const text = kernelText(DECLARATIONS, `${body(isEarly)}\nret;`, '.param .u64 param_0');
  const kernel = ptxKernel({
    ptx: { file: 'kernel.ptx', text },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  });
  const { verdict, findings, reason } = await check(kernel, { sizes: 'requested' });
  return verdict === 'counterexample' ? findings[0]!.rule : (reason ?? verdict);
}

test('a tile that is fetched after the wait for the product of all four warps', async () => {
  assert.equal(await verdictOf(false), 'certified');
});

test('a tile that is fetched before that wait overtakes the warps that have not seen the last', async () => {
  assert.match(await verdictOf(true), /^(race|deadlock)$/);
});
