// Asynchronous copies that are open at once: two writes of one place have no order, whichever
// threads issue them and whether or not others read the place.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from 'poundlock/check';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../kernel-text.ts';

const DECLARED = `.reg .b32 %r<16>; .reg .b64 %rd<8>; .reg .pred %p<8>;
.shared .align 8 .b64 full; .shared .align 8 .b64 other; .shared .align 128 .b8 tile[8192];`;
const BASES = `ld.param.u64 %rd0, [data]; mov.u32 %r0, %tid.x; mov.u32 %r1, tile;
shl.b32 %r2, %r0, 2; add.u32 %r2, %r1, %r2; xor.b32 %r3, %r0, 31; shl.b32 %r3, %r3, 2;
add.u32 %r3, %r1, %r3; setp.ne.u32 %p0, %r0, 0;`;

async function rulesOf(body: string, memory?: 'isa'): Promise<string> {
  const text = kernelText(DECLARED, `${BASES} ${body} END: ret;`, '.param .u64 data');
  const launch = {
    grid: [1, 1, 1],
    block: [32, 1, 1],
    params: [{ kind: 'pointer', bytes: 65_536 }],
  };
  const kernel = ptxKernel({
    ptx: { file: 'kernel.ptx', text },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  });
  const { verdict, findings } = await check(kernel, memory === undefined ? {} : { memory });
  return [verdict, ...findings.map(({ rule }) => rule)].join(' ');
}

const copy = (to: string, more = ''): string =>
  `cp.async.ca.shared.global [${to}], [%rd0], 4${more};`;
const COMMIT = 'cp.async.commit_group;';
const WAIT = 'cp.async.wait_all;';
const ofFirst = (body: string): string => `@%p0 bra END; ${body}`;
const INIT = `mbarrier.init.shared.b64 [full], 1; mbarrier.init.shared.b64 [other], 1;
fence.mbarrier_init.release.cluster;`;
const load = (to: string, bytes: number, barrier = 'full'): string =>
  `mbarrier.arrive.expect_tx.shared.b64 _, [${barrier}], ${bytes};
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [${to}], [%rd0], ${bytes}, [${barrier}];`;
const join = (barrier = 'full'): string => `W${barrier}: mbarrier.try_wait.parity.shared.b64 %p1,
[${barrier}], 0; @!%p1 bra W${barrier};`;
const remote = (to: string): string =>
  `st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [${to}], %r0, [full];`;
const reduce = (to: string): string =>
  `red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [${to}], 1, [full];`;
const STORE = `cp.async.bulk.global.shared::cta.bulk_group [%rd0], [%r1], 128;
cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;`;

const FILL = 'st.shared.u32 [%r2], 1; fence.proxy.async; bar.sync 0;';
const OPEN =
  'cp.async.bulk.global.shared::cta.bulk_group [%rd0], [%r1], 128; cp.async.bulk.commit_group;';
const CLOSED = 'cp.async.bulk.wait_group 0;';

const RACES: Readonly<Record<string, string>> = {
  'cp.async of each lane into one place, in one group': `${copy('%r2')} ${copy('%r2')} ${WAIT}`,
  'in two groups': `${copy('%r2')} ${COMMIT} ${copy('%r2')} ${COMMIT} ${WAIT}`,
  'of different lanes': `${copy('%r2')} ${copy('%r3')} ${WAIT}`,
  'with a group between that is waited for': `${copy('%r2+256')} ${COMMIT} ${copy('%r2')} ${COMMIT}
    cp.async.wait_group 1; ${copy('%r2')} ${WAIT}`,
  'that fills with zeros': `${copy('%r2', ', 0')} ${copy('%r2')} ${WAIT}`,
  'cp.async under a bulk store': ofFirst(`${copy('%r1')} fence.proxy.async; ${STORE}`),
  'stores into another CTA, of lanes into one word': `@%p0 bra A; ${INIT}
    mbarrier.arrive.expect_tx.shared.b64 _, [full], 128; A: bar.sync 0; ${remote('%r1')} ${join()}`,
  'bulk stores of lanes, of other bytes each': `${FILL} shl.b32 %r5, %r0, 7;
    add.u32 %r5, %r1, %r5; cp.async.bulk.global.shared::cta.bulk_group [%rd0], [%r5], 128;
    cp.async.bulk.commit_group; ${CLOSED}`,
  'bulk stores of all lanes, and what they read is written': `${FILL} ${OPEN} ${FILL} ${CLOSED}`,
  'bulk copies that share some bytes': ofFirst(
    `${INIT} ${load('%r1', 4096)} ${load('%r1+2048', 4096, 'other')} ${join()} ${join('other')}`,
  ),
};

const RIGHT: Readonly<Record<string, string>> = {
  'cp.async of each lane into its own place': `${copy('%r2')} ${copy('%r2+128')} ${WAIT}`,
  'one after the other': `${copy('%r2')} ${WAIT} ${copy('%r2')} ${WAIT}`,
  'of different lanes, after a wait and a join': `${copy('%r2')} ${WAIT} bar.warp.sync -1;
    ${copy('%r3')} ${WAIT}`,
  'two stages': `${copy('%r2')} ${COMMIT} ${copy('%r2+128')} ${COMMIT} cp.async.wait_group 1;
    ${copy('%r2')} ${COMMIT} ${WAIT}`,
  'that an mbarrier counts': ofFirst(`${INIT} ${copy('%r1')}
    cp.async.mbarrier.arrive.noinc.shared.b64 [full]; ${join()} ${copy('%r1')} ${WAIT}`),
  'bulk copies side by side': ofFirst(
    `${INIT} ${load('%r1', 2048)} ${load('%r1+2048', 2048, 'other')} ${join()} ${join('other')}`,
  ),
  'bulk copies one after the other': ofFirst(
    `${INIT} ${load('%r1', 2048)} ${join()} ${load('%r1', 2048, 'other')} ${join('other')}`,
  ),
  'bulk stores that all lanes make alike': `${FILL} ${OPEN} ${CLOSED} bar.warp.sync -1; ${FILL}
    ${OPEN} ${CLOSED}`,
  'reductions of lanes in one word': `@%p0 bra A; ${INIT}
    mbarrier.arrive.expect_tx.shared.b64 _, [full], 128; A: bar.sync 0; ${reduce('%r1')} ${join()}
    ld.shared.u32 %r4, [%r1];`,
  'stores into another CTA, of each lane': `@%p0 bra A; ${INIT}
    mbarrier.arrive.expect_tx.shared.b64 _, [full], 128; A: bar.sync 0; ${remote('%r2')} ${join()}`,
};

for (const [name, body] of Object.entries(RACES))
  test(`${name}: a race`, async () => {
    assert.equal(await rulesOf(body), 'counterexample race');
  });

test('bulk stores that all lanes make alike, and only one lane waits for', async () => {
  const body = `${FILL} ${OPEN} @%p0 bra A; ${CLOSED} A: bar.warp.sync -1; ${FILL} ${CLOSED}`;
  assert.equal(await rulesOf(body), 'counterexample unjoined-lanes');
});

test('cp.async into one place is a race in the profile isa', async () => {
  assert.equal(await rulesOf(RACES['in two groups']!, 'isa'), 'counterexample race');
});

for (const [name, body] of Object.entries(RIGHT))
  test(`${name}: certified`, async () => {
    assert.equal(await rulesOf(body), 'certified');
  });
