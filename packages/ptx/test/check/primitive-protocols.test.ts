// Single primitives used against their protocol, each beside the same text with the protocol kept.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from 'poundlock/check';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../kernel-text.ts';

const DECLARATIONS = `.reg .b16 %h<1>; .reg .b32 %r<8>; .reg .b64 %rd<4>; .reg .pred %p<4>;
  .shared .align 8 .b64 full; .shared .align 16 .b32 address; .shared .align 1024 .b8 tile[16384];`;
const PARAMETERS = '.param .u64 p, .param .align 64 .b8 map[128]';

interface Options {
  readonly memory?: 'isa';
  readonly threads?: number;
  readonly ctas?: number;
}

/** The verdict and the rules of all findings. */
async function findingsOf(body: string, { memory, threads = 32, ctas = 1 }: Options = {}) {
  const text = kernelText(DECLARATIONS, `${body} ret;`, PARAMETERS);
  const launch = {
    grid: [ctas, 1, 1],
    cluster: [ctas, 1, 1],
    block: [threads, 1, 1],
    params: [
      { kind: 'pointer', bytes: 64 },
      { kind: 'tensormap', boxBytes: 16_384 },
    ],
  };
  const kernel = ptxKernel({
    ptx: { file: 'kernel.ptx', text: text.replace('sm_90a', 'sm_100a') },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  });
  const { verdict, findings } = await check(kernel, memory === undefined ? {} : { memory });
  return [verdict, ...new Set(findings.map(({ rule }) => rule))].join(' ');
}

const elected = (body: string): string =>
  `elect.sync %r0|%p0, -1; @!%p0 bra ELECTED; ${body} ELECTED: bar.warp.sync -1;`;
const INIT = `mov.u32 %r1, %tid.x; setp.ne.u32 %p1, %r1, 0;
  @!%p1 mbarrier.init.shared::cta.b64 [full], 1; fence.mbarrier_init.release.cluster; bar.sync 0;`;
const tried = (parity: string): string =>
  `mbarrier.try_wait.parity.shared::cta.b64 %p2, [full], ${parity};`;
const wait = (parity = '0'): string => `W: ${tried(parity)} @!%p2 bra W;`;
const ARRIVE = 'mbarrier.arrive.shared::cta.b64 _, [full];';
const expect = (bytes: number): string =>
  `mbarrier.arrive.expect_tx.shared::cta.b64 _, [full], ${bytes};`;
const COPY = `cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes
  [tile], [%rd0], 16, [full];`;
const COMMIT = 'tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [full];';
const ALLOCATE = 'tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [address], 32;';
const RELINQUISH = 'tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;';
const FREE = `ld.shared.u32 %r2, [address];
  tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r2, 32;`;

test('all lanes arrive at a barrier of one arrival', async () => {
  assert.equal(await findingsOf(`${INIT} ${ARRIVE} ${tried('0')}`), 'counterexample over-arrival');
  assert.equal(await findingsOf(`${INIT} ${elected(ARRIVE)} ${wait()}`), 'certified');
});

test('bytes are expected that nothing completes', async () => {
  const body = `${INIT} ld.param.u64 %rd0, [p];`;
  assert.equal(
    await findingsOf(`${body} ${elected(expect(16))} ${wait()}`),
    'counterexample deadlock',
  );
  // Without a wait nothing hangs, and the barrier is left with bytes that are missing.
  assert.match(await findingsOf(`${body} ${elected(expect(16))} ${tried('0')}`), / not-quiescent$/);
  assert.equal(await findingsOf(`${body} ${elected(expect(16) + COPY)} ${wait()}`), 'certified');
});

test('one lane gives the right to allocate tensor memory back', async () => {
  const inside = `${ALLOCATE} ${elected(RELINQUISH)} ${FREE}`;
  assert.equal(await findingsOf(inside), 'counterexample invalid-operation');
  assert.equal(await findingsOf(`${ALLOCATE} ${RELINQUISH} ${FREE}`), 'certified');
});

test('all lanes commit to a barrier of one arrival', async () => {
  assert.equal(await findingsOf(`${INIT} ${COMMIT}`), 'counterexample over-arrival');
  assert.equal(await findingsOf(`${INIT} ${elected(COMMIT)} ${wait()}`), 'certified');
});

test('a loop waits for parities from 1 on at a barrier whose first phase is complete', async () => {
  const loop = (parity: string): string => `mov.u32 %r2, 0; LOOP: ${parity} ${wait('%r3')}
    add.u32 %r2, %r2, 1; setp.lt.u32 %p3, %r2, 2; @%p3 bra LOOP;`;
  const begun = `${INIT} ${elected(ARRIVE)}`;
  assert.equal(
    await findingsOf(`${begun} ${loop('xor.b32 %r3, %r2, 1;')}`),
    'counterexample deadlock',
  );
  assert.equal(await findingsOf(`${begun} ${loop('mov.u32 %r3, 0;')}`), 'certified');
});

test('elect.sync names lanes that a block of four threads does not have', async () => {
  const body = `${INIT} ld.param.u64 %rd0, [p]; ${elected(expect(16) + COPY)} ${wait()}`;
  assert.equal(
    await findingsOf(body, { threads: 4, memory: 'isa' }),
    'counterexample invalid-operation',
  );
  assert.equal(await findingsOf(body, { threads: 4 }), 'certified');
  const own = body.replaceAll(', -1', ', 15').replaceAll('sync -1', 'sync 15');
  assert.equal(await findingsOf(own, { threads: 4, memory: 'isa' }), 'certified');
});

test('a multicast of a pair signals the barriers of pairs, and not of the leader of four', async () => {
  const body = (ctas: number, inAll: boolean): string => `mov.u32 %r1, %tid.x;
    setp.ne.u32 %p1, %r1, 0; mov.u32 %r2, %cluster_ctarank; setp.ne.u32 %p3, %r2, 0;
    ${inAll ? '' : '@%p3 bra MEET;'} @!%p1 mbarrier.init.shared::cta.b64 [full], 1;
    MEET: fence.mbarrier_init.release.cluster;
    barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;
    @%p3 bra DONE; @%p1 bra DONE; ${expect(16_384 * ctas)} mov.b16 %h0, ${2 ** ctas - 1};
    cp.async.bulk.tensor.2d.cta_group::2.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster
      [tile], [map, {0, 0}], [full], %h0; ${wait()}
    DONE: barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;`;
  const four = await findingsOf(body(4, false), { ctas: 4 });
  assert.equal(four, 'counterexample uninitialised-barrier');
  assert.equal(await findingsOf(body(4, true), { ctas: 4 }), 'counterexample deadlock');
  assert.equal(await findingsOf(body(2, false), { ctas: 2 }), 'certified');
});
