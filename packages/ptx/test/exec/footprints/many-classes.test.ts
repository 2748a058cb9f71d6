// Blocks that take branches in more ways than there are classes: the ways of such a branch stand
// for those of all blocks, and nothing that may happen on one of them is called an error.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from 'poundlock/check';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../../kernel-text.ts';

const DECLARED = '.reg .b32 %r<16>; .reg .b64 %rd<8>; .reg .pred %p<4>;';
/** `%r3` is the number of the thread in the grid, `%rd1` its word of `out`. */
const BASES = `ld.param.u64 %rd0, [out]; mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x;
mov.u32 %r2, %ntid.x; mad.lo.u32 %r3, %r1, %r2, %r0;
mul.wide.u32 %rd2, %r3, 4; add.u64 %rd1, %rd0, %rd2;`;

interface Launched {
  readonly blocks?: number;
  readonly threads?: number;
  readonly bytes?: number;
}

/** The verdict with the rule of the first error, or the reason. */
async function verdictOf(body: string, launched: Launched = {}): Promise<string> {
  const { blocks = 128, threads = 32, bytes } = launched;
  const text = kernelText(DECLARED, `${BASES} ${body} ret;`, '.param .u64 out');
  const pointer = { kind: 'pointer', ...(bytes === undefined ? {} : { bytes }) };
  const launch = { grid: [blocks, 1, 1], block: [threads, 1, 1], params: [pointer] };
  const kernel = ptxKernel({
    ptx: { file: 'kernel.ptx', text },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  });
  const { verdict, findings, reason = '' } = await check(kernel);
  return verdict === 'certified' ? verdict : `${verdict} ${findings[0]?.rule ?? reason}`;
}

/** Whether the place in a row of 100 is below that of a column: other lanes in each block. */
const DECIDED = `div.u32 %r4, %r3, 100; mul.lo.u32 %r5, %r4, 100; sub.u32 %r5, %r3, %r5;
rem.u32 %r6, %r4, 100; setp.gt.u32 %p0, %r5, %r6;`;
const EITHER = (one: string, other: string): string =>
  `${DECIDED} @%p0 bra ONE; ${other} bra END; ONE: ${one} END:`;

const CASES: readonly (readonly [string, string, string, Launched?])[] = [
  [
    'each way stores into the word of the thread',
    EITHER('st.global.u32 [%rd1], 1;', 'st.global.u32 [%rd1], %r3;'),
    'certified',
  ],
  [
    'one way stores into a word of the next block',
    EITHER('st.global.u32 [%rd1], 1;', 'st.global.u32 [%rd1+128], %r3;'),
    'inconclusive blocks differ here: 64 were executed, others may do something else',
    { blocks: 4096 },
  ],
  [
    'one way comes to a barrier',
    EITHER('bar.sync 0;', 'st.global.u32 [%rd1], %r3;'),
    'inconclusive blocks differ here: 64 were executed, others may do something else',
    { threads: 64 },
  ],
  [
    'a thread stores what its way leaves',
    `${EITHER('mov.u32 %r7, 1;', 'mov.u32 %r7, 2;')} st.global.u32 [%rd1], %r7;`,
    'certified',
  ],
];

