// Which bytes an access may touch whose index is data: no less than it does for any input, and no
// more than it does for some where it says so.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { kernelText } from '../../kernel-text.ts';
import { runText } from '../machine/launch-of.ts';

/** A step of index arithmetic: its text, and what it makes of a 32-bit integer. */
interface Step {
  readonly text: string;
  readonly of: (value: number) => number;
}

const constant = (most: number): fc.Arbitrary<number> => fc.integer({ min: 1, max: most });
const STEP: fc.Arbitrary<Step> = fc.oneof(
  constant(255).map((c) => ({ text: `and.b32 %r1, %r1, ${c};`, of: (x: number) => x & c })),
  constant(6).map((c) => ({
    text: `and.b32 %r1, %r1, ${2 ** c - 1};`,
    of: (x: number) => x & (2 ** c - 1),
  })),
  constant(5).map((c) => ({
    text: `and.b32 %r1, %r1, ${4 * (2 ** c - 1)};`,
    of: (x: number) => x & (4 * (2 ** c - 1)),
  })),
  constant(9).map((c) => ({ text: `shr.u32 %r1, %r1, ${c};`, of: (x: number) => x >>> c })),
  constant(9).map((c) => ({ text: `shr.s32 %r1, %r1, ${c};`, of: (x: number) => x >> c })),
  constant(3).map((c) => ({ text: `shl.b32 %r1, %r1, ${c};`, of: (x: number) => x << c })),
  constant(40).map((c) => ({ text: `add.s32 %r1, %r1, ${c};`, of: (x: number) => (x + c) | 0 })),
  constant(40).map((c) => ({ text: `sub.s32 %r1, %r1, ${c};`, of: (x: number) => (x - c) | 0 })),
  constant(5).map((c) => ({
    text: `mul.lo.s32 %r1, %r1, ${c};`,
    of: (x: number) => Math.imul(x, c),
  })),
  constant(60).map((c) => ({ text: `rem.u32 %r1, %r1, ${c};`, of: (x: number) => (x >>> 0) % c })),
  constant(60).map((c) => ({ text: `rem.s32 %r1, %r1, ${c};`, of: (x: number) => (x % c) | 0 })),
  constant(90).map((c) => ({ text: `max.s32 %r1, %r1, ${c};`, of: (x: number) => Math.max(x, c) })),
  constant(90).map((c) => ({ text: `min.s32 %r1, %r1, ${c};`, of: (x: number) => Math.min(x, c) })),
  constant(7).map((c) => ({
    text: `bfe.u32 %r1, %r1, ${c}, 5;`,
    of: (x: number) => (x >>> c) & 31,
  })),
);

const BYTES = 512;
/** Where the index 0 is. */
const MIDDLE = 256;
const DECLARATIONS = `.reg .b32 %r<4>; .reg .b64 %rd<2>; .shared .align 16 .b8 words[${BYTES}];`;

/** What the run says of a store of one byte. */
function touchedOf(load: string, steps: readonly Step[]) {
  const registers = steps.map(({ text }, index) => {
    // As compilers write it: each value in a register of its own.
    return text.replace('%r1,', `%s${index + 1},`).replace('%r1', `%s${index}`);
  });
  const declared = `${DECLARATIONS} .reg .b32 %s<${steps.length + 1}>;`;
  const text = kernelText(
    declared,
    `ld.param.u64 %rd0, [p]; ${load} %s0, [%rd0]; ${registers.join(' ')}
     mov.u32 %r2, words; add.u32 %r2, %r2, %s${steps.length};
     st.shared.u8 [%r2+${MIDDLE}], 1; ret;`,
    '.param .u64 p',
  );
  const run = runText(text, { block: [1, 1, 1], params: [{ kind: 'pointer', bytes: 4 }] });
  const step = run.warps[0]!.steps.find(({ op }) => op === 'access');
  assert.ok(step?.op === 'access' && step.isPossible === true);
  const isAssumed = run.assumptions.some((each) => each.text.includes('within its variable'));
  const { offset } = run.variables.find(({ name }) => name.includes('words'))!;
  const named = new Set<number>();
  for (let range = 0; range < step.writes.length; range += 2)
    for (let at = step.writes[range]!; at < step.writes[range + 1]!; at++) named.add(at - offset);
  return { named, isEach: step.unknown === 'each', isAssumed };
}

const WORDS = [
  ...Array.from({ length: 4096 }, (_, value) => value - 2048),
  // Small numbers at each place of the word.
  ...Array.from({ length: 25 * 256 }, (_, at) => ((at % 256) - 128) << (at / 256)),
];
const INPUTS = {
  'ld.global.u8': Array.from({ length: 256 }, (_, value) => value),
  'ld.global.u32': WORDS,
};

for (const [load, inputs] of Object.entries(INPUTS))
  test(`${load}: masks and the like leave no more and no less than the index may be`, () => {
    let bounded = 0;
    fc.assert(
      fc.property(fc.array(STEP, { minLength: 1, maxLength: 4 }), (steps) => {
        const touched = new Set<number>();
        for (const input of inputs)
          touched.add(steps.reduce((value, { of }) => of(value), input) + MIDDLE);
        const { named, isEach, isAssumed } = touchedOf(load, steps);
        const inside = [...touched].filter((at) => at >= 0 && at < BYTES);
        assert.deepEqual(
          inside.filter((at) => !named.has(at)),
          [],
        );
        // It is assumed to stay inside exactly if that is not seen.
        if (!isAssumed) assert.equal(inside.length, touched.size);
        if (isEach)
          assert.deepEqual(
            [...named].filter((at) => !touched.has(at)),
            [],
          );
        if (named.size < BYTES) bounded++;
      }),
      { seed: 3, numRuns: 200 },
    );
    assert.ok(bounded > 75, `${bounded} of 200 are bounded`);
  });

