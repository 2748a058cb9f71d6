// Data of which each lane has a value of its own decides for each lane, and is equal to no other.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../../accepting.ts';
import { ptxKernel } from '#src/kernel/kernel';

const REGISTERS = '.reg .b32 %r<32>; .reg .b64 %rd<8>; .reg .pred %p<12>; .reg .f32 %f<12>;';
const SHARED = '.shared .align 128 .b8 word[4096]; .shared .align 8 .b64 full;';
/** `%r4` is a word of each thread, `%rd1` one in global memory, `%r2` and `%rd0` those of all. */
const BEGIN = `ld.param.u64 %rd0, [p]; mov.u32 %r1, %tid.x; mov.u32 %r2, word;
  shl.b32 %r3, %r1, 2; add.u32 %r4, %r2, %r3; cvt.u64.u32 %rd1, %r3; add.s64 %rd1, %rd0, %rd1;
  shl.b32 %r3, %r1, 4; add.u32 %r8, %r2, %r3;`;

async function verdictOf(body: string, threads = 32): Promise<string> {
  const text = `.version 8.8\n.target sm_100a\n.address_size 64
    .visible .entry kernel(.param .u64 p) { ${REGISTERS} ${SHARED} ${BEGIN} ${body} }`;
  const launch = {
    grid: [1, 1, 1],
    block: [threads, 1, 1],
    params: [{ kind: 'pointer', bytes: 65536 }],
  };
  const kernel = ptxKernel({
    ptx: { file: 'kernel.ptx', text },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  });
  return (await check(kernel)).verdict;
}

/** Where `%r6` is zero, a barrier of the whole block is left out. */
const AROUND = 'setp.eq.u32 %p2, %r6, 0; @%p2 bra END; bar.sync 0; END: ret;';
const OF_EACH = 'ld.global.u32 %r5, [%rd1]; setp.eq.u32 %p1, %r5, 0;';
const OF_ALL = 'ld.global.u32 %r5, [%rd0]; setp.eq.u32 %p1, %r5, 0;';
const QUIET = 'mov.u32 %r6, 0; @%p1 bra OVER; ld.global.u32 %r6, [%rd0+512]; OVER:';

test('what a branch of each lane leaves behind differs by lane', async () => {
  assert.equal(await verdictOf(`${OF_EACH} ${QUIET} ${AROUND}`), 'inconclusive');
  assert.equal(await verdictOf(`${OF_ALL} ${QUIET} ${AROUND}`), 'certified');
  const inside = QUIET.replace('[%rd0+512]', '[%rd1+512]');
  assert.equal(await verdictOf(`${OF_ALL} ${inside} ${AROUND}`), 'inconclusive');
  const thread = QUIET.replace('ld.global.u32 %r6, [%rd0+512]', 'mov.u32 %r6, %tid.x');
  assert.equal(await verdictOf(`${OF_ALL} ${thread} ${AROUND}`), 'inconclusive');
});

/** `%r5` is a word that the same lanes of all warps load, `%r10` one that they share. */
const OF_LANE = `and.b32 %r9, %r1, 31; shl.b32 %r9, %r9, 2; add.u32 %r10, %r2, %r9;
  cvt.u64.u32 %rd2, %r9; add.s64 %rd2, %rd0, %rd2; ld.global.u32 %r5, [%rd2];`;

test('what lanes compute on the ways that data chooses for each of them is one value', async () => {
  const body = (computed: string): string => `${OF_LANE} setp.eq.u32 %p1, %r5, 0;
    mov.u32 %r6, 1; @%p1 bra OVER; ${computed} OVER: st.shared.u32 [%r10], %r6; ret;`;
  assert.equal(await verdictOf(body('add.u32 %r6, %r5, 3;'), 64), 'certified');
  assert.equal(await verdictOf(body('add.u32 %r6, %r9, 3;'), 64), 'certified');
  // This is another number in each warp.
  assert.equal(await verdictOf(body('add.u32 %r6, %r5, %r1;'), 64), 'counterexample');
});

test('which lanes data has parted is not known on the ways of a branch', async () => {
  const body = (counted: string): string => `${OF_LANE} setp.eq.u32 %p1, %r5, 0; mov.u32 %r6, -1;
    @%p1 bra OVER; ${counted} OVER: setp.eq.s32 %p3, %r6, -1; @%p3 bra END; bar.sync 1, 64;
    END: ret;`;
  assert.notEqual(await verdictOf(body('activemask.b32 %r6;')), 'certified');
  const shuffled = 'activemask.b32 %r7; shfl.sync.idx.b32 %r6, %r6, 0, 31, %r7;';
  assert.notEqual(await verdictOf(body(shuffled)), 'certified');
});

test('lanes that are known to go one way have the value of that way', async () => {
  const body = (lane: number): string => `bar.sync 0; ${OF_LANE} setp.lt.u32 %p2, %r1, 16;
    setp.eq.or.u32 %p1, %r5, 0, %p2; mov.u32 %r6, 1; @%p1 bra OVER; mov.u32 %r6, %r5;
    OVER: shfl.sync.idx.b32 %r6, %r6, ${lane}, 31, -1; setp.ne.u32 %p3, %r6, 1; @%p3 bra WAIT;
    bra END; WAIT: bar.sync 1, 64; END: ret;`;
  assert.equal(await verdictOf(body(3)), 'certified');
  assert.notEqual(await verdictOf(body(20)), 'certified');
});

