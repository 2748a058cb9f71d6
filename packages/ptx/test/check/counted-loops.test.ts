// Loops of many rounds, of which most are passed over: what the last one does is found.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from 'poundlock/check';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../kernel-text.ts';

const ROUNDS = 100;
const DECLARED = '.reg .b32 %r<16>; .reg .b64 %rd<12>; .reg .pred %p<6>; .reg .f32 %f<8>;';
/** `%rd2` is the row of a thread in `out`, of `%r4` bytes; `%r5` the number of the thread. */
const BASES = `ld.param.u64 %rd0, [out]; ld.param.u64 %rd1, [in]; mov.u32 %r0, %tid.x;
mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mad.lo.u32 %r5, %r1, %r2, %r0;
mov.u32 %r4, ${4 * ROUNDS}; mul.wide.u32 %rd3, %r5, %r4; add.u64 %rd2, %rd0, %rd3;
mov.u32 %r6, 0; mul.wide.u32 %rd7, %r5, 4; add.u64 %rd7, %rd1, %rd7; ld.global.f32 %f1, [%rd7];`;

async function verdictOf(body: string, bytes?: number): Promise<string> {
  const text = kernelText(DECLARED, `${BASES} ${body} ret;`, '.param .u64 out, .param .u64 in');
  const source = bytes === undefined ? {} : { bytes };
  const params = [{ kind: 'pointer' }, { kind: 'pointer', ...source }];
  const launch = { grid: [100, 1, 1], block: [64, 1, 1], params };
  const kernel = ptxKernel({
    ptx: { file: 'kernel.ptx', text },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  });
  const { verdict, findings, reason = '' } = await check(kernel);
  return verdict === 'certified' ? verdict : `${verdict} ${findings[0]?.rule ?? reason}`;
}

/** Each thread stores so many words of its row. */
const ROW = (rounds: number): string => `LOOP: st.global.f32 [%rd2], %f1; add.u64 %rd2, %rd2, 4;
add.u32 %r6, %r6, 1; setp.lt.u32 %p1, %r6, ${rounds}; @%p1 bra LOOP;`;

/** The same of one thread of each block. */
const OF_BLOCK = (body: string): string => `mul.wide.u32 %rd3, %r1, %r4; add.u64 %rd2, %rd0, %rd3;
setp.ne.u32 %p2, %r0, 0; @%p2 bra END; ${body} END:`;

/** Threads of the grid take words in turns: so many until the end. */
const TURNS = (end: string): string => `mov.u32 %r7, 6400; LOOP: mul.wide.u32 %rd4, %r5, 4;
add.u64 %rd5, %rd1, %rd4; ld.global.f32 %f2, [%rd5]; add.u64 %rd6, %rd0, %rd4;
st.global.f32 [%rd6], %f2; add.u32 %r5, %r5, %r7; setp.lt.u32 %p1, %r5, ${end}; @%p1 bra LOOP;`;

const CASES: readonly (readonly [string, string, string, number?])[] = [
  ['threads store rows of their own', ROW(ROUNDS), 'certified'],
  [
    'the last round stores the first word of the next row',
    ROW(ROUNDS + 1),
    'counterexample unjoined-lanes',
  ],
  ['one thread of each block stores a row', OF_BLOCK(ROW(ROUNDS)), 'certified'],
  [
    'its last round stores in the row of the next block',
    OF_BLOCK(ROW(ROUNDS + 1)),
    'counterexample race',
  ],
  ['threads of the grid take turns', TURNS('1000000'), 'certified', 4_000_000],
  ['they read beyond the end', TURNS('1000001'), 'counterexample invalid-operation', 4_000_000],
  [
    'the last one stores where another one is',
    `${TURNS('1000000')} sub.u32 %r5, %r5, 6401; mul.wide.u32 %rd4, %r5, 4;
    add.u64 %rd6, %rd0, %rd4; st.global.f32 [%rd6], %f1;`,
    'counterexample unjoined-lanes',
    4_000_000,
  ],
  ['threads of the grid take other turns', `add.u32 %r5, %r5, 1; ${TURNS('900000')}`, 'certified'],
];

for (const [name, body, expected, bytes] of CASES)
  test(name, async () => {
    assert.equal(await verdictOf(body, bytes), expected);
  });
