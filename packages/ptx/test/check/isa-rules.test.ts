// What the PTX ISA leaves undefined for addresses, sizes and masks: each wrong form is an error, and
// the form beside it is certified.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CheckResult } from '@poundlock/core/internal/finding';
import {
  assert as assertProperty,
  asyncProperty,
  constantFrom,
  nat,
  pre,
  record,
} from 'fast-check';
import { check } from '../accepting.ts';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../kernel-text.ts';

const DECLARED = `.reg .b32 %r<16>; .reg .b64 %rd<8>; .reg .pred %p<8>;
.shared .align 8 .b64 full; .shared .align 128 .b8 tile[1024]; .shared .align 16 .b8 rows[256];
.local .align 16 .b8 stack[64];`;
const FIRST = 'mov.u32 %r0, %tid.x; setp.ne.u32 %p0, %r0, 0; @%p0 bra END;';
const BASES = `ld.param.u64 %rd0, [data]; mov.u32 %r1, tile; mov.u32 %r2, rows;
mov.u64 %rd1, rows; cvta.shared.u64 %rd2, %rd1; mov.u64 %rd3, stack;
mov.u64 %rd4, map; cvta.param.u64 %rd5, %rd4; mov.u64 %rd6, 0;`;
const INIT = 'mbarrier.init.shared.b64 [full], 1;';
const WAIT = 'WAIT: mbarrier.try_wait.parity.shared.b64 %p1, [full], 0; @!%p1 bra WAIT;';

function resultOf(body: string, block = 32): Promise<CheckResult> {
  const parameters = '.param .u64 data, .param .align 64 .b8 map[256]';
  const params = [
    { kind: 'pointer', bytes: 65_536 },
    { kind: 'tensormap', boxBytes: 256 },
  ];
  const launch = { grid: [1, 1, 1], block: [block, 1, 1], registers: 168, params };
  const kernel = ptxKernel({
    ptx: {
      file: 'kernel.ptx',
      text: kernelText(DECLARED, `${BASES} ${body} END: ret;`, parameters),
    },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  });
  return check(kernel);
}

const ofFirst = (body: string): string => `${FIRST} ${body}`;
const load = (to: string, from: string, bytes = 64): string => `${FIRST} ${INIT}
mbarrier.arrive.expect_tx.shared.b64 _, [full], ${bytes};
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [${to}], [${from}], ${bytes}, [full];
${WAIT}`;
const store = (to: string, from: string): string => `${FIRST}
cp.async.bulk.global.shared::cta.bulk_group [${to}], [${from}], 64;
cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;`;
const tensor = (to: string, map: string): string => `${FIRST} ${INIT}
mbarrier.arrive.expect_tx.shared.b64 _, [full], 256;
cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
[${to}], [${map}, {%r0, %r0}], [full]; ${WAIT}`;
const threadCopy = (form: string, to: string, from: string, size: string): string =>
  `${FIRST} cp.async.${form}.shared.global [${to}], [${from}], ${size};
cp.async.commit_group; cp.async.wait_group 0;`;
const remote = (to: string): string => `${FIRST} ${INIT}
mbarrier.arrive.expect_tx.shared.b64 _, [full], 16;
st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [${to}], {%r0, %r0, %r0, %r0}, [full];
${WAIT}`;
const use = (before: string): string => `${FIRST} ${INIT} ${before}
mbarrier.arrive.shared.b64 _, [full]; ${WAIT}`;
const halves = (low: string, high: string): string => `mov.u32 %r0, %tid.x;
setp.lt.u32 %p1, %r0, 16; selp.b32 %r3, ${low}, ${high}, %p1; bar.warp.sync %r3; bar.sync 0;`;
const reduced = (other: string): string => `mov.u32 %r0, %tid.x; setp.lt.u32 %p1, %r0, 32;
@%p1 bra A; ${other} bra B; A: bar.red.popc.u32 %r3, 1, 64, %p1; B: bar.sync 0;`;
const early = (count: number, body: string): string =>
  `mov.u32 %r0, %tid.x; setp.ge.u32 %p0, %r0, ${count}; @%p0 bra END; ${body}`;
const MMA = `mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32
{%r4, %r5, %r6, %r7}, {%r8, %r9}, {%r10}, {%r4, %r5, %r6, %r7};`;
const ROW = 'ldmatrix.sync.aligned.m8n8.x1.shared.b16';

