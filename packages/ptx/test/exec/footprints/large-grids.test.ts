// Blocks of large grids are compared by bounds of what they compute, and one by one where these
// leave something open.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from 'poundlock/check';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../../kernel-text.ts';

const DECLARED = `.reg .b16 %h<8>; .reg .b32 %r<24>; .reg .b64 %rd<12>; .reg .pred %p<8>;
.shared .align 16 .b8 tile[1024];`;
/** `%r3` is the number of the thread in the grid, `%rd2` its word of `out`, `%rd4` that of `in`. */
const BASES = `ld.param.u64 %rd0, [out]; ld.param.u64 %rd1, [in]; mov.u32 %r0, %tid.x;
mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mad.lo.u32 %r3, %r1, %r2, %r0;
mul.wide.u32 %rd3, %r3, 4; add.u64 %rd2, %rd0, %rd3; add.u64 %rd4, %rd1, %rd3;`;

interface Launched {
  readonly blocks?: number;
  readonly threads?: number;
  /** Bytes of `in`. */
  readonly bytes?: number;
}

/** The verdict with the rule of the first error. */
async function verdictOf(
  body: string,
  { blocks = 20_000, threads = 32, bytes }: Launched = {},
): Promise<string> {
  const text = kernelText(DECLARED, `${BASES} ${body} ret;`, '.param .u64 out, .param .u64 in');
  const pointer = { kind: 'pointer' };
  const source = bytes === undefined ? pointer : { ...pointer, bytes };
  const params = [pointer, source];
  const launch = { grid: [blocks, 1, 1], block: [threads, 1, 1], params };
  const kernel = ptxKernel({
    ptx: { file: 'kernel.ptx', text },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  });
  const { verdict, findings, reason = '' } = await check(kernel);
  return verdict === 'certified' ? verdict : `${verdict} ${findings[0]?.rule ?? reason}`;
}

const RACE = 'counterexample race';

/** Its place among rows of 196 words that are stored as columns. */
const TURNED = (rows: number): string => `div.u32 %r4, %r3, 196; rem.u32 %r5, %r3, 196;
mad.lo.u32 %r6, %r5, ${rows}, %r4; mul.wide.u32 %rd5, %r6, 4; add.u64 %rd6, %rd0, %rd5;
st.global.u32 [%rd6], %r3;`;

/** The remainder by 196 as compilers compute it, and the row that it reads. */
const BY_PRODUCT = `mul.hi.u32 %r4, %r3, 1402438301; shr.u32 %r5, %r4, 6; mul.lo.u32 %r6, %r5, 196;
sub.u32 %r7, %r3, %r6; mul.wide.u32 %rd5, %r7, 4; add.u64 %rd6, %rd1, %rd5;`;

/** A copy of 16 bytes by each thread, of which a size says how much is read. */
const COPY = (size: string): string => `mul.wide.u32 %rd5, %r3, 16; add.u64 %rd6, %rd1, %rd5;
setp.lt.u32 %p1, %r1, 8; selp.u32 %r4, 16, 0, %p1; ${size} mov.u32 %r5, tile;
mad.lo.u32 %r5, %r0, 16, %r5; cp.async.cg.shared.global [%r5], [%rd6], 16, %r4;
cp.async.wait_all;`;

/** Thread 0 of each block copies 16 bytes to its place, and then again so many. */
const AGAIN = (bytes: number): string => `mul.wide.u32 %rd5, %r1, 16; add.u64 %rd6, %rd0, %rd5;
setp.ne.u32 %p1, %r0, 0; @%p1 bra END; mov.u32 %r5, tile; mov.u32 %r4, 16;
st.shared.v4.u32 [%r5], {%r1, %r1, %r1, %r1}; st.shared.v4.u32 [%r5+16], {%r1, %r1, %r1, %r1};
fence.proxy.async.shared::cta; mov.u32 %r6, 0;
LOOP: cp.async.bulk.global.shared::cta.bulk_group [%rd6], [%r5], %r4;
cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; mov.u32 %r4, ${bytes};
add.u32 %r6, %r6, 1; setp.lt.u32 %p2, %r6, 2; @%p2 bra LOOP; END:`;

