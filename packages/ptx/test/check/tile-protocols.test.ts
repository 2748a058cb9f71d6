// Handoffs of tile kernels between warps, each with a mistake that was made in public kernels, and
// without it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from 'poundlock/check';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../kernel-text.ts';

const DECLARATIONS = `.reg .b32 %r<16>; .reg .b64 %rd<8>; .reg .pred %p<8>;
  .shared .align 8 .b64 full; .shared .align 8 .b64 empty; .shared .align 8 .b64 done;
  .shared .align 4 .b32 word; .shared .align 16 .b8 tile[1024];
  .shared .align 16 .b8 other[1024];`;

/** The launch, where it is not one CTA by itself. */
interface Sizes {
  readonly ctas?: number;
  readonly cluster?: number;
  readonly registers?: number;
}

/** `begin` is executed by all warps, then each has a text of its own, and then `end` follows. */
interface Roles extends Sizes {
  readonly begin?: string;
  readonly warps: readonly string[];
  readonly end?: string;
}

/** The verdict, and the rule of the first finding. */
async function verdictOf({ begin = '', warps, end = '', ...sizes }: Roles): Promise<string> {
  const { ctas = 1, cluster = 1, registers } = sizes;
  const roles = warps.map((text, warp) => {
    const own = text.replaceAll(/AGAIN|LOOP|LEFT/g, (label) => `${label}${warp}`);
    return `setp.ne.u32 %p0, %r4, ${warp}; @%p0 bra NEXT${warp}; ${own}\nNEXT${warp}:`;
  });
  const body = `mov.u32 %r0, %tid.x; shr.u32 %r4, %r0, 5; and.b32 %r5, %r0, 31;
    setp.ne.u32 %p1, %r5, 0; mov.u32 %r6, 0; ld.param.u64 %rd0, [data];
    ${begin}\n${roles.join('\n')}\n${end} ret;`;
  const launch = {
    grid: [ctas, 1, 1],
    cluster: [cluster, 1, 1],
    block: [32 * warps.length, 1, 1],
    ...(registers !== undefined && { registers }),
    params: [{ kind: 'pointer', bytes: 1024, int32: Array.from({ length: 256 }, () => 0) }],
  };
  const text = kernelText(DECLARATIONS, body, '.param .u64 data').replace('sm_90a', 'sm_100a');
  const kernel = ptxKernel({
    ptx: { file: 'kernel.ptx', text: text.replace('.version 8.0', '.version 8.8') },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  });
  const { verdict, findings, reason } = await check(kernel);
  const first = findings.find(({ severity }) => severity === 'error');
  if (verdict === 'counterexample') return first!.rule;
  return verdict === 'inconclusive' ? `inconclusive: ${reason}` : verdict;
}

const init = (name: string, count: number): string =>
  `@!%p1 mbarrier.init.shared::cta.b64 [${name}], ${count};`;
const wait = (name: string, parity: string): string => `AGAIN${name}:
  mbarrier.try_wait.parity.shared::cta.b64 %p3, [${name}], ${parity}; @!%p3 bra AGAIN${name};`;
const arrive = (name: string): string => `mbarrier.arrive.shared::cta.b64 _, [${name}];`;
const MEET = 'bar.sync 0;';
const BARRIERS = `setp.ne.u32 %p2, %r4, 0; @%p2 bra READY;
  ${init('full', 1)} ${init('empty', 1)} ${init('done', 1)} READY: ${MEET}`;
const ALLOCATE = 'tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [word], 32;';
const FREE = `ld.shared.u32 %r2, [word]; tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r2, 32;`;
const meetCluster = (sem: string): string =>
  `barrier.cluster.arrive.${sem}.aligned; barrier.cluster.wait.acquire.aligned;`;
const LANES = 'shl.b32 %r7, %r4, 21; add.u32 %r2, %r2, %r7;';
const COLUMN = `ld.shared.u32 %r2, [word]; ${LANES}`;
const LOAD = 'tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r8}, [%r2];';
const STORE = 'tcgen05.st.sync.aligned.32x32b.x1.b32 [%r2], {%r6}; tcgen05.wait::st.sync.aligned;';
const LOADED = 'tcgen05.wait::ld.sync.aligned;';
const COPY = `mbarrier.arrive.expect_tx.shared::cta.b64 _, [full], 1024;
  cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd0], 1024, [full];`;
/** A loop of two rounds; `%r9` is the parity of the round, and `%r10` the other one. */
const rounds = (text: string): string => `mov.u32 %r9, 0;
  LOOP: xor.b32 %r10, %r9, 1; ${text}
  add.u32 %r9, %r9, 1; setp.lt.u32 %p4, %r9, 2; @%p4 bra LOOP;`;

