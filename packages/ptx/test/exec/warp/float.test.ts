// Arithmetic on floats that are known: the bits that IEEE 754 gives, flushed where it says so.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runText } from '../machine/launch-of.ts';
import { kernelText } from '../../kernel-text.ts';

/** The bits of the result of an opcode on two floats; `null`: they are unknown. */
function result(opcode: string, a: number, b: number): number | null {
  const bits = (value: number): string => `0f${value.toString(16).padStart(8, '0')}`;
  const text = kernelText(
    '.reg .f32 %f<4>; .shared .align 8 .b8 out[8];',
    `mov.f32 %f0, ${bits(a)}; mov.f32 %f1, ${bits(b)}; ${opcode} %f2, %f0, %f1;
     st.shared.f32 [out], %f2; ret;`,
  );
  const step = runText(text, { block: [1, 1, 1] }).warps[0]!.steps.at(-1)!;
  const [low, high] = (step as Extract<typeof step, { op: 'access' }>).values;
  return high === 0 ? low! : null;
}

const ROWS: readonly (readonly [opcode: string, a: number, b: number, result: number | null])[] = [
  ['mul.f32', 0x3f80_0000, 0x0000_0000, 0x0000_0000],
  ['mul.f32', 0xbf80_0000, 0x0000_0000, 0x8000_0000],
  ['mul.f32', 0x3f80_0001, 0x3f80_0001, 0x3f80_0002],
  ['mul.rn.f32', 0x3f80_0003, 0x3fc0_0000, 0x3fc0_0004],
  // A tie goes to the even one.
  ['add.f32', 0x4b80_0000, 0x3f80_0000, 0x4b80_0000],
  ['add.f32', 0x4b80_0001, 0x3f80_0000, 0x4b80_0002],
  ['sub.f32', 0x3f80_0000, 0x3f80_0000, 0x0000_0000],
  ['mul.f32', 0x0080_0000, 0x3f00_0000, 0x0040_0000],
  ['mul.ftz.f32', 0x0080_0000, 0x3f00_0000, 0x0000_0000],
  ['mul.ftz.f32', 0x8040_0000, 0x7f00_0000, 0x8000_0000],
  ['mul.f32', 0x7f00_0000, 0x7f00_0000, 0x7f80_0000],
  ['sub.f32', 0x7f80_0000, 0x7f80_0000, 0x7fff_ffff],
  ['add.rz.f32', 0x3f80_0000, 0x3f80_0000, null],
  ['mul.sat.f32', 0x3f80_0000, 0x3f80_0000, null],
];

test('known floats have known sums, differences and products', () => {
  for (const [opcode, a, b, expected] of ROWS)
    assert.equal(result(opcode, a, b), expected, `${opcode} ${a.toString(16)} ${b.toString(16)}`);
});

/** The word that a conversion stores; `null`: it is unknown. */
function converted(opcode: string, value: string): number | null {
  const [to, from] = opcode
    .split('.')
    .toReversed()
    .map((type) => `%${type}`)
    .toReversed()
    .slice(-2);
  const text = kernelText(
    `.reg .f32 %f32; .reg .f64 %f64; .reg .b32 %s32; .reg .b32 %u32; .reg .f32 %twice;
     .shared .align 8 .b8 out[8];`,
    `mov.${from!.slice(1).replace(/^[su]/, 'b')} ${from}, ${value};
     ${opcode} ${to}, ${from};
     ${to === '%f64' ? `cvt.rn.f32.f64 %twice, ${to}; st.shared.f32 [out], %twice;` : `st.shared.b32 [out], ${to};`} ret;`,
  );
  const step = runText(text, { block: [1, 1, 1] }).warps[0]!.steps.at(-1)!;
  const [low, high] = (step as Extract<typeof step, { op: 'access' }>).values;
  return high === 0 ? low! : null;
}

test('known floats are converted, to the nearest number or by cutting', () => {
  assert.equal(converted('cvt.rn.f32.s32', '-3'), 0xc040_0000);
  assert.equal(converted('cvt.rn.f32.u32', '0xffffffff'), 0x4f80_0000);
  assert.equal(converted('cvt.rn.f32.s32', '16777217'), 0x4b80_0000);
  assert.equal(converted('cvt.f64.f32', '0f3f000000'), 0x3f00_0000);
  assert.equal(converted('cvt.rzi.s32.f64', '0dC004000000000000'), 0xffff_fffe);
  assert.equal(converted('cvt.rni.s32.f32', '0f40200000'), 2);
  assert.equal(converted('cvt.rpi.u32.f32', '0fbf800000'), 0);
  assert.equal(converted('cvt.rzi.s32.f32', '0f7f800000'), 0x7fff_ffff);
  assert.equal(converted('cvt.rzi.s32.f32', '0f7fffffff'), 0);
  assert.equal(converted('cvt.rzi.s32.f64', '0d7FF8000000000000'), 0x8000_0000);
  assert.equal(converted('cvt.rz.f32.s32', '1'), null);
  assert.equal(converted('cvt.rn.ftz.f32.f64', '0d3FF0000000000000'), null);
});
