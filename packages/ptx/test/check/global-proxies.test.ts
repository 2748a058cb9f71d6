// Global memory that threads and bulk copies of one cluster touch: a proxy fence is between a write
// of a thread and a copy that reads it, and a copy that writes has ended before its bytes are read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from 'poundlock/check';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../kernel-text.ts';

const DECLARED = `.reg .b32 %r<16>; .reg .b64 %rd<8>; .reg .pred %p<8>;
.shared .align 8 .b64 full; .shared .align 128 .b8 tile[1024];`;
const BASES = `ld.param.u64 %rd0, [data]; mov.u32 %r0, %tid.x; mov.u32 %r1, tile;
setp.ne.u32 %p0, %r0, 0; setp.eq.u32 %p2, %r0, 40;`;

async function rulesOf(body: string): Promise<string> {
  const text = kernelText(DECLARED, `${BASES} ${body} END: ret;`, '.param .u64 data');
  const launch = {
    grid: [1, 1, 1],
    block: [64, 1, 1],
    params: [{ kind: 'pointer', bytes: 65_536 }],
  };
  const kernel = ptxKernel({
    ptx: { file: 'kernel.ptx', text },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  });
  const { verdict, findings } = await check(kernel);
  return [verdict, ...findings.map(({ rule }) => rule)].join(' ');
}

const WRITE = 'st.global.u32 [%rd0+16], %r0;';
const FENCE = 'fence.proxy.async;';
const BEGIN = '@%p0 bra END;';
const LOAD = `mbarrier.init.shared.b64 [full], 1; fence.mbarrier_init.release.cluster;
mbarrier.arrive.expect_tx.shared.b64 _, [full], 128;
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1+512], [%rd0], 128, [full];
WAIT: mbarrier.try_wait.parity.shared.b64 %p1, [full], 0; @!%p1 bra WAIT;`;
const STORE = `${BEGIN} st.shared.u32 [%r1], %r0; ${FENCE}
cp.async.bulk.global.shared::cta.bulk_group [%rd0], [%r1], 128; cp.async.bulk.commit_group;`;
const READ = 'ld.global.u32 %r4, [%rd0+64]; st.shared.u32 [%r1+256], %r4;';
const ELSEWHERE = 'ld.global.u32 %r4, [%rd0+4096]; st.shared.u32 [%r1+256], %r4;';
const NO_PROXY_FENCE = 'counterexample missing-proxy-fence';

const CASES: readonly (readonly [string, string, string])[] = [
  ['a write and a copy of one thread', `${BEGIN} ${WRITE} ${LOAD}`, NO_PROXY_FENCE],
  ['with a generic fence', `${BEGIN} ${WRITE} fence.acq_rel.gpu; ${LOAD}`, NO_PROXY_FENCE],
  ['with a proxy fence', `${BEGIN} ${WRITE} ${FENCE} ${LOAD}`, 'certified'],
  ['a write of another thread', `@%p2 ${WRITE} bar.sync 0; ${BEGIN} ${LOAD}`, NO_PROXY_FENCE],
  [
    'a fenced write of another thread',
    `@!%p2 bra A; ${WRITE} ${FENCE} A: bar.sync 0; ${BEGIN} ${LOAD}`,
    'certified',
  ],
  ['a write with no barrier', `@%p2 ${WRITE} ${BEGIN} ${LOAD}`, 'counterexample race'],
  ['a write beside what is copied', `${BEGIN} st.global.u32 [%rd0+128], %r0; ${LOAD}`, 'certified'],
  [
    'a store whose reads alone have ended',
    `${STORE} cp.async.bulk.wait_group.read 0; ${READ}`,
    'counterexample race',
  ],
  ['a store that has ended', `${STORE} cp.async.bulk.wait_group 0; ${READ}`, 'certified'],
  ['a read beside an open store', `${STORE} ${ELSEWHERE} cp.async.bulk.wait_group 0;`, 'certified'],
  [
    'a copy of what an open store writes',
    `${STORE} cp.async.bulk.wait_group.read 0; ${LOAD} cp.async.bulk.wait_group 0;`,
    'counterexample race',
  ],
];

for (const [name, body, verdict] of CASES)
  test(`${name}: ${verdict}`, async () => {
    assert.equal(await rulesOf(body), verdict);
  });