const CASES: Readonly<Record<string, readonly (readonly [string, string, string, Launched?])[]>> = {
  'what is not computed in each block': [
    [
      'blocks read at a remainder what nothing writes',
      `${BY_PRODUCT} ld.global.u32 %r8, [%rd6]; st.global.u32 [%rd2], %r8;`,
      'certified',
      { blocks: 100_000, bytes: 784 },
    ],
    [
      'they read beyond the end',
      `${BY_PRODUCT} ld.global.u32 %r8, [%rd6+4]; st.global.u32 [%rd2], %r8;`,
      'counterexample invalid-operation',
      { bytes: 784 },
    ],
    [
      'blocks add to words of their own',
      'red.global.add.u32 [%rd2], 1;',
      'certified',
      { blocks: 100_000 },
    ],
    [
      'unknown data of its own decides in each block',
      `ld.global.u32 %r4, [%rd4]; setp.eq.u32 %p1, %r4, 0; @%p1 bra SKIP;
      st.global.u32 [%rd2], %r4; SKIP:`,
      'certified',
      { blocks: 100_000 },
    ],
  ],
  'what is computed in each block': [
    ['rows become columns', TURNED(3266), 'certified'],
    ['columns are too close to each other', TURNED(3264), RACE],
  ],
  'threads of one block': [
    [
      'two warps store at one place in one block alone',
      `and.b32 %r4, %r0, 31; setp.ne.u32 %p1, %r4, 0; @%p1 bra END;
      setp.eq.u32 %p2, %r1, 5; selp.u32 %r5, 0, 4, %p2; mul.wide.u32 %rd5, %r1, 8;
      add.u64 %rd6, %rd0, %rd5; cvt.u64.u32 %rd7, %r5; add.u64 %rd7, %rd6, %rd7;
      setp.eq.u32 %p3, %r0, 0; @%p3 st.global.u32 [%rd6], %r0;
      @!%p3 st.global.u32 [%rd7], %r0; END:`,
      RACE,
      { blocks: 16, threads: 64 },
    ],
    [
      'they store beside each other in all of them',
      `and.b32 %r4, %r0, 31; setp.ne.u32 %p1, %r4, 0; @%p1 bra END;
      mul.wide.u32 %rd5, %r1, 8; add.u64 %rd6, %rd0, %rd5;
      setp.eq.u32 %p3, %r0, 0; @%p3 st.global.u32 [%rd6], %r0;
      @!%p3 st.global.u32 [%rd6+4], %r0; END:`,
      'certified',
      { blocks: 16, threads: 64 },
    ],
    [
      'they do so at computed places',
      `setp.eq.u32 %p2, %r1, 5; selp.u32 %r5, 32, 64, %p2; rem.u32 %r6, %r0, %r5;
      mad.lo.u32 %r6, %r1, 64, %r6; mul.wide.u32 %rd5, %r6, 4; add.u64 %rd6, %rd0, %rd5;
      st.global.u32 [%rd6], %r0;`,
      RACE,
      { blocks: 16, threads: 64 },
    ],
  ],
  'copies that read less': [
    ['blocks behind the end read nothing', COPY(''), 'certified', { blocks: 16, bytes: 4096 }],
    [
      'a block behind the end reads',
      COPY('setp.eq.u32 %p2, %r1, 11; selp.u32 %r4, 16, %r4, %p2;'),
      'counterexample invalid-operation',
      { blocks: 16, bytes: 4096 },
    ],
    [
      'a block reads more than it writes',
      COPY('setp.eq.u32 %p2, %r1, 11; selp.u32 %r4, 32, %r4, %p2;'),
      'counterexample invalid-operation',
      { blocks: 16 },
    ],
  ],
  'packed integers': [
    [
      'lanes store at halves of a packed sum',
      `mov.b32 %r4, 0x0001ffff; and.b32 %r5, %r0, 15; add.s16x2 %r6, %r4, %r5;
      mov.b32 {%h0, %h1}, %r6; cvt.u32.u16 %r7, %h1; mul.wide.u32 %rd5, %r7, 4;
      add.u64 %rd6, %rd2, %rd5; st.global.u32 [%rd6], %r7;`,
      'certified',
      { blocks: 16 },
    ],
    [
      'warps store at a half that wraps',
      `and.b32 %r5, %r0, 1; mov.b32 %r4, 0x0001ffff; add.s16x2 %r6, %r4, %r5;
      mov.b32 {%h0, %h1}, %r6; and.b16 %h0, %h0, 1; cvt.u32.u16 %r7, %h0;
      mul.wide.u32 %rd5, %r7, 4; add.u64 %rd6, %rd0, %rd5; st.global.u32 [%rd6], %r0;`,
      RACE,
      { blocks: 1, threads: 64 },
    ],
  ],
};

for (const [kind, cases] of Object.entries(CASES))
  test(`large grids: ${kind}`, async (t) => {
    for (const [name, body, expected, launched] of cases)
      await t.test(`${name}: ${expected}`, async () => {
        assert.equal(await verdictOf(body, launched), expected);
      });
  });

/** Loads of `buffer` at places that no bounds say, in 24 rounds, and what they are stored to. */
const FAR = (buffer: string, store: string): string => `and.b32 %r4, %r3, 16711935; mov.u32 %r5, 0;
LOOP: add.u16x2 %r6, %r4, %r5; add.u16x2 %r6, %r6, %r4; and.b32 %r7, %r6, -2; xor.b32 %r7, %r7, %r5;
mul.wide.u32 %rd5, %r7, 4; add.u64 %rd6, ${buffer}, %rd5; ld.global.u32 %r8, [%rd6];
add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 24; @%p1 bra LOOP; ${store}`;

test('reads that are too many to compute are apart from writes through another pointer', async () => {
  const store = 'st.global.u32 [%rd2], %r8;';
  const over = 'mad.lo.u32 %r9, %r1, 31, %r0; mul.wide.u32 %rd7, %r9, 4; add.u64 %rd7, %rd0, %rd7;';
  const few = { blocks: 12_000 };
  assert.equal(await verdictOf(FAR('%rd1', store), few), 'certified');
  assert.equal(await verdictOf(FAR('%rd1', `${over} st.global.u32 [%rd7], %r3;`), few), RACE);
  const lanes = 'counterexample unjoined-lanes';
  assert.equal(await verdictOf(FAR('%rd0', store), { blocks: 100 }), lanes);
});

test('a copy that is made again may be longer than before', async () => {
  assert.equal(await verdictOf(AGAIN(16), { blocks: 8 }), 'certified');
  // Whether both blocks copy the same bytes is not known.
  assert.match(await verdictOf(AGAIN(32), { blocks: 8 }), /^inconclusive/);
});
