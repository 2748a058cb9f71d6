// Integer instructions of all widths, executed by a warp, against their definition over BigInt.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { runText } from '../machine/launch-of.ts';
import { kernelText } from '../../kernel-text.ts';

/** What an instruction computes from two inputs, with their width and sign. */
type Definition = (a: bigint, b: bigint, bits: number) => bigint;

const min = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const max = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const clamp = (count: bigint, bits: number): bigint => min(BigInt.asUintN(32, count), BigInt(bits));

const DEFINITIONS: Readonly<
  Record<string, { readonly types: readonly string[]; readonly of: Definition }>
> = {
  add: { types: ['u16', 's16', 'u32', 's32', 'u64', 's64'], of: (a, b) => a + b },
  sub: { types: ['u16', 's16', 'u32', 's32', 'u64', 's64'], of: (a, b) => a - b },
  'mul.lo': { types: ['u16', 's16', 'u32', 's32', 'u64', 's64'], of: (a, b) => a * b },
  'mul.hi': {
    types: ['u16', 's16', 'u32', 's32', 'u64', 's64'],
    of: (a, b, bits) => (a * b) >> BigInt(bits),
  },
  div: {
    types: ['u16', 's16', 'u32', 's32', 'u64', 's64'],
    of: (a, b) => (b === 0n ? -1n : a / b),
  },
  rem: {
    types: ['u16', 's16', 'u32', 's32', 'u64', 's64'],
    of: (a, b) => (b === 0n ? -1n : a % b),
  },
  min: { types: ['u16', 's16', 'u32', 's32', 'u64', 's64'], of: min },
  max: { types: ['u16', 's16', 'u32', 's32', 'u64', 's64'], of: max },
  and: { types: ['b16', 'b32', 'b64'], of: (a, b) => a & b },
  or: { types: ['b16', 'b32', 'b64'], of: (a, b) => a | b },
  xor: { types: ['b16', 'b32', 'b64'], of: (a, b) => a ^ b },
  shl: { types: ['b16', 'b32', 'b64'], of: (a, b, bits) => a << clamp(b, bits) },
  shr: {
    types: ['u16', 's16', 'u32', 's32', 'u64', 's64'],
    of: (a, b, bits) => a >> clamp(b, bits),
  },
};

const EDGES = [
  0n,
  1n,
  2n,
  31n,
  32n,
  63n,
  0x7fffn,
  0x8000n,
  0x7fff_ffffn,
  0x8000_0000n,
  0xffff_ffffn,
  (1n << 63n) - 1n,
  1n << 63n,
  (1n << 64n) - 1n,
];
const value = fc.oneof(fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }), fc.constantFrom(...EDGES));

/** The bytes that the kernel stores: the result of `opcode` with two constants. */
function stored(opcode: string, bits: number, a: bigint, b: bigint): bigint {
  const isShift = /^sh[lr]/.test(opcode);
  const register = (width: number): string => (width === 16 ? '%rs' : width === 32 ? '%r' : '%rd');
  const input = (name: number, width: number, constant: bigint): string =>
    `mov.b${width} ${register(width)}${name}, 0x${BigInt.asUintN(width, constant).toString(16)};`;
  const second = isShift ? 32 : bits;
  const text = kernelText(
    '.reg .b16 %rs<4>; .reg .b32 %r<4>; .reg .b64 %rd<4>; .shared .align 8 .b8 out[8];',
    `${input(0, bits, a)} ${input(1, second, b)} ${opcode} ${register(bits)}2, ${register(bits)}0, ${register(second)}1;
     st.shared.b${bits} [out], ${register(bits)}2; ret;`,
  );
  const step = runText(text, { block: [1, 1, 1] }).warps[0]!.steps.at(-1)!;
  assert.equal(step.op, 'access');
  const [low, high] = (step as Extract<typeof step, { op: 'access' }>).values;
  return (BigInt(high!) << 32n) | BigInt(low!);
}

for (const [name, { types, of }] of Object.entries(DEFINITIONS)) {
  for (const type of types) {
    test(`${name}.${type} is exact`, () => {
      const bits = Number(type.slice(1));
      const read = (each: bigint): bigint =>
        type.startsWith('s') ? BigInt.asIntN(bits, each) : BigInt.asUintN(bits, each);
      fc.assert(
        fc.property(value, value, (a, b) => {
          const right = /^sh[lr]/.test(name) ? BigInt.asUintN(32, b) : read(b);
          assert.equal(
            stored(`${name}.${type}`, bits, a, b),
            BigInt.asUintN(bits, of(read(a), right, bits)),
          );
        }),
        { numRuns: 25 },
      );
    });
  }
}