/** Only the first warp executes it. */
const first = (text: string): string => `setp.ne.u32 %p2, %r4, 0; @%p2 bra LATER; ${text} LATER:`;
/** Only the first lane executes it. */
const one = (text: string): string => `@%p1 bra LEFT; ${text} LEFT: bar.warp.sync -1;`;
const MEET_LANES = 'bar.warp.sync -1;';
const READ_WORD = 'ld.shared.u32 %r3, [word]; st.global.u32 [%rd0], %r3;';
const READ_TILE = 'ld.shared.u32 %r3, [tile];';
const WRITE_TILE = 'st.shared.u32 [tile], %r6;';
const END = `${MEET} ${first(FREE)}`;

const inCluster = (sem: string): Roles => ({
  warps: [ALLOCATE + meetCluster(sem), meetCluster(sem) + READ_WORD],
  end: END,
});
const throughGlobal = (fence: string): Roles => ({
  begin: BARRIERS,
  warps: [
    one(`st.global.u32 [%rd0], %r6; ${arrive('empty')}`),
    one(`${wait('empty', '0')} ${fence} ${COPY} ${wait('full', '0')}`),
  ],
});
const overLanes = (sync: string): Roles => ({
  warps: [
    `mul.wide.u32 %rd1, %r5, 4; add.u64 %rd1, %rd0, %rd1; st.global.u32 [%rd1], %r6; ${sync}
    xor.b32 %r3, %r5, 1; mul.wide.u32 %rd2, %r3, 4; add.u64 %rd2, %rd0, %rd2;
    st.global.u32 [%rd2], %r0;`,
  ],
});
const freed = (meet: string): Roles => ({
  warps: [
    `${ALLOCATE} ${MEET} ${meet} ${FREE}`,
    `${MEET} ${COLUMN} ${LOAD} ${LOADED} st.global.u32 [%rd0], %r8; ${meet}`,
  ],
});
const ring = (acquire: string): Roles => ({
  begin: BARRIERS,
  warps: [
    rounds(`${acquire} ${WRITE_TILE} ${MEET_LANES} @!%p1 ${arrive('full')}`),
    rounds(`${wait('full', '%r9')} ${READ_TILE} ${MEET_LANES} @!%p1 ${arrive('empty')}`),
  ],
});
const changedBy = (others: number): Roles => ({
  registers: 168,
  warps: [72, others, others, others].map((n) => `setmaxnreg.dec.sync.aligned.u32 ${n};`),
});
const handed = (before: string, after: string): Roles => ({
  begin: BARRIERS,
  warps: [
    `${ALLOCATE} ${MEET} ${COLUMN} ${STORE} ${LOAD} ${before} ${MEET_LANES}
    @!%p1 ${arrive('done')} ${after} st.global.u32 [%rd0], %r8; ${MEET} ${FREE}`,
    MEET + MEET,
    MEET + MEET,
    MEET + MEET,
    `${MEET} ${wait('done', '0')} ld.shared.u32 %r2, [word]; ${STORE} ${MEET}`,
  ],
});
const ARRIVE = 'barrier.cluster.arrive.release.aligned;';
const AWAIT = 'barrier.cluster.wait.acquire.aligned;';
const banks = (early: string, late: string): Roles => ({
  ctas: 2,
  cluster: 2,
  begin: `mov.u32 %r11, %cluster_ctarank; xor.b32 %r12, %r11, 1; mov.u32 %r13, tile;
    mapa.shared::cluster.u32 %r13, %r13, %r12;`,
  warps: [
    `@!%p1 st.shared.u32 [tile], %r11; ${MEET_LANES} ${ARRIVE} ${AWAIT} ${early}
    ld.shared::cluster.u32 %r3, [%r13]; ${MEET_LANES} ${late} ${AWAIT}
    @!%p1 st.shared.u32 [tile], %r0; ${ARRIVE} ${AWAIT}`,
  ],
});
const group = (sync: string): Roles => ({
  ctas: 2,
  begin: `mov.u32 %r11, %ctaid.x; mul.wide.u32 %rd1, %r11, 256; add.u64 %rd1, %rd0, %rd1;
    xor.b32 %r12, %r11, 1; mul.wide.u32 %rd2, %r12, 256; add.u64 %rd2, %rd0, %rd2;`,
  warps: [
    `${sync} @%p1 bra SEEN; red.release.gpu.global.add.u32 [%rd0], 1;
    POLL: ld.acquire.gpu.global.u32 %r3, [%rd0]; setp.lt.u32 %p3, %r3, 2; @%p3 bra POLL;
    SEEN: ${MEET} ld.global.u32 %r3, [%rd2+128];`,
    `@!%p1 st.global.u32 [%rd1+128], %r11; ${sync} ${MEET}`,
  ],
});
const cleared = (threads: number, third: string): Roles => ({
  warps: [
    `bar.sync 1, ${threads}; @!%p1 st.global.u32 [%rd0], %r6;`,
    `bar.sync 1, ${threads};`,
    `ld.global.u32 %r3, [%rd0]; ${third}`,
  ],
});
const initializedBy = (second: string): Roles => ({
  warps: [init('full', 32) + MEET, second + MEET, `${MEET} ${arrive('full')}`],
  end: wait('full', '0'),
});
const predicated = (predicate: string): Roles => ({
  begin: BARRIERS,
  warps: [
    `${WRITE_TILE} ${MEET_LANES} ${predicate} ${arrive('full')}`,
    `${wait('full', '0')} ${READ_TILE}`,
  ],
});

