// Asynchronous copies of global memory, compared between blocks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../../accepting.ts';
import { ptxKernel } from '#src/kernel/kernel';
import { stepsKernel } from '#src/kernel/steps-kernel';

/** Thread 0 of block 0 stores, signals a flag, and that of block 1 waits for it and reads. */
function kernelOf(first: string, second: string): ReturnType<typeof ptxKernel> {
  const text = `.version 8.0
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 data, .param .u64 flag) {
.reg .b32 %b, %t, %v, %w; .reg .b64 %d, %f, %o; .reg .pred %p;
.shared .align 16 .b8 s[64]; .shared .align 8 .b64 full;
ld.param.u64 %d, [data]; ld.param.u64 %f, [flag];
mov.u32 %b, %ctaid.x; mov.u32 %t, %tid.x;
setp.ne.u32 %p, %t, 0; @%p ret;
mul.wide.u32 %o, %b, 16; add.s64 %o, %d, %o;
mbarrier.init.shared::cta.b64 [full], 1; fence.proxy.async;
setp.ne.u32 %p, %b, 0; @%p bra SECOND;
${first}
red.release.gpu.global.add.u32 [%f], 1;
ret;
SECOND:
${second}
ret;
}`;
  const pointer = { kind: 'pointer', bytes: 64 };
  const params = [pointer, { ...pointer, int32: [0] }];
  return ptxKernel({
    ptx: { file: 'k.ptx', text },
    launch: {
      file: 'k.json',
      text: JSON.stringify({ grid: [2, 1, 1], block: [32, 1, 1], params }),
    },
  });
}

const WAIT = 'W: ld.acquire.gpu.global.u32 %v, [%f]; setp.eq.u32 %p, %v, 0; @%p bra W;';
const STORE = 'cp.async.bulk.global.shared::cta.bulk_group [%d], [s], 16;';
const OWN = 'cp.async.bulk.global.shared::cta.bulk_group [%o], [s], 16;';
const ADD = 'cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%d], [s], 16;';
const END = 'cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;';
const READ_END = 'cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0;';
const LOAD = 'ld.global.u32 %w, [%d+4];';
const BULK = `mbarrier.arrive.expect_tx.shared::cta.b64 _, [full], 16;
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%d], 16, [full];
L: mbarrier.try_wait.parity.shared::cta.b64 %p, [full], 0; @!%p bra L;`;
const THREAD = 'cp.async.ca.shared.global [s], [%d+4], 4; cp.async.wait_all;';

const RIGHT: readonly (readonly [string, string, string])[] = [
  ['a bulk store that is complete', `${STORE} ${END}`, `${WAIT} ${LOAD}`],
  ['bulk stores to places of their own', `${OWN} ${END}`, `${OWN} ${END} ${WAIT}`],
  ['reductions into one place', `${ADD} ${END}`, `${ADD} ${END} ${WAIT}`],
  [
    'a bulk load behind the fence of its proxy',
    'st.global.u32 [%d], 7; fence.proxy.async;',
    `${WAIT} fence.proxy.async; ${BULK}`,
  ],
  ['a copy of a thread', 'st.global.u32 [%d+4], 7;', `${WAIT} ${THREAD}`],
];

for (const [name, first, second] of RIGHT)
  test(`right between blocks: ${name}`, async () => {
    const kernel = kernelOf(first, second);
    const { verdict, reason, findings, scope } = await check(kernel);
    assert.equal(verdict, 'certified', reason ?? findings[0]?.message);
    assert.doesNotMatch(
      scope.assumptions.map((one) => one.text).join('; '),
      /not compared|first cluster/,
    );
    const again = await check(stepsKernel({ file: 'steps.jsonl', text: kernel.runText!({}) }));
    assert.equal(again.verdict, 'certified');
  });

const WRONG: readonly (readonly [string, string, string, RegExp])[] = [
  ['a bulk store that has only read', `${STORE} ${READ_END}`, `${WAIT} ${LOAD}`, /^race/],
  ['a load that does not wait', `${STORE} ${END}`, `${LOAD} ${WAIT}`, /^race/],
  ['a reduction beside a load', `${ADD} ${END}`, `${LOAD} ${WAIT}`, /^race/],
  ['a reduction beside a bulk store', `${ADD} ${END}`, `${STORE} ${END} ${WAIT}`, /^race/],
  ['a bulk load that does not wait', 'st.global.u32 [%d], 7;', `${BULK} ${WAIT}`, /^race/],
  [
    'a bulk load without the fence of its proxy',
    'st.global.u32 [%d], 7;',
    `${WAIT} ${BULK}`,
    /^missing-proxy-fence/,
  ],
  [
    'a copy of a thread that does not wait',
    'st.global.u32 [%d+4], 7;',
    `${THREAD} ${WAIT}`,
    /^race/,
  ],
];

for (const [name, first, second, rule] of WRONG)
  test(`wrong between blocks: ${name}`, async () => {
    const { verdict, reason, findings } = await check(kernelOf(first, second));
    assert.equal(verdict, 'counterexample', reason);
    assert.match(findings[0]!.rule, rule, findings[0]!.message);
  });

test('two bulk stores into one place may store the same', async () => {
  const { verdict, reason } = await check(kernelOf(`${STORE} ${END}`, `${STORE} ${END} ${WAIT}`));
  assert.equal(verdict, 'inconclusive');
  assert.match(reason!, /if they store different bytes/);
});
