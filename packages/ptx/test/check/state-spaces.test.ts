// An instruction takes an address in the state space that it names, and of its own CTA where it
// does not name `.shared::cluster`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from 'poundlock/check';
import { ptxKernel } from '#src/kernel/kernel';

const WAIT = 'W: mbarrier.try_wait.parity.shared.b64 %p1, [full], 0; @!%p1 bra W;';
const MEET = 'barrier.cluster.arrive; barrier.cluster.wait;';
const EXPECT = `mbarrier.init.shared.b64 [full], 1; mbarrier.arrive.expect_tx.shared.b64 _, [full], 64;`;
const LOAD = 'cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes';
const STORE = 'cp.async.bulk.global.shared::cta.bulk_group';
const CLOSE = 'cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;';

/** `%rd0` leads to a buffer, `%rd1` to `tile`, `%rd2` to a constant, `%rd3` to local memory. */
async function rulesOf(body: string, ofWarp = ''): Promise<string> {
  const text = `.version 8.3
.target sm_90a
.address_size 64
.const .align 16 .b8 table[64]; .global .align 16 .b8 other[64];
.visible .entry kernel(.param .u64 data)
{
.reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .pred %p<4>; .local .align 16 .b8 stack[64];
.shared .align 128 .b8 tile[4096]; .shared .align 8 .b64 full;
ld.param.u64 %rd0, [data]; cvta.shared.u64 %rd1, tile; cvta.const.u64 %rd2, table;
mov.u64 %rd3, stack; cvta.local.u64 %rd3, %rd3; mov.u32 %r0, %tid.x; setp.ne.u32 %p0, %r0, 0;
mov.u32 %r1, %cluster_ctarank; xor.b32 %r1, %r1, 1; mov.u32 %r2, tile; mov.u32 %r3, full;
mapa.shared::cluster.u32 %r2, %r2, %r1; mapa.shared::cluster.u32 %r3, %r3, %r1;
${MEET} ${ofWarp} @%p0 bra N; ${body} N: ${MEET} ret;
}`;
  const params = [{ kind: 'pointer', bytes: 65_536 }];
  const launch = { grid: [2, 1, 1], cluster: [2, 1, 1], block: [32, 1, 1], params };
  const kernel = ptxKernel({
    ptx: { file: 'kernel.ptx', text },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  });
  const { verdict, findings } = await check(kernel);
  return [verdict, ...new Set(findings.map(({ rule }) => rule))].join(' ');
}

const WRONG: Readonly<Record<string, string>> = {
  'a shared load of global memory': 'ld.shared.u32 %r4, [%rd0+2048];',
  'a shared store into global memory': 'st.shared.u32 [%rd0+2048], %r0;',
  'a shared addition to global memory': 'atom.shared.add.u32 %r4, [%rd0+2048], 1;',
  'a global load of shared memory': 'ld.global.u32 %r4, [%rd1];',
  'the same behind cvta.to': 'cvta.to.global.u64 %rd4, %rd1; ld.global.u32 %r4, [%rd4];',
  'a global load of local memory': 'ld.global.u32 %r4, [%rd3];',
  'a global load of a constant': 'ld.global.u32 %r4, [%rd2];',
  'a local load of shared memory': 'ld.local.u32 %r4, [%rd1];',
  'a constant load of a global variable': 'mov.u64 %rd4, other; ld.const.u32 %r4, [%rd4];',
  'a store into a constant': 'st.u32 [%rd2], %r0;',
  'an addition to local memory': 'atom.add.u32 %r4, [%rd3], 1;',
  'an address that is converted twice': 'cvta.shared.u64 %rd4, %rd1; ld.u32 %r4, [%rd4];',
  'an mbarrier in global memory': 'mbarrier.init.b64 [%rd0+2048], 1;',
  'a copy of each thread into global memory':
    'cp.async.ca.shared.global [%rd0+2048], [%rd0], 4; cp.async.wait_all;',
  'a copy of each thread out of shared memory':
    'cp.async.ca.shared.global [tile+64], [%rd1], 4; cp.async.wait_all;',
  'a bulk copy out of shared memory': `${EXPECT} ${LOAD} [tile+1024], [%rd1], 64, [full]; ${WAIT}`,
  'a bulk copy into global memory': `${EXPECT} ${LOAD} [%rd0+2048], [%rd0], 64, [full]; ${WAIT}`,
  'a bulk store into shared memory': `st.shared.u32 [tile+1024], 1; fence.proxy.async;
    ${STORE} [%rd1], [tile+1024], 64; ${CLOSE}`,
  'a load of another CTA by its own window': 'ld.shared::cta.u32 %r4, [%r2];',
  'a wait for an mbarrier of another CTA': `mbarrier.init.shared.b64 [full], 1;
    mbarrier.arrive.shared.b64 _, [full]; ${WAIT} mbarrier.test_wait.parity.shared.b64 %p1, [%r3], 0;`,
};
for (const [name, body] of Object.entries(WRONG))
  test(`${name}: an error`, async () => {
    assert.match(await rulesOf(body), /^counterexample .*invalid-operation/);
  });

const RIGHT: Readonly<Record<string, string>> = {
  'a load by a generic address, of shared memory': 'ld.u32 %r4, [%rd1];',
  'of global memory': 'ld.u32 %r4, [%rd0];',
  'of a constant': 'ld.u32 %r4, [%rd2];',
  'of local memory, after a store': 'st.u32 [%rd3], %r0; ld.local.u32 %r4, [stack];',
  'a load of another CTA': 'ld.shared::cluster.u32 %r4, [%r2];',
  'a load of its own memory by the window of the cluster': `mov.u32 %r5, %cluster_ctarank;
    mov.u32 %r4, tile; mapa.shared::cluster.u32 %r4, %r4, %r5; ld.shared::cta.u32 %r4, [%r4];`,
  'an mbarrier by a generic address': `cvta.shared.u64 %rd4, full; mbarrier.init.b64 [%rd4], 1;`,
};
for (const [name, body] of Object.entries(RIGHT))
  test(`${name}: certified`, async () => {
    assert.equal(await rulesOf(body), 'certified');
  });

test('a matrix by a generic address', async () => {
  const load = (from: string): string => `ldmatrix.sync.aligned.m8n8.x1.b16 {%r4}, [${from}];`;
  assert.equal(await rulesOf('', load('%rd1')), 'certified');
  assert.match(await rulesOf('', load('%rd0')), /^counterexample .*invalid-operation/);
});
