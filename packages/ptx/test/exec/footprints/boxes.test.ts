// Boxes of tensors that copies read and write: within a block, and between blocks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from 'poundlock/check';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../../kernel-text.ts';

const DECLARED = `.reg .b32 %r<16>; .reg .b64 %rd<8>; .reg .pred %p<8>;
.shared .align 8 .b64 full; .shared .align 128 .b8 tile[2048];`;
const BASES = `ld.param.u64 %rd0, [in]; mov.u64 %rd1, map; cvta.param.u64 %rd2, %rd1;
mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ctaid.y; mov.u32 %r3, 0;
mov.u32 %r4, tile; mad.lo.u32 %r9, %r0, 4, %r4; mul.wide.u32 %rd3, %r0, 4;
add.u64 %rd3, %rd0, %rd3; ld.global.u32 %r10, [%rd3]; st.shared.u32 [%r9], %r10; st.shared.u32 [%r9+256], %r10;
fence.proxy.async; bar.sync 0; and.b32 %r8, %r0, 31; setp.ne.u32 %p0, %r8, 0; @%p0 bra END;`;

interface Launched {
  readonly grid?: readonly number[];
  readonly hasBox?: boolean;
}

async function verdictOf(body: string, { grid = [1], hasBox = true }: Launched): Promise<string> {
  const parameters = '.param .u64 in, .param .align 64 .b8 map[128]';
  const box = hasBox ? { box: [8, 16], element: 'f32' } : { boxBytes: 512 };
  const params = [{ kind: 'pointer' }, { kind: 'tensormap', ...box }];
  const text = kernelText(DECLARED, `${BASES} ${body} END: ret;`, parameters);
  const kernel = ptxKernel({
    ptx: { file: 'kernel.ptx', text },
    launch: { file: 'launch.json', text: JSON.stringify({ grid, block: [64, 1, 1], params }) },
  });
  const { verdict, findings, scope, reason = '' } = await check(kernel);
  const names = scope.assumptions.map(({ name }) => name);
  return [verdict, findings[0]?.rule ?? '', reason, ...names].join(' ');
}

const STORE = (x: string, y: string, form = ''): string =>
  `cp${form === '' ? '' : '.reduce'}.async.bulk.tensor.2d.global.shared::cta${form}.bulk_group [%rd2, {${x}, ${y}}], [%r4];
cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;`;
const LOAD = (x: string, y: string): string => `setp.ne.u32 %p1, %r0, 0; @%p1 bra END;
mbarrier.init.shared.b64 [full], 1; fence.mbarrier_init.release.cluster;
mbarrier.arrive.expect_tx.shared.b64 _, [full], 512;
cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
[%r4+1024], [%rd2, {${x}, ${y}}], [full];
WAIT: mbarrier.try_wait.parity.shared.b64 %p2, [full], 0; @!%p2 bra WAIT;`;
/** The first warp alone goes on. */
const ONE = 'setp.ne.u32 %p1, %r0, 0; @%p1 bra END;';
const TIMES = (by: number): string => `mul.lo.u32 %r5, %r1, ${by};`;

const CASES: readonly (readonly [string, string, string, Launched?])[] = [
  ['a block stores one box', `${ONE} ${STORE('%r3', '%r3')}`, 'certified'],
  ['two warps store one box', STORE('%r3', '%r3'), 'counterexample race'],
  [
    'two warps store boxes beside each other',
    `shr.u32 %r5, %r0, 2; ${STORE('%r5', '%r3')}`,
    'certified',
  ],
  [
    'two warps store boxes that overlap in a part',
    `shr.u32 %r5, %r0, 3; ${STORE('%r5', '%r3')}`,
    'counterexample race',
  ],
  ['two warps reduce into one box', STORE('%r3', '%r3', '.add.tile'), 'certified'],
  [
    'a store that has ended, and a load',
    `${ONE} ${STORE('%r3', '%r3')} ${LOAD('%r3', '%r3')}`,
    'certified',
  ],
  [
    'blocks store boxes beside each other',
    `${ONE} ${TIMES(8)} ${STORE('%r5', '%r3')}`,
    'certified',
    { grid: [9] },
  ],
  [
    'blocks store boxes that overlap in a part',
    `${ONE} ${TIMES(7)} add.u32 %r6, %r1, 1; ${STORE('%r5', '%r6')}`,
    'inconclusive',
    { grid: [9] },
  ],
  [
    'a block loads what the next one stores',
    `${ONE} ${TIMES(16)} ${STORE('%r3', '%r5')} add.u32 %r6, %r5, 16; ${LOAD('%r3', '%r6')}`,
    'counterexample race',
    { grid: [4] },
  ],
  [
    'a block loads what it stores',
    `${ONE} ${TIMES(16)} ${STORE('%r3', '%r5')} ${LOAD('%r3', '%r5')}`,
    'certified',
    { grid: [4] },
  ],
  ['all blocks store the same box', `${ONE} ${STORE('%r3', '%r3')}`, 'certified', { grid: [4] }],
  [
    'the launch does not say how long a box is',
    `${ONE} ${TIMES(8)} ${STORE('%r5', '%r3')}`,
    'certified   separate-buffers',
    { grid: [9], hasBox: false },
  ],
];

for (const [name, body, expected, launched = {}] of CASES)
  test(`${name}: ${expected}`, async () => {
    const found = await verdictOf(body, launched);
    assert.equal(found.slice(0, expected.length), expected, found);
  });