/** Two operands by a barrier each; the second one is read before, or after, the wait for it. */
const operands = (before: string, after: string): Roles => ({
  begin: BARRIERS,
  warps: [
    one(`${COPY} ${COPY.replaceAll('full', 'done').replace('[tile]', '[other]')}`),
    `${wait('full', '0')} ${READ_TILE} ${before} ld.shared.u32 %r3, [other]; ${after}`,
  ],
});
/** Tensor memory is given back before, or after, its last load. */
const released = (early: string, late: string): Roles => ({
  begin: BARRIERS,
  warps: [
    `${ALLOCATE} ${MEET} ${COLUMN} ${STORE} ${early} ${LOAD} ${LOADED} st.global.u32 [%rd0], %r8;
    ${MEET_LANES} ${late} ${MEET} ${FREE}`,
    MEET + MEET,
    MEET + MEET,
    MEET + MEET,
    `${MEET} ${wait('done', '0')} ld.shared.u32 %r2, [word]; ${STORE} ${MEET}`,
  ],
});
const DONE = `${MEET_LANES} @!%p1 ${arrive('done')}`;

/** What is wrong, its rule, and the two kernels. */
const PAIRS: readonly (readonly [string, string, Roles, Roles])[] = [
  [
    'an address of tensor memory is read before anything orders it behind its allocation',
    'race',
    { begin: MEET, warps: [ALLOCATE, READ_WORD], end: END },
    { warps: [ALLOCATE + MEET, MEET + READ_WORD], end: END },
  ],
  [
    'a relaxed barrier of the cluster behind the allocation',
    'relaxed-signal',
    inCluster('relaxed'),
    inCluster('release'),
  ],
  [
    'a bulk copy reads global memory that a thread wrote',
    'missing-proxy-fence',
    throughGlobal(''),
    throughGlobal('fence.proxy.async.global;'),
  ],
  [
    'the proxy fence is about shared memory, and the data is in global memory',
    'missing-proxy-fence',
    throughGlobal('fence.proxy.async.shared::cta;'),
    throughGlobal('fence.proxy.async;'),
  ],
  [
    'lanes store again where others stored zeros',
    'unjoined-lanes',
    overLanes(''),
    overLanes(MEET_LANES),
  ],
  ['tensor memory is freed while another warp loads', 'race', freed(''), freed(MEET)],
  [
    'a stage of a ring of one is written again unasked',
    'deadlock',
    ring(''),
    ring(wait('empty', '%r10')),
  ],
  [
    'warps of a warpgroup give different numbers of registers',
    'register-misuse',
    changedBy(24),
    changedBy(72),
  ],
  [
    'a load of tensor memory is open as another warp may write there',
    'race',
    handed('', LOADED),
    handed(LOADED, ''),
  ],
  [
    'a CTA arrives before its warps have read what the next round replaces',
    'race',
    banks(ARRIVE, ''),
    banks('', ARRIVE),
  ],
  ['one thread arrives for its block, which has not met', 'race', group(''), group(MEET)],
  [
    'counters are cleared while another warp reads them',
    'race',
    cleared(64, ''),
    cleared(96, 'bar.sync 1, 96;'),
  ],
  [
    'the leaders of two warps initialize one barrier',
    'uninitialised-barrier',
    initializedBy(init('full', 32)),
    initializedBy(''),
  ],
  [
    'a predicate is lost, and all lanes arrive',
    'over-arrival',
    predicated(''),
    predicated('@!%p1'),
  ],
  [
    'the wait for an operand comes behind its use',
    'race',
    operands('', wait('done', '0')),
    operands(wait('done', '0'), ''),
  ],
  ['nothing waits for an operand', 'race', operands('', ''), operands(wait('done', '0'), '')],
  [
    'tensor memory is given back before its last load',
    'race',
    released(DONE, ''),
    released('', DONE),
  ],
];

for (const [name, rule, wrong, right] of PAIRS)
  test(name, async () => {
    assert.equal(await verdictOf(wrong), rule);
    assert.equal(await verdictOf(right), 'certified');
  });

test('warps meet at one barrier from different instructions', async () => {
  const meet = 'bar.sync 1, 64;';
  const warps = [`@!%p1 ${WRITE_TILE} ${meet}`, `${meet} ${READ_TILE}`];
  assert.equal(await verdictOf({ warps }), 'certified');
});