for (const [name, body, expected, launched] of CASES)
  test(`many classes: ${name}`, async () => {
    const found = await verdictOf(body, launched);
    assert.equal(found.replace(/ \(kernel\.ptx.*/, ''), expected);
  });

/** Stores into the words of a row, with as many threads as there are. */
const ROW = (bound: string, store: string): string => `mul.lo.u32 %r4, %r1, 96; ${bound}
add.u32 %r6, %r4, %r0; LOOP: setp.ge.u32 %p0, %r6, %r5; @%p0 bra END;
mul.wide.u32 %rd3, %r6, 4; add.u64 %rd4, %rd0, %rd3; ${store}
add.u32 %r6, %r6, %r2; bra LOOP; END:`;

const ROWS: readonly (readonly [string, string, string, Launched])[] = [
  [
    'a row that ends where the next one begins',
    ROW('add.u32 %r5, %r4, 96;', 'st.global.u32 [%rd4], %r6;'),
    'certified',
    { blocks: 100_000, threads: 16 },
  ],
  [
    'a row that ends behind the beginning of the next one',
    ROW('add.u32 %r5, %r4, 97;', 'st.global.u32 [%rd4], %r1;'),
    'counterexample race',
    { blocks: 100_000, threads: 16 },
  ],
  [
    'the last row ends behind the buffer',
    ROW('add.u32 %r5, %r4, 96;', 'st.global.u32 [%rd4+4], %r6;'),
    'counterexample invalid-operation',
    { blocks: 20_000, threads: 16, bytes: 4 * 96 * 20_000 },
  ],
];

for (const [name, body, expected, launched] of ROWS)
  test(`a bound that moves with the block: ${name}`, async () => {
    assert.equal(await verdictOf(body, launched), expected);
  });

/** Numbers that look random. */
function* numbers(seed: number): Generator<number> {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state >>> 8;
  }
}

const BLOCKS = 128;

/** A random kernel, and whether two of its threads store into one word, computed thread by thread. */
function randomKernel(seed: number): { readonly body: string; readonly isRace: boolean } {
  const next = numbers(seed);
  const below = (count: number): number => next.next().value! % count;
  const [row, turn] = [33 + below(80), 7 + below(60)];
  const ways = [0, 1].map(() => ({ by: 1 + below(2), from: [0, 0, 1, 32][below(4)]! }));
  const store = ({ by, from }: { readonly by: number; readonly from: number }): string =>
    `mad.lo.u32 %r8, %r3, ${by}, ${from}; mul.wide.u32 %rd3, %r8, 4; add.u64 %rd4, %rd0, %rd3;
    st.global.u32 [%rd4], %r3;`;
  const body = `div.u32 %r4, %r3, ${row}; rem.u32 %r5, %r3, ${row}; rem.u32 %r6, %r4, ${turn};
  setp.gt.u32 %p0, %r5, %r6; @%p0 bra ONE; ${store(ways[1]!)} bra END; ONE: ${store(ways[0]!)} END:`;
  const words = new Set<number>();
  for (let thread = 0; thread < BLOCKS * 32; thread++) {
    const isFirst = thread % row > Math.floor(thread / row) % turn;
    const { by, from } = ways[isFirst ? 0 : 1]!;
    words.add(thread * by + from);
  }
  return { body, isRace: words.size < BLOCKS * 32 };
}

test('many classes: random ways are certified only where no two threads meet', async () => {
  let certified = 0;
  for (let seed = 1; seed <= 16; seed++) {
    const { body, isRace } = randomKernel(seed);
    const verdict = await verdictOf(body, { blocks: BLOCKS });
    if (isRace) assert.notEqual(verdict, 'certified', `seed ${seed}`);
    else assert.doesNotMatch(verdict, /^counterexample/, `seed ${seed}`);
    if (verdict === 'certified') certified++;
  }
  assert.ok(certified > 3, `${certified} are certified`);
});

test('many classes: those that are few enough are executed, each with its rounds', async () => {
  // Blocks 0 to 19 are 20 classes, the others five: with unknown rounds, the words might be any.
  const rounds = (apart: number): string => `sub.u32 %r4, %r1, 20; div.u32 %r4, %r4, 60;
    add.u32 %r4, %r4, 20; setp.lt.u32 %p1, %r1, 20; selp.u32 %r4, %r1, %r4, %p1; mov.u32 %r9, 0;
    LOOP: setp.ge.u32 %p0, %r9, %r4; @%p0 bra END; add.u32 %r9, %r9, 1;
    add.u64 %rd1, %rd1, ${apart}; st.global.u32 [%rd1], %r3; bra LOOP; END:`;
  assert.equal(await verdictOf(rounds(65_536), { blocks: 320 }), 'certified');
  assert.equal(await verdictOf(rounds(5120), { blocks: 320 }), 'counterexample race');
});
