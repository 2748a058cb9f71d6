// P16: asynchronous work that reads shared memory which nothing writes; words of tcgen05.alloc.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from 'poundlock/check';
import { ptxKernel } from '#src/kernel/kernel';

async function rulesOf(body: string): Promise<string> {
  const text = `.version 8.7
.target sm_100a
.address_size 64
.visible .entry kernel(.param .u64 data)
{
.reg .b32 %r<8>; .reg .b64 %rd<2>; .reg .pred %p<2>;
.shared .align 128 .b8 tile[256]; .shared .align 16 .b8 word[128];
ld.param.u64 %rd0, [data]; mov.u32 %r0, %tid.x; mov.u32 %r1, tile; mov.u32 %r2, word;
tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r2], 64;
tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
bar.sync 0; ld.shared.u32 %r3, [%r2]; bar.sync 0; setp.ne.u32 %p0, %r0, 0; @%p0 bra N;
${body}
cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
N: bar.warp.sync -1; tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r3, 64;
ret;
}`;
  const launch = { grid: [1, 1, 1], block: [32, 1, 1], params: [{ kind: 'pointer', bytes: 4096 }] };
  const kernel = ptxKernel({
    ptx: { file: 'kernel.ptx', text },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  });
  const { verdict, findings } = await check(kernel);
  return [verdict, ...findings.map(({ rule }) => rule)].join(' ');
}

const store = (from: string): string =>
  `cp.async.bulk.global.shared::cta.bulk_group [%rd0], [${from}], 64;`;

/** A write of the word and of bytes beside it. */
const LATER = 'st.shared.v2.u32 [%r2], {1, 1};';

const CASES: readonly (readonly [string, string, string])[] = [
  ['bytes that nothing writes', store('%r1'), 'certified unwritten-read'],
  ['an address alone', store('%r2'), 'certified unwritten-read'],
  [
    'bytes that a thread writes',
    `st.shared.u32 [%r1], 1; fence.proxy.async; ${store('%r1')}`,
    'certified',
  ],
  [
    'an address and data',
    `st.shared.u32 [%r2+16], 1; fence.proxy.async; ${store('%r2')}`,
    'certified',
  ],
  [
    'data with no fence',
    `st.shared.u32 [%r2+16], 1; ${store('%r2')}`,
    'counterexample missing-proxy-fence',
  ],
  [
    'an address, in bytes that a thread writes later',
    `${store('%r2')} cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; ${LATER}`,
    'certified',
  ],
  [
    'an address, in bytes that a thread writes at the same time',
    `${store('%r2')} ${LATER}`,
    'counterexample race',
  ],
  [
    'an address, in bytes where a thread writes the word alone',
    `st.shared.u32 [%r2+16], 1; fence.proxy.async; ${store('%r2')} st.shared.u32 [%r2], 1;`,
    'counterexample race',
  ],
];

for (const [name, body, verdict] of CASES)
  test(`P16: a bulk store of ${name}: ${verdict}`, async () => {
    assert.equal(await rulesOf(body), verdict);
  });