test('so does what an instruction leaves behind that some lanes execute', async () => {
  const moved = 'mov.u32 %r6, 0; @%p1 mov.u32 %r6, 1;';
  assert.equal(await verdictOf(`${OF_EACH} ${moved} ${AROUND}`), 'inconclusive');
  assert.equal(await verdictOf(`${OF_ALL} ${moved} ${AROUND}`), 'certified');
  const shuffled = `${moved} shfl.sync.idx.b32 %r6, %r6, 0, 31, -1;`;
  assert.equal(await verdictOf(`${OF_EACH} ${shuffled} ${AROUND}`), 'certified');
});

const ELEMENTS = '{%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7}';
const OF_LANES = {
  ldmatrix: 'ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r6}, [%r8];',
  'wmma.load': `wmma.load.c.sync.aligned.row.m16n16k16.shared.f32 ${ELEMENTS}, [%r2], 16;
    mov.b32 %r6, %f3;`,
  movmatrix: `${OF_ALL} movmatrix.sync.aligned.m8n8.trans.b16 %r6, %r5;`,
  'match.any': `${OF_EACH} match.any.sync.b32 %r6, %r5, -1;`,
  suld: 'suld.b.1d.b32.trap {%r6}, [%rd0, {%r2}];',
};
for (const [name, body] of Object.entries(OF_LANES))
  test(`results of ${name} differ by lane`, async () => {
    assert.equal(await verdictOf(`${body} ${AROUND}`), 'inconclusive');
  });

test('a vote on them is one answer', async () => {
  const voted =
    'setp.eq.u32 %p3, %r6, 0; vote.sync.any.pred %p4, %p3, -1; selp.b32 %r6, 1, 0, %p4;';
  assert.equal(await verdictOf(`${OF_LANES.ldmatrix} ${voted} ${AROUND}`), 'certified');
});

test('the number of a multiprocessor is any', async () => {
  const body = (order: string): string => `mov.u32 %r5, %smid; setp.eq.u32 %p2, %r5, 7;
    st.shared.u32 [%r4], %r1; @%p2 bra OVER; ${order} OVER: xor.b32 %r6, %r4, 128;
    ld.shared.u32 %r7, [%r6]; ret;`;
  assert.equal(await verdictOf(body('bar.sync 0;'), 64), 'counterexample');
  assert.equal(await verdictOf(`bar.sync 0; ${body('bar.sync 0;')}`, 32), 'certified');
});

test('a byte of a word that a copy wrote anew is another one', async () => {
  const first = 'setp.eq.u32 %p1, %r9, 0;';
  const copy = `@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%r11], 256;
    @%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes
      [%r2], [%rd0], 256, [%r11];
    W: mbarrier.try_wait.parity.shared.b64 %p6, [%r11], %r10; @!%p6 bra W;`;
  const stuck = 'S: mbarrier.try_wait.parity.shared.b64 %p6, [%r11], %r10; @!%p6 bra S;';
  const body = `mov.u32 %r11, full; mov.u32 %r10, 0; mov.u32 %r9, 0; mov.u32 %r12, 1;
    setp.eq.u32 %p0, %r1, 0; @%p0 mbarrier.init.shared.b64 [%r11], 1; bar.sync 0;
    LOOP: ${copy} xor.b32 %r10, %r10, 1; bar.sync 0;
    @%p0 st.shared.u8 [%r2], %r12; bar.sync 0;
    ld.shared.u8 %r13, [%r2+1]; setp.eq.u32 %p4, %r13, 0; ${first} @%p1 bra FIRST;
    @%p4 bra END; ${stuck} bra END;
    FIRST: @!%p4 bra END;
    bar.sync 0; fence.proxy.async; add.u32 %r9, %r9, 1; bar.sync 0; bra LOOP; END: ret;`;
  assert.notEqual(await verdictOf(body), 'certified');
  assert.equal(await verdictOf(body.replace(stuck, '')), 'certified');
});

test('st.bulk writes shared memory', async () => {
  const body = (order: string): string => `setp.ne.u32 %p0, %r1, 0; mov.u64 %rd2, word;
    cvta.shared.u64 %rd3, %rd2; @%p0 bra OVER;
    st.bulk.weak.shared::cta [%rd3], 1024, 0; OVER: ${order} ld.shared.u32 %r6, [%r4]; ret;`;
  assert.equal(await verdictOf(body(''), 64), 'counterexample');
  assert.equal(await verdictOf(body('bar.sync 0;'), 64), 'certified');
});

test('a matrix of 16 rows has 16 addresses', async () => {
  const body = (order: string): string => `setp.ne.u32 %p0, %r1, 40; add.u32 %r9, %r2, 144;
    @!%p0 st.shared.u32 [%r9], %r1; ${order} setp.gt.u32 %p1, %r1, 31; @%p1 bra END;
    ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%r6, %r7}, [%r8]; END: ret;`;
  assert.equal(await verdictOf(body(''), 64), 'counterexample');
  assert.equal(await verdictOf(body('bar.sync 0;'), 64), 'certified');
});

test('a copy to several devices reads shared memory', async () => {
  const body = (drain: string): string => `setp.ne.u32 %p0, %r1, 0; @%p0 bra END;
    multimem.cp.async.bulk.bulk_group.global.shared::cta [%rd0], [%r2], 256;
    cp.async.bulk.commit_group; ${drain} END: bar.sync 0; st.shared.u32 [%r4], %r1; ret;`;
  assert.notEqual(await verdictOf(body(''), 64), 'certified');
  assert.equal(await verdictOf(body('cp.async.bulk.wait_group.read 0;'), 64), 'certified');
});