/** What is asked for, the wrong form, the right form, and threads of the block. */
const FORMS: readonly (readonly [string, string, string, number?])[] = [
  [
    'a store of a vector',
    ofFirst('st.shared.v4.b32 [%r2+4], {%r0, %r0, %r0, %r0};'),
    ofFirst('st.shared.v4.b32 [%r2+16], {%r0, %r0, %r0, %r0};'),
  ],
  [
    'a load of a word',
    ofFirst('ld.shared.b32 %r3, [%r2+2];'),
    ofFirst('ld.shared.b32 %r3, [%r2+4];'),
  ],
  [
    'a generic address',
    ofFirst('st.v2.b32 [%rd2+4], {%r0, %r0};'),
    ofFirst('st.v2.b32 [%rd2+8], {%r0, %r0};'),
  ],
  [
    'global memory',
    ofFirst('st.global.v2.b64 [%rd0+8], {%rd6, %rd6};'),
    ofFirst('st.global.v2.b64 [%rd0+16], {%rd6, %rd6};'),
  ],
  [
    'local memory',
    ofFirst('st.local.v2.b32 [%rd3+12], {%r0, %r0};'),
    ofFirst('st.local.v2.b32 [%rd3+8], {%r0, %r0};'),
  ],
  [
    'an atomic',
    ofFirst('atom.shared.add.u32 %r3, [%r2+2], 1;'),
    ofFirst('atom.shared.add.u32 %r3, [%r2+4], 1;'),
  ],
  ['a row of a matrix', `${ROW} {%r3}, [%r2+8];`, `${ROW} {%r3}, [%r2+16];`],
  [
    'a stored row',
    'stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r2+8], {%r3};',
    `${FIRST.replace('@%p0 bra END;', '')} shl.b32 %r4, %r0, 4; and.b32 %r4, %r4, 127; add.u32 %r4, %r4, %r2;
stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r4], {%r3};`,
  ],
  ['where a bulk copy writes', load('%r1+8', '%rd0'), load('%r1+16', '%rd0')],
  ['where a bulk copy reads', load('%r1', '%rd0+8'), load('%r1', '%rd0+16')],
  ['the size of a bulk copy', load('%r1', '%rd0', 24), load('%r1', '%rd0', 32)],
  ['a bulk store', store('%rd0', '%r1+8'), store('%rd0', '%r1+16')],
  ['where a bulk store writes', store('%rd0+4', '%r1'), store('%rd0+16', '%r1')],
  ['the tile of a tensor copy', tensor('%r1+64', '%rd5'), tensor('%r1+128', '%rd5')],
  ['a tensor map', tensor('%r1', '%rd5+32'), tensor('%r1', '%rd5')],
  [
    'an mbarrier',
    ofFirst('mbarrier.init.shared.b64 [%r2+4], 1;'),
    ofFirst('mbarrier.init.shared.b64 [%r2+8], 1;'),
  ],
  ['cp.async', threadCopy('cg', '%r2+8', '%rd0', '16'), threadCopy('cg', '%r2+16', '%rd0', '16')],
  [
    'what cp.async reads',
    threadCopy('ca', '%r2', '%rd0+4', '8'),
    threadCopy('ca', '%r2', '%rd0+8', '8'),
  ],
  [
    'a size of cp.async.ca',
    threadCopy('ca', '%r2', '%rd0', '12'),
    threadCopy('ca', '%r2', '%rd0', '4'),
  ],
  [
    'a size of cp.async.cg',
    threadCopy('cg', '%r2', '%rd0', '8'),
    threadCopy('ca', '%r2', '%rd0', '8'),
  ],
  [
    'more that is read',
    threadCopy('ca', '%r2', '%rd0', '8, 16'),
    threadCopy('ca', '%r2', '%rd0', '8, 4'),
  ],
  [
    'a copy out of bounds',
    threadCopy('ca', '%r2+65536', '%rd0', '8'),
    threadCopy('ca', '%r2', '%rd0', '8'),
  ],
  ['st.async', remote('%r2+4'), remote('%r2+16')],
  ['bar.warp.sync without a lane', 'bar.warp.sync 0x7fffffff;', 'bar.warp.sync 0xffffffff;'],
  [
    'shfl without a lane',
    'shfl.sync.bfly.b32 %r3, %r0, 1, 31, 0x7fffffff;',
    'shfl.sync.bfly.b32 %r3, %r0, 1, 31, -1;',
  ],
  [
    'vote without a lane',
    'vote.sync.ballot.b32 %r3, %p2, 0xfffffffe;',
    'vote.sync.ballot.b32 %r3, %p2, -1;',
  ],
  [
    'match without a lane',
    'match.any.sync.b32 %r3, %r0, 0xfffffffe;',
    'match.any.sync.b32 %r3, %r0, -1;',
  ],
  [
    'redux without a lane',
    'redux.sync.add.s32 %r3, %r0, 0xfffffffe;',
    'redux.sync.add.s32 %r3, %r0, -1;',
  ],
  ['elect without a lane', 'elect.sync %r3|%p1, 0xfffffffe;', 'elect.sync %r3|%p1, -1;'],
  [
    'masks of lanes that meet',
    halves('0xffffffff', '0xffff0000'),
    halves('0x0000ffff', '0xffff0000'),
  ],
  [
    'reductions beside barriers',
    reduced('bar.sync 1, 64;'),
    reduced('bar.red.popc.u32 %r3, 1, 64, %p1;'),
    64,
  ],
  ['data over an mbarrier', use('st.shared.b64 [full], %rd6;'), use('st.shared.b32 [%r2], %r0;')],
  [
    'a copy over an mbarrier',
    use('cp.async.ca.shared.global [full], [%rd0], 8; cp.async.wait_all;'),
    use('cp.async.ca.shared.global [%r2], [%rd0], 8; cp.async.wait_all;'),
  ],
  ['matrices of threads that ended', early(16, MMA), early(32, MMA)],
  [
    'rows of threads that ended',
    early(16, `${ROW} {%r3}, [%r2];`),
    early(32, `${ROW} {%r3}, [%r2];`),
  ],
];

