// What all threads of a warp do together, and what each does by itself: .aligned instructions, loads
// of tensor memory, commits, and masks of lanes in a warp that is not full.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from 'poundlock/check';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../kernel-text.ts';

const DECLARED = `.reg .b32 %r<16>; .reg .b64 %rd<4>; .reg .pred %p<8>;
.shared .align 8 .b64 full; .shared .align 16 .b8 word[256];`;
const BASES = `mov.u32 %r0, %tid.x; mov.u32 %r1, word; setp.eq.u32 %p0, %r0, 0;
ld.param.u64 %rd0, [data];`;

async function resultOf(body: string, block = 32, memory?: 'isa') {
  const text = kernelText(DECLARED, `${BASES} ${body} END: ret;`, '.param .u64 data');
  const params = [{ kind: 'pointer', bytes: 65_536 }];
  const kernel = ptxKernel({
    ptx: { file: 'kernel.ptx', text: text.replace('sm_90a', 'sm_100a') },
    launch: {
      file: 'launch.json',
      text: JSON.stringify({ grid: [1, 1, 1], block: [block, 1, 1], params }),
    },
  });
  const { verdict, findings, scope } = await check(kernel, memory === undefined ? {} : { memory });
  const [first] = findings;
  const assumptions = scope.assumptions.map(({ text }) => text);
  return { rule: first?.rule ?? verdict, message: first?.message ?? '', assumptions };
}

const ALLOCATE = 'tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r1], 32;';
const FREE = `ld.shared.u32 %r2, [%r1];
tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r2, 32;`;
const RELINQUISH = 'tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;';
const ROW = 'ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r8}, [%r1];';
const JOIN = 'bar.warp.sync -1;';
const MANY = 'setp.lt.u32 %p0, %r0, 16;';

/** An instruction in a branch of the lanes of `%p0`, and whether others go first. */
const inBranch = (body: string): string => `@!%p0 bra J; ${body} J: ${JOIN}`;
const behind = (body: string): string => `@%p0 bra B; bra J; B: ${body} J: ${JOIN}`;

const PARTS: readonly (readonly [string, RegExp])[] = [
  [inBranch(RELINQUISH), /^tcgen05\.relinquish.* \.aligned, and lane 0 .* lanes 1–31$/],
  [behind(RELINQUISH), /\.aligned, and lane 0 .* lanes 1–31$/],
  [`${MANY} ${inBranch(RELINQUISH)}`, /\.aligned, and lanes 0–15 .* lanes 16–31$/],
  [`@%p0 ${RELINQUISH}`, /\.aligned, and lane 0 .* lanes 1–31$/],
  [`@%p0 bra B; ${RELINQUISH} bra J; B: ${RELINQUISH} J: ${JOIN}`, /\.aligned/],
  [inBranch(ROW), /^ldmatrix.* \.aligned, and lane 0 /],
  [inBranch('bar.sync 1, 32;'), /^bar\.sync is \.aligned, and lane 0 /],
  [inBranch('barrier.cluster.arrive.aligned;'), /^barrier\.cluster.* \.aligned, and lane 0 /],
];

test('P15: an .aligned instruction without all threads of the warp', async () => {
  for (const [body, message] of PARTS) {
    const text = `${ALLOCATE} ${body} ${FREE}`;
    const found = await resultOf(text);
    assert.equal(found.rule, 'invalid-operation', body);
    assert.match(found.message, message, body);
  }
  const left = await resultOf(`${ALLOCATE} @!%p0 bra END; ${FREE}`);
  assert.match(left.message, /lane 0 executes it without lanes 1–31, which have exited$/);
  const whole = await resultOf(
    `${ALLOCATE} setp.lt.u32 %p0, %r0, 32; ${inBranch(RELINQUISH)} ${FREE}`,
  );
  assert.equal(whole.rule, 'certified');
});

const LOAD = 'tcgen05.ld.sync.aligned.32x32b.x4.b32 {%r4, %r5, %r6, %r7}, [%r2];';
const LOADED = 'tcgen05.wait::ld.sync.aligned;';
const loading = (body: string): string =>
  `${ALLOCATE} ld.shared.u32 %r2, [%r1]; ${LOAD} ${body} ${LOADED} ${FREE}`;

test('registers of tcgen05.ld are neither read nor written before tcgen05.wait::ld', async () => {
  for (const use of [
    'st.global.u32 [%rd0], %r6;',
    'add.u32 %r8, %r7, 1;',
    'mov.u32 %r8, %r4;',
    'setp.eq.u32 %p1, %r5, 0;',
    'mov.u32 %r5, 0;',
    'ld.global.u32 %r4, [%rd0];',
    LOAD,
    'tcgen05.wait::st.sync.aligned; add.u32 %r8, %r7, 1;',
  ])
    assert.equal((await resultOf(loading(use))).rule, 'register-in-flight', use);
  for (const use of [
    'st.global.u32 [%rd0], %r3;',
    'mov.u32 %r8, 0;',
    `${LOADED} st.global.u32 [%rd0], %r6; mov.u32 %r5, 0;`,
    `${LOADED} ${LOAD}`,
  ])
    assert.equal((await resultOf(loading(use))).rule, 'certified', use);
});