test('an index that is shifted and masked stays in its table, and may be each entry', () => {
  const shift = { text: 'shl.b32 %r1, %r1, 2;', of: (x: number) => x << 2 };
  const mask = { text: 'and.b32 %r1, %r1, 252;', of: (x: number) => x & 252 };
  const { isAssumed, isEach } = touchedOf('ld.global.u32', [shift, mask]);
  // A byte of each four is touched: some data leads to each of these.
  assert.deepEqual([isAssumed, isEach], [false, false]);
});

/** More of what may lie between a source and a comparison. */
const MORE: fc.Arbitrary<Step> = fc.oneof(
  constant(255).map((c) => ({ text: `or.b32 %r1, %r1, ${c};`, of: (x: number) => x | c })),
  constant(255).map((c) => ({ text: `xor.b32 %r1, %r1, ${c};`, of: (x: number) => x ^ c })),
  constant(90).map((c) => ({
    text: `min.u32 %r1, %r1, ${c};`,
    of: (x: number) => Math.min(x >>> 0, c) | 0,
  })),
  constant(90).map((c) => ({
    text: `max.u32 %r1, %r1, ${c};`,
    of: (x: number) => Math.max(x >>> 0, c) | 0,
  })),
  constant(60).map((c) => ({
    text: `div.u32 %r1, %r1, ${c};`,
    of: (x: number) => Math.floor((x >>> 0) / c) | 0,
  })),
  constant(60).map((c) => ({ text: `div.s32 %r1, %r1, ${c};`, of: (x: number) => (x / c) | 0 })),
  fc.constant({ text: 'not.b32 %r1, %r1;', of: (x: number) => ~x }),
  fc.constant({ text: 'neg.s32 %r1, %r1;', of: (x: number) => -x | 0 }),
  fc.constant({ text: 'cvt.u32.u8 %r1, %r1;', of: (x: number) => x & 255 }),
  fc.constant({ text: 'cvt.s32.s8 %r1, %r1;', of: (x: number) => (x << 24) >> 24 }),
);

const COMPARISONS: Readonly<Record<string, (one: number, other: number) => boolean>> = {
  'eq.s32': (one, other) => one === other,
  'ne.u32': (one, other) => one !== other,
  'lt.s32': (one, other) => one < other,
  'ge.s32': (one, other) => one >= other,
  'lt.u32': (one, other) => one >>> 0 < other >>> 0,
  'ge.u32': (one, other) => one >>> 0 >= other >>> 0,
};

/** What a branch around a barrier does: `null` where it is asked. */
function branchOf(source: string, steps: readonly Step[], name: string, limit: number) {
  const registers = steps.map(({ text }, index) =>
    text.replace('%r1,', `%s${index + 1},`).replace('%r1', `%s${index}`),
  );
  const declared = `.reg .b32 %s<${steps.length + 1}>; .reg .b64 %rd<2>; .reg .pred %p<1>;`;
  const text = kernelText(
    declared,
    `ld.param.u64 %rd0, [p]; ${source} ${registers.join(' ')}
     setp.${name} %p0, %s${steps.length}, ${limit}; @%p0 bra END; bar.sync 0; END: ret;`,
    '.param .u64 p',
  );
  const fields = { block: [1, 1, 1], params: [{ kind: 'pointer', bytes: 4 }] };
  const run = runText(text, fields, undefined, { answers: () => () => false });
  if (run.decisions.length > 0) return null;
  return !run.warps[0]!.steps.some(({ op }) => op === 'named');
}

const SOURCES = {
  data: 'ld.global.u32 %s0, [%rd0];',
  'a clock': 'mov.u32 %s0, %clock;',
  'the place of a buffer': 'shr.u64 %rd1, %rd0, 12; cvt.u32.u64 %s0, %rd1;',
};

for (const [name, source] of Object.entries(SOURCES))
  test(`a branch on ${name} that masks and the like decide is not asked for`, () => {
    let decided = 0;
    fc.assert(
      fc.property(
        fc.array(fc.oneof(STEP, MORE), { minLength: 1, maxLength: 4 }),
        fc.constantFrom(...Object.keys(COMPARISONS)),
        fc.integer({ min: -3, max: 300 }),
        (steps, test, limit) => {
          const isTaken = branchOf(source, steps, test, limit);
          if (isTaken === null) return;
          decided++;
          for (const word of WORDS) {
            const value = steps.reduce((each, { of }) => of(each), word);
            assert.equal(COMPARISONS[test]!(value, limit), isTaken, `${word}: ${value}`);
          }
        },
      ),
      { seed: 5, numRuns: 400 },
    );
    // What is computed from the addresses of a run is not bounded.
    const isBounded = name !== 'the place of a buffer';
    assert.ok(!isBounded || decided > 40, `${decided} of 400 are decided`);
  });

test('bits that are read as a signed number may be below zero', () => {
  const bit = { text: 'and.b32 %r1, %r1, 128;', of: (x: number) => x & 128 };
  const signed = { text: 'cvt.s32.s8 %r1, %r1;', of: (x: number) => (x << 24) >> 24 };
  assert.equal(branchOf(SOURCES.data, [bit, signed], 'ge.u32', 129), null);
});
