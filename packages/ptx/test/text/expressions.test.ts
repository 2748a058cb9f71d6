// Constant expressions, vector registers and declarations as ptxas takes them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parsePtx } from '#src/text/parse';
import { kernelText } from '../kernel-text.ts';

const REGISTERS = '.reg .b64 %d<4>; .reg .b32 %r<4>; .reg .v4 .b32 v;';
const bodyOf = (line: string) =>
  parsePtx(kernelText(REGISTERS, `${line}\nret;`)).functions.get('kernel')!.instructions[0]!;

/** The value of `mov.b64 %d1, TEXT`. */
function valueOf(text: string): bigint {
  const [, operand] = bodyOf(`mov.b64 %d1, ${text};`).operands;
  assert.equal(operand?.kind, 'immediate', text);
  const { low, high } = operand.value;
  return BigInt.asIntN(64, (BigInt(high) << 32n) | BigInt(low));
}

for (const [text, value] of [
  ['4*8-1', 31n],
  ['((128 >> 4) << 16) | 3', 0x8_0003n],
  ['(5 > 3) ? 7 : 9', 7n],
  ['1 == 2 ? 7 : 2 > 1 ? 8 : 9', 8n],
  ['7 & 3 ^ 1 | 8', 10n],
  ['-7 / 2', -3n],
  // `%`, `~`, `&`, `^` and `|` work on `.u64`, and so does what follows them.
  ['-7 % 2', 1n],
  ['(-8 | 0) / 2', 0x7fff_ffff_ffff_fffcn],
  ['-1 / 2U', 0x7fff_ffff_ffff_ffffn],
  ['-1 < 1U', 0n],
  ['-1 < 1', 1n],
  ['(.s64)0xffffffffffffffff < 1', 1n],
  ['0x8000000000000000 / 2', 0x4000_0000_0000_0000n],
  ['!5 + !0', 1n],
  ['2 && 0 || 1', 1n],
  ['WARP_SZ * 2', 64n],
  ['~0 >> 60', 15n],
  ['-1 >> 60', -1n],
] as const)
  test(`${text} is ${value}`, () => {
    assert.equal(valueOf(text), value);
  });

test('property: sums and products are those of 64-bit integers', () => {
  const number = fc.bigInt({ min: 0n, max: 2n ** 40n });
  const rest = fc.array(fc.tuple(fc.constantFrom('+', '-', '*', '&', '|', '^'), number), {
    maxLength: 5,
  });
  const tightness: Record<string, number> = { '*': 4, '+': 3, '-': 3, '&': 2, '^': 1, '|': 0 };
  const apply: Record<string, (a: bigint, b: bigint) => bigint> = {
    '*': (a, b) => a * b,
    '+': (a, b) => a + b,
    '-': (a, b) => a - b,
    '&': (a, b) => a & b,
    '^': (a, b) => a ^ b,
    '|': (a, b) => a | b,
  };
  fc.assert(
    fc.property(number, rest, (first, more) => {
      let terms = [first, ...more.map(([, term]) => term)];
      let operators: string[] = more.map(([operator]) => operator);
      // One level after the other, from the left: no recursion, as the reader has.
      for (let level = 4; level >= 0; level--) {
        const nextTerms = [terms[0]!];
        const nextOperators: string[] = [];
        for (const [index, operator] of operators.entries()) {
          const term = terms[index + 1]!;
          if (tightness[operator] === level)
            nextTerms.push(apply[operator]!(nextTerms.pop()!, term));
          else {
            nextTerms.push(term);
            nextOperators.push(operator);
          }
        }
        [terms, operators] = [nextTerms, nextOperators];
      }
      const text = [first, ...more.flat()].join(' ');
      assert.equal(valueOf(text), BigInt.asIntN(64, terms[0]!));
    }),
  );
});

test('offsets are products and sums', () => {
  const [, operand] = bodyOf('ld.global.b32 %r1, [%d1+32*2-(8+8)];').operands;
  assert.equal(operand?.kind === 'address' && operand.offset, 48);
});

test('a division by 0, and a sum of an integer and a float, are refused with their place', () => {
  assert.throws(() => valueOf('1 / 0'), /kernel\.ptx|a division by 0/);
  assert.throws(() => valueOf('1.5 + 2'), /an integer is expected/);
});

test('the name of a vector register stands for its components', () => {
  const [destination] = bodyOf('ld.global.v4.b32 v, [%d1];').operands;
  assert.equal(destination?.kind === 'vector' && destination.elements.length, 4);
});

test('a declaration of a function may have no semicolon', () => {
  const declaration = '.visible .func (.param .b32 r) f (.param .b32 a)\n';
  const text = kernelText('', 'ret;').replace('.visible .entry', `${declaration}.visible .entry`);
  assert.equal(parsePtx(text).functions.get('f')!.isDefined, false);
});
