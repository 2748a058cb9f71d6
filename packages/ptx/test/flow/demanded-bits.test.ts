// Bits of registers that count: a value with others changed leads to the same predicate.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { demandedBitsOf } from '#src/flow/demanded-bits';
import { parsePtx } from '#src/text/parse';
import { kernelText } from '../kernel-text.ts';

const MASK = 0xffffffff;

/** One step: its text, and what it computes of the value before and of a constant. */
interface Step {
  readonly text: (from: string, to: string) => string;
  readonly compute: (value: number) => number;
}

const constant = fc.oneof(fc.constantFrom(0, 1, 0xff, 0x7fffffff, -0x80000000), fc.integer());
const step: fc.Arbitrary<Step> = fc.oneof(
  constant.map((k) => ({ text: bitwise('and', k), compute: (value: number) => value & k })),
  constant.map((k) => ({ text: bitwise('or', k), compute: (value: number) => value | k })),
  constant.map((k) => ({ text: bitwise('xor', k), compute: (value: number) => value ^ k })),
  constant.map((k) => ({ text: sum(k), compute: (value: number) => (value + k) | 0 })),
  fc.constant({
    text: (from: string, to: string) => `not.b32 ${to}, ${from};`,
    compute: (value: number) => ~value,
  }),
);

function bitwise(name: string, k: number) {
  return (from: string, to: string) => `${name}.b32 ${to}, ${from}, ${k};`;
}

function sum(k: number) {
  return (from: string, to: string) => `add.s32 ${to}, ${from}, ${k};`;
}

const TESTS = [
  { text: 'setp.lt.s32 %p0, LAST, 0;', holds: (value: number) => (value | 0) < 0 },
  { text: 'setp.gt.s32 %p0, LAST, -1;', holds: (value: number) => (value | 0) > -1 },
  { text: 'setp.eq.s32 %p0, LAST, 0;', holds: (value: number) => (value | 0) === 0 },
  { text: 'setp.gt.u32 %p0, LAST, 7;', holds: (value: number) => value >>> 0 > 7 },
] as const;

test('bits that do not count change nothing', () => {
  let partly = 0;
  const steps = fc.array(step, { maxLength: 4 });
  fc.assert(
    fc.property(
      steps,
      fc.constantFrom(...TESTS),
      fc.integer(),
      fc.integer(),
      (all, last, value, noise) => {
        const lines = all.map(({ text }, at) => text(`%r${at}`, `%r${at + 1}`));
        const body = `ld.param.u32 %r0, [n]; ${lines.join(' ')}
        ${last.text.replace('LAST', `%r${all.length}`)} @%p0 bra E; bar.sync 0; E: ret;`;
        const text = kernelText('.reg .pred %p<2>; .reg .b32 %r<8>;', body, '.param .u32 n');
        const [code] = [...parsePtx(text).functions.values()];
        const bits = demandedBitsOf(code!).of(
          code!.registers.findIndex(({ name }) => name === '%r0'),
          MASK,
        );
        const other = (value & bits) | (noise & ~bits);
        const run = (start: number): boolean =>
          last.holds(all.reduce((held, { compute }) => compute(held), start));
        assert.equal(run(value), run(other), text);
        if (bits !== MASK) partly++;
      },
    ),
  );
  assert.ok(partly > 0);
});
