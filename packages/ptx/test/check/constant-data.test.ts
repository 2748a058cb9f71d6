// Words of global memory that decide: known not to change where the kernel writes elsewhere.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from 'poundlock/check';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../kernel-text.ts';

const DECLARED = `.reg .pred %p<8>; .reg .b32 %r<8>; .reg .b64 %rd<4>;
.shared .align 16 .b8 tile[64]; .shared .align 8 .b64 full;`;
const BASES = `ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mov.u32 %r1, %tid.x;
setp.eq.u32 %p0, %r1, 0; setp.lt.u32 %p1, %r1, 32; 
mul.wide.u32 %rd0, %r1, 4; add.u64 %rd2, %rd2, %rd0; add.u64 %rd3, %rd1, %rd0;`;

async function resultOf(body: string, int32?: number[]): Promise<readonly [string, string]> {
  const pointer = { kind: 'pointer', bytes: 4096, ...(int32 === undefined ? {} : { int32 }) };
  const launch = { grid: [1, 1, 1], block: [64, 1, 1], params: [pointer, pointer] };
  const text = kernelText(DECLARED, `${BASES} ${body} ret;`, '.param .u64 in, .param .u64 out');
  const kernel = ptxKernel({
    ptx: { file: 'k.ptx', text },
    launch: { file: 'l.json', text: JSON.stringify(launch) },
  });
  const { verdict, scope } = await check(kernel);
  return [verdict, scope.assumptions.map(({ name }) => name).join()];
}

const once = (load: string, store: string): string =>
  `${load} setp.eq.u32 %p2, %r2, 0; @%p2 bra E; @%p0 st.shared.u32 [tile], %r1; bar.sync 0;
   ld.shared.u32 %r3, [tile]; ${store} E:`;
const rounds = (load: string, store: string): string =>
  `${load} mov.u32 %r4, 0; L: setp.ge.u32 %p2, %r4, %r2; @%p2 bra E;
   bar.sync 0; @%p0 st.shared.u32 [tile], %r1; bar.sync 0; ld.shared.u32 %r3, [tile]; ${store}
   add.u32 %r4, %r4, 1; bra L; E:`;

const LOAD = 'ld.global.u32 %r2, [%rd1];';
const OUT = 'st.global.u32 [%rd2], %r3;';

for (const [name, kernel] of Object.entries({ 'a branch': once, 'a loop': rounds })) {
  test(`${name}, and what it writes is elsewhere: certified`, async () => {
    assert.deepEqual(await resultOf(kernel(LOAD, OUT)), ['certified', 'separate-buffers']);
  });
  test(`${name}, and what it writes may be there: it is assumed`, async () => {
    const there = kernel(LOAD, 'st.global.u32 [%rd3+64], %r3;');
    assert.deepEqual(await resultOf(there), ['inconclusive', 'constant-data']);
  });
  test(`${name}, read as others may write it: it is assumed`, async () => {
    const strong = kernel('ld.relaxed.gpu.global.u32 %r2, [%rd1];', OUT);
    assert.deepEqual((await resultOf(strong))[0], 'inconclusive');
  });
}

test('a store that differs from word to word is still a finding', async () => {
  const changed = `${LOAD} setp.eq.u32 %p2, %r2, 7; @%p2 bra E; bar.sync 0;
    @%p0 st.global.u32 [%rd1], 7; bar.sync 0; ld.global.u32 %r3, [%rd1]; setp.ne.u32 %p3, %r3, 7;
    @%p3 bra E; @%p1 bra E; bar.sync 1, 64; E:`;
  assert.notEqual((await resultOf(changed))[0], 'certified');
});

const TRY = 'mbarrier.try_wait.parity.shared::cta.b64 %p4, [full], 0;';
const DELAYS = {
  'a clock': `mov.u32 %r5, %clock; D: mov.u32 %r6, %clock; sub.u32 %r6, %r6, %r5;
    setp.lt.u32 %p5, %r6, 100; @%p5 bra D;`,
  data: `ld.global.u32 %r5, [%rd1]; mov.u32 %r6, 0; D: add.u32 %r6, %r6, 1;
    setp.lt.u32 %p5, %r6, %r5; @%p5 bra D;`,
} as const;
const waiting = (delay: string, before: string, after: string): string =>
  `@%p0 mbarrier.init.shared::cta.b64 [full], 1; bar.sync 0; @!%p1 bra W; @!%p0 bra E; ${before}
   mbarrier.arrive.shared::cta.b64 _, [full]; ${after} bra E;
   W: ${TRY} @%p4 bra G; ${delay} bra W; G: ld.shared.u32 %r3, [tile]; E:`;

for (const [name, delay] of Object.entries(DELAYS)) {
  const fill = 'st.shared.u32 [tile], 1;';
  test(`a wait between whose tries ${name} delays the warp`, async () => {
    assert.deepEqual((await resultOf(waiting(delay, fill, '')))[0], 'certified');
  });
  test(`the same where the signal comes too early: an error, ${name} delays the warp`, async () => {
    assert.deepEqual((await resultOf(waiting(delay, '', fill)))[0], 'counterexample');
  });
}

test('known words that a bulk store overwrites are not known any more', async () => {
  const store = (to: string): string => `@!%p0 bra S; st.shared.u32 [tile], 1; fence.proxy.async;
    cp.async.bulk.global.shared::cta.bulk_group [${to}], [tile], 16; cp.async.bulk.commit_group;
    cp.async.bulk.wait_group 0; S: bar.sync 0; ld.global.u32 %r2, [%rd1];
    setp.eq.u32 %p2, %r2, 7; @%p2 bra E; @%p1 bar.sync 1, 64; E: bar.sync 0;`;
  assert.deepEqual(await resultOf(store('%rd1+16'), [7]), ['certified', '']);
  assert.notEqual((await resultOf(store('%rd1'), [7]))[0], 'certified');
});
