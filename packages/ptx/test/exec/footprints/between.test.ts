// Global memory that blocks touch: nothing orders two blocks that wait for no word.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from 'poundlock/check';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../../kernel-text.ts';

const DECLARED = `.reg .b32 %r<16>; .reg .b64 %rd<8>; .reg .pred %p<8>;
.shared .align 16 .b8 tile[1024];`;
/** `%r3` is the number of the thread in the grid, `%rd2` its word of `out`, `%rd4` that of `in`. */
const BASES = `ld.param.u64 %rd0, [out]; ld.param.u64 %rd1, [in]; mov.u32 %r0, %tid.x;
mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mad.lo.u32 %r3, %r1, %r2, %r0;
mul.wide.u32 %rd3, %r3, 4; add.u64 %rd2, %rd0, %rd3; add.u64 %rd4, %rd1, %rd3;
setp.eq.u32 %p0, %r0, 0; bar.sync 0;`;

interface Launched {
  readonly grid?: readonly number[];
  readonly cluster?: readonly number[];
  readonly bytes?: number;
}

/** The verdict with the rule and the blocks of the first error. */
async function verdictOf(
  body: string,
  { grid = [8, 1, 1], cluster = [1, 1, 1], bytes }: Launched = {},
): Promise<string> {
  const text = kernelText(DECLARED, `${BASES} ${body} ret;`, '.param .u64 out, .param .u64 in');
  const pointer = bytes === undefined ? { kind: 'pointer' } : { kind: 'pointer', bytes };
  const launch = { grid, cluster, block: [32, 1, 1], params: [pointer, pointer] };
  const kernel = ptxKernel({
    ptx: { file: 'kernel.ptx', text },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  });
  const { verdict, findings, reason = '' } = await check(kernel);
  if (verdict === 'certified') return [verdict, ...findings.map(({ rule }) => rule)].join(' ');
  const [{ rule, notes } = { rule: '', notes: [] as string[] }] = findings;
  const blocks = notes.flatMap((note) => note.match(/block \([\d, ]+\)(?= and|,| of)/g) ?? []);
  return `${verdict} ${rule} ${reason}${blocks.slice(0, 2).join(' ')}`;
}

const RACE = 'counterexample race';
const BESIDE = `${RACE} block (0, 0, 0) block (1, 0, 0)`;