for (const [name, wrong, right, block] of FORMS)
  test(`P15: ${name}`, async () => {
    const bad = await resultOf(wrong, block);
    assert.equal(bad.verdict, 'counterexample', bad.reason);
    const good = await resultOf(right, block);
    assert.equal(good.verdict, 'certified', good.findings[0]?.message ?? good.reason);
  });

test('P15: an address that data decides is no finding', async () => {
  const load = 'add.u32 %r3, %r3, %r2; ld.shared.v2.b32 {%r4, %r5}, [%r3];';
  const masked = await resultOf(
    ofFirst(`ld.global.u32 %r3, [%rd0]; and.b32 %r3, %r3, 127; ${load}`),
  );
  assert.equal(masked.verdict, 'certified');
  assert.doesNotMatch(
    masked.scope.assumptions.map((one) => one.text).join(),
    /stays within its variable/,
  );
  const free = await resultOf(ofFirst(`ld.global.u32 %r3, [%rd0]; ${load}`));
  assert.equal(free.verdict, 'certified');
  assert.match(free.scope.assumptions.map((one) => one.text).join(), /stays within its variable/);
});

test('P15: what a declaration does not promise is assumed', async () => {
  const declared =
    '.reg .b32 %r<4>; .shared .align 4 .b8 small[4]; .shared .align 4 .b8 words[64];';
  const text = kernelText(declared, 'ld.shared.v2.b32 {%r0, %r1}, [words]; ret;');
  const launch = { grid: [1, 1, 1], block: [32, 1, 1], params: [] };
  const kernel = ptxKernel({
    ptx: { file: 'kernel.ptx', text },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  });
  const { verdict, scope } = await check(kernel);
  assert.equal(verdict, 'certified');
  assert.match(scope.assumptions.map((one) => one.text).join(), /^words lies at a multiple of 8$/);
});

test('P15 twin: an access is an error where its size does not divide its offset', async () => {
  const shape = record({
    lanes: constantFrom(1, 2, 4, 8),
    bits: constantFrom(8, 16, 32, 64),
    offset: nat(64),
    space: constantFrom('shared', 'global', 'local'),
  });
  const property = asyncProperty(shape, async ({ lanes, bits, offset, space }) => {
    const size = (lanes * bits) / 8;
    pre(size <= 32);
    const base = { shared: '%r1', global: '%rd0', local: '%rd3' }[space]!;
    const register = bits === 64 ? '%rd6' : '%r5';
    const vector = lanes === 1 ? '' : `.v${lanes}`;
    const values = lanes === 1 ? register : `{${Array.from({ length: lanes }, () => register)}}`;
    const at = space === 'local' ? offset % 32 : offset;
    pre(space !== 'local' || size <= 16);
    const body = ofFirst(`st.${space}${vector}.b${bits} [${base}+${at}], ${values};`);
    const { verdict } = await resultOf(body);
    assert.equal(verdict, at % size === 0 ? 'certified' : 'counterexample');
  });
  await assertProperty(property, { numRuns: 60 });
});

test('P15 twin: masks of two halves of a warp', async () => {
  const mask = nat({ max: 3 });
  const property = asyncProperty(mask, mask, async (low, high) => {
    const bits = (halfMask: number): string =>
      `0x${(((halfMask & 1) * 0xffff + (halfMask >> 1) * 0xffff_0000) >>> 0).toString(16)}`;
    const { verdict } = await resultOf(halves(bits(low), bits(high)));
    const isRight = (low & 1) === 1 && (high & 2) === 2 && (low === high || low + high === 3);
    assert.equal(verdict, isRight ? 'certified' : 'counterexample', `${low} ${high}`);
  });
  await assertProperty(property, { numRuns: 30 });
});

test('a parity that the text gives is 0 or 1', async () => {
  const wait = (parity: number): string =>
    `${FIRST} ${INIT} mbarrier.arrive.shared.b64 _, [full];
TRY: mbarrier.try_wait.parity.shared.b64 %p1, [full], ${parity}; @!%p1 bra TRY;`;
  assert.equal((await resultOf(wait(0))).verdict, 'certified');
  await assert.rejects(resultOf(wait(2)), /a parity is 0 or 1, not 2/);
});