test('tcgen05.commit arrives once for each lane', async () => {
  const commit = (count: number, lanes: number): string => `@!%p0 bra READY;
    mbarrier.init.shared.b64 [full], ${count}; fence.mbarrier_init.release.cluster;
    READY: bar.sync 0; setp.lt.u32 %p1, %r0, ${lanes}; mov.u32 %r3, full;
    @%p1 tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r3];`;
  for (const [count, lanes] of [
    [1, 32],
    [1, 2],
    [16, 32],
  ] as const) {
    const { rule, message } = await resultOf(commit(count, lanes));
    assert.equal(rule, 'over-arrival');
    assert.match(message, new RegExp(`${lanes} arrivals .* counts ${count}$`));
  }
  for (const [count, lanes] of [
    [1, 1],
    [32, 32],
  ] as const)
    assert.equal((await resultOf(commit(count, lanes))).rule, 'certified');
});

test('H20: masks that name threads which the block does not have', async () => {
  const forms = (mask: string): string[] => [
    `elect.sync %r8|%p1, ${mask};`,
    `shfl.sync.bfly.b32 %r8, %r0, 1, 31, ${mask};`,
    `vote.sync.any.pred %p1, %p0, ${mask};`,
    `match.any.sync.b32 %r8, %r0, ${mask};`,
    `redux.sync.add.s32 %r8, %r0, ${mask};`,
    `bar.warp.sync ${mask};`,
  ];
  for (const form of forms('0xffffffff')) {
    const [name] = form.split(' ') as [string];
    const { rule, assumptions } = await resultOf(form, 4);
    assert.equal(rule, 'certified');
    assert.match(assumptions.join(), new RegExp(`^H20 .* ${name} .*\\(1 place\\)`));
    const isa = await resultOf(form, 4, 'isa');
    assert.equal(isa.rule, 'invalid-operation');
    assert.match(isa.message, / lanes 4–31,/);
    assert.equal((await resultOf(form, 64, 'isa')).rule, 'certified');
  }
  for (const form of forms('0xf')) {
    const { rule, assumptions } = await resultOf(form, 4, 'isa');
    assert.deepEqual([rule, assumptions], ['certified', []], form);
  }
});

test('H23: lanes that have ended when the others come to an aligned barrier', async () => {
  const some = 'setp.ge.u32 %p1, %r0, 16; @%p1 bra';
  const bodies = {
    'returned before': `${some} END; bar.sync 0;`,
    'went around it': `${some} AFTER; bar.sync 0; AFTER: st.global.u32 [%rd0], 1;`,
  };
  for (const [name, body] of Object.entries(bodies)) {
    const { rule, assumptions } = await resultOf(body);
    assert.equal(rule, 'certified', name);
    assert.match(assumptions.join(), /^H23 .* bar\.sync .*\(1 place\)/, name);
    assert.equal((await resultOf(body, 32, 'isa')).rule, 'inconclusive', name);
  }
  const whole = await resultOf('setp.ge.u32 %p1, %r0, 32; @%p1 bra END; bar.sync 0;', 48, 'isa');
  assert.deepEqual([whole.rule, whole.assumptions], ['certified', []]);
});

test('H25: what lanes read of a clock by one instruction decides what they do', async () => {
  const decided = (read: string, rest: string): string =>
    `mov.u32 %r8, ${read}; and.b32 %r8, %r8, 1; setp.eq.u32 %p1, %r8, 0; ${rest}`;
  const apart = '@%p1 bra A; bar.sync 0; bra AFTER; A: bar.sync 0; AFTER:';
  for (const read of ['%clock', '%warpid', '%smid']) {
    const { rule, assumptions } = await resultOf(decided(read, apart));
    assert.equal(rule, 'certified', read);
    assert.match(assumptions.join(), /^H25 .* decides bra \(1 place\)/, read);
    assert.equal((await resultOf(decided(read, apart), 32, 'isa')).rule, 'inconclusive', read);
  }
  const result = await resultOf(decided('%clock', '@%p1 add.u32 %r8, %r8, 1;'), 32, 'isa');
  assert.deepEqual([result.rule, result.assumptions], ['certified', []], 'decides nothing');
  const one = await resultOf(decided('%clock', apart), 1, 'isa');
  assert.deepEqual([one.rule, one.assumptions], ['certified', []], 'one lane');
});

test('a mask that is data, and one of lanes that the warp has found', async () => {
  const load = 'ld.global.u32 %r4, [%rd0];';
  const join = (mask: string): string => `${load} ${mask} bar.warp.sync %r5; bar.sync 0;`;
  assert.equal((await resultOf(join('or.b32 %r5, %r4, 1;'))).rule, 'inconclusive');
  assert.equal((await resultOf(join('match.any.sync.b32 %r5, %r4, -1;'))).rule, 'certified');
  const found = `setp.eq.u32 %p1, %r4, 0; vote.sync.ballot.b32 %r5, %p1, -1; not.b32 %r6, %r5;
    or.b32 %r5, %r5, %r6;`;
  assert.equal((await resultOf(join(found))).rule, 'certified');
});