const CASES: Readonly<Record<string, readonly (readonly [string, string, string, Launched?])[]>> = {
  'affine addresses': [
    ['each block has words of its own', 'st.global.u32 [%rd2], %r3;', 'certified'],
    [
      'a block reads what the next one writes',
      'st.global.u32 [%rd2], %r3; ld.global.u32 %r4, [%rd2+128];',
      BESIDE,
    ],
    [
      'a block reads what one far away writes',
      'st.global.u32 [%rd2], %r3; ld.global.u32 %r4, [%rd2+640];',
      `${RACE} block (0, 0, 0) block (5, 0, 0)`,
    ],
    [
      'a block reads behind what all blocks write',
      'st.global.u32 [%rd2], %r3; ld.global.u32 %r4, [%rd2+1024];',
      'certified',
    ],
    ['all add to one word', '@%p0 red.global.add.u32 [%rd0], 1;', 'certified'],
    [
      'one writes the word to which others add',
      '@%p0 red.global.add.u32 [%rd0], 1; setp.eq.u32 %p1, %r3, 0; @%p1 st.global.u32 [%rd0], 0;',
      RACE,
    ],
    [
      'the last block writes into the first word of all',
      `st.global.u32 [%rd2], %r3; setp.eq.u32 %p1, %r1, 7; and.pred %p1, %p1, %p0;
      @%p1 st.global.u32 [%rd0], 5;`,
      `${RACE} block (0, 0, 0) block (7, 0, 0)`,
    ],
    [
      'one block alone writes a word of all',
      'setp.eq.u32 %p1, %r1, 5; and.pred %p1, %p1, %p0; @%p1 st.global.u32 [%rd0], 5;',
      'certified',
      { grid: [100_000, 1, 1] },
    ],
    ['100,000 blocks are apart', 'st.global.u32 [%rd2], %r3;', 'certified', { grid: [100_000] }],
    [
      '100,000 blocks read what others write',
      'st.global.u32 [%rd2], %r3; ld.global.u32 %r4, [%rd2+128];',
      RACE,
      { grid: [100_000] },
    ],
    [
      'rows of tiles lie between each other',
      `mov.u32 %r4, %ctaid.y; shl.b32 %r5, %r4, 12; shl.b32 %r6, %r1, 5; add.u32 %r7, %r5, %r6;
      add.u32 %r7, %r7, %r0; mul.wide.u32 %rd5, %r7, 4; add.u64 %rd5, %rd0, %rd5;
      st.global.u32 [%rd5], %r0; st.global.u32 [%rd5+1024], %r0; st.global.u32 [%rd5+2048], %r0;`,
      'certified',
      { grid: [8, 4, 1] },
    ],
    [
      'rows of tiles overlap',
      `mov.u32 %r4, %ctaid.y; shl.b32 %r5, %r4, 9; shl.b32 %r6, %r1, 5; add.u32 %r7, %r5, %r6;
      add.u32 %r7, %r7, %r0; mul.wide.u32 %rd5, %r7, 4; add.u64 %rd5, %rd0, %rd5;
      st.global.u32 [%rd5], %r4; st.global.u32 [%rd5+1024], %r4; st.global.u32 [%rd5+2048], %r4;`,
      RACE,
      { grid: [8, 4, 1] },
    ],
  ],
  'other addresses': [
    [
      'blocks in another order are apart',
      `xor.b32 %r4, %r1, 5; mad.lo.u32 %r4, %r4, 32, %r0; mul.wide.u32 %rd5, %r4, 4;
      add.u64 %rd5, %rd0, %rd5; st.global.u32 [%rd5], %r0;`,
      'certified',
    ],
    [
      'two blocks have the same remainder',
      `rem.u32 %r4, %r1, 6; mad.lo.u32 %r4, %r4, 32, %r0; mul.wide.u32 %rd5, %r4, 4;
      add.u64 %rd5, %rd0, %rd5; st.global.u32 [%rd5], %r3;`,
      `${RACE} block (0, 0, 0) block (6, 0, 0)`,
    ],
    [
      'lanes are cut off at the end, at one word',
      `min.u32 %r4, %r3, 250; mul.wide.u32 %rd5, %r4, 4; add.u64 %rd5, %rd0, %rd5;
      st.global.u32 [%rd5], 1;`,
      'certified',
    ],
    [
      'lanes are cut off at the end, where the block before is',
      `min.u32 %r4, %r3, 210; mul.wide.u32 %rd5, %r4, 4; add.u64 %rd5, %rd0, %rd5;
      st.global.u32 [%rd5], %r1;`,
      `${RACE} block (6, 0, 0) block (7, 0, 0)`,
    ],
    [
      'a tail stores no more than there is',
      'setp.lt.u32 %p1, %r3, 200; @%p1 st.global.u32 [%rd2], %r3;',
      'certified',
      { bytes: 800 },
    ],
  ],
  'equal stores': [
    ['all blocks store the same', 'st.global.u32 [%rd0], 7;', 'certified'],
    ['each block stores its number', 'st.global.u32 [%rd0], %r1;', BESIDE],
    [
      'each block stores what follows from its number alike',
      'shr.u32 %r4, %r1, 3; st.global.u32 [%rd0], %r4;',
      'certified',
    ],
    [
      'the last block stores something else',
      'shr.u32 %r4, %r1, 3; st.global.u32 [%rd0], %r4;',
      `${RACE} block (0, 0, 0) block (8, 0, 0)`,
      { grid: [9, 1, 1] },
    ],
    [
      'all copy the same bytes',
      'mul.wide.u32 %rd5, %r0, 4; add.u64 %rd6, %rd1, %rd5; ld.global.u32 %r4, [%rd6]; add.u64 %rd6, %rd0, %rd5; st.global.u32 [%rd6], %r4;',
      'certified',
      { grid: [300, 1, 1] },
    ],
    [
      'they copy other bytes into the same',
      'mul.wide.u32 %rd5, %r0, 4; ld.global.u32 %r4, [%rd4]; add.u64 %rd6, %rd0, %rd5; st.global.u32 [%rd6], %r4;',
      BESIDE,
    ],
    [
      'by asynchronous copies of threads',
      `mul.wide.u32 %rd5, %r0, 4; add.u64 %rd6, %rd1, %rd5; shl.b32 %r4, %r0, 2; mov.u32 %r5, tile;
      add.u32 %r4, %r4, %r5; cp.async.ca.shared.global [%r4], [%rd6], 4; cp.async.wait_all;
      ld.shared.u32 %r6, [%r4]; add.u64 %rd6, %rd0, %rd5; st.global.u32 [%rd6], %r6;`,
      'certified',
    ],
  ],
  'places of one block': [
    [
      'the last block is beyond its buffer',
      'st.global.u32 [%rd2], %r3;',
      'counterexample invalid-operation block (7, 0, 0)',
      { bytes: 900 },
    ],
    [
      'all blocks but one are, which the launch may mean',
      'st.global.u32 [%rd2], %r3;',
      'certified invalid-operation',
      { bytes: 128 },
    ],
    [
      'a block in the middle is',
      `setp.eq.u32 %p1, %r1, 3; selp.u32 %r4, 4096, %r3, %p1; mul.wide.u32 %rd5, %r4, 4;
      add.u64 %rd5, %rd0, %rd5; @%p0 st.global.u32 [%rd5], %r3;`,
      'counterexample invalid-operation block (3, 0, 0)',
      { bytes: 4096 },
    ],
    [
      'the second block stores at no multiple of 4',
      `mul.lo.u32 %r4, %r1, 258; cvt.u64.u32 %rd5, %r4; add.u64 %rd5, %rd0, %rd5;
      @%p0 st.global.u32 [%rd5], %r3;`,
      'counterexample invalid-operation block (1, 0, 0)',
    ],
  ],
  clusters: [
    [
      'blocks of one cluster meet behind its barrier',
      `st.global.u32 [%rd2], %r3; barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
      xor.b32 %r4, %r3, 32; mul.wide.u32 %rd5, %r4, 4; add.u64 %rd5, %rd0, %rd5;
      ld.global.u32 %r5, [%rd5];`,
      'certified',
      { cluster: [2, 1, 1] },
    ],
    [
      'blocks of two clusters meet',
      `st.global.u32 [%rd2], %r3; barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
      ld.global.u32 %r5, [%rd2+128];`,
      `${RACE} block (0, 0, 0) block (2, 0, 0)`,
      { cluster: [2, 1, 1] },
    ],
    [
      'clusters store the same number',
      `barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned; st.global.u32 [%rd0], 1;`,
      'certified',
      { cluster: [2, 1, 1] },
    ],
    [
      'clusters store data, and cannot be executed together',
      `barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned; ld.global.u32 %r4, [%rd1];
      st.global.u32 [%rd0], %r4;`,
      'inconclusive',
      { cluster: [2, 1, 1] },
    ],
  ],
};

for (const [kind, cases] of Object.entries(CASES))
  test(`blocks in global memory: ${kind}`, async (t) => {
    for (const [name, body, expected, launched] of cases)
      await t.test(`${name}: ${expected}`, async () => {
        const found = await verdictOf(body, launched);
        const shown = expected === 'certified' ? found : found.slice(0, expected.length);
        assert.equal(shown, expected, found);
      });
  });
