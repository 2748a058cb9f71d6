// Instructions with special forms, executed by a warp, against their definitions over BigInt.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { runText } from '../machine/launch-of.ts';
import { kernelText } from '../../kernel-text.ts';

const u = BigInt.asUintN;
const s = BigInt.asIntN;
const byteOf = (word: bigint, index: number): bigint => (word >> BigInt(8 * index)) & 0xffn;
const fromBytes = (bytes: readonly bigint[]): bigint =>
  bytes.reduce((word, byte, index) => word | (byte << BigInt(8 * index)), 0n);
const bit = (value: bigint, index: number): bigint => (value >> BigInt(index)) & 1n;

/** An instruction with up to three inputs: their widths, that of the result, and the definition. */
interface Row {
  readonly inputs: readonly number[];
  readonly result: number;
  readonly of: (a: bigint, b: bigint, c: bigint) => bigint;
  /** The operands behind the inputs. */
  readonly tail?: string;
}

function permuted(select: (n: number, index: number) => number): Row['of'] {
  return (a, b, c) => {
    const all = (u(32, b) << 32n) | u(32, a);
    const n = Number(c & 3n);
    return fromBytes([0, 1, 2, 3].map((index) => byteOf(all, select(n, index))));
  };
}

/** Positions and lengths are 0 to 255: of more a GPU takes the low 8 bits, or all for 64 bits. */
function fieldBits(bits: number, value: bigint): number {
  return bits === 64 ? Math.min(64, Number(u(32, value))) : Number(value & 0xffn);
}

function field(bits: number, isSigned: boolean): Row['of'] {
  return (a, b, c) => {
    const position = fieldBits(bits, b);
    const length = fieldBits(bits, c);
    const last = bits - 1;
    const sign = !isSigned || length === 0 ? 0n : bit(a, Math.min(position + length - 1, last));
    let result = 0n;
    for (let index = 0; index <= last; index++)
      result |=
        (index < length && position + index <= last ? bit(a, position + index) : sign) <<
        BigInt(index);
    return result;
  };
}

const HIGH_24 = (product: bigint): bigint => product >> 16n;
const clamp = (value: bigint): bigint =>
  value > 0x7fff_ffffn ? 0x7fff_ffffn : value < -0x8000_0000n ? -0x8000_0000n : value;
const three = [32, 32, 32];
const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const most = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** Both halves of a word, read as numbers of 16 bits. */
function halves(read: typeof u, of: (a: bigint, b: bigint) => bigint): Row {
  const half = (word: bigint, at: bigint): bigint => read(16, word >> at);
  const part = (a: bigint, b: bigint, at: bigint): bigint =>
    u(16, of(half(a, at), half(b, at))) << at;
  return { inputs: [32, 32], result: 32, of: (a, b) => part(a, b, 16n) | part(a, b, 0n) };
}

const ROWS: Readonly<Record<string, Row>> = {
  'mul24.lo.u32': { inputs: [32, 32], result: 32, of: (a, b) => u(24, a) * u(24, b) },
  'mul24.lo.s32': { inputs: [32, 32], result: 32, of: (a, b) => s(24, a) * s(24, b) },
  'mul24.hi.u32': { inputs: [32, 32], result: 32, of: (a, b) => HIGH_24(u(24, a) * u(24, b)) },
  'mul24.hi.s32': { inputs: [32, 32], result: 32, of: (a, b) => HIGH_24(s(24, a) * s(24, b)) },
  'mad24.lo.s32': { inputs: three, result: 32, of: (a, b, c) => s(24, a) * s(24, b) + c },
  'mad24.hi.u32': { inputs: three, result: 32, of: (a, b, c) => HIGH_24(u(24, a) * u(24, b)) + c },
  'mad.lo.s32': { inputs: three, result: 32, of: (a, b, c) => a * b + c },
  'mad.hi.s32': { inputs: three, result: 32, of: (a, b, c) => ((s(32, a) * s(32, b)) >> 32n) + c },
  'mad.hi.u32': { inputs: three, result: 32, of: (a, b, c) => ((a * b) >> 32n) + c },
  'mad.wide.s32': { inputs: [32, 32, 64], result: 64, of: (a, b, c) => s(32, a) * s(32, b) + c },
  'mad.wide.u16': { inputs: [16, 16, 32], result: 32, of: (a, b, c) => a * b + c },
  'mad.wide.s16': { inputs: [16, 16, 32], result: 32, of: (a, b, c) => s(16, a) * s(16, b) + c },
  'mul.wide.u32': { inputs: [32, 32], result: 64, of: (a, b) => a * b },
  'mul.wide.s16': { inputs: [16, 16], result: 32, of: (a, b) => s(16, a) * s(16, b) },
  'mul.hi.u64': { inputs: [64, 64], result: 64, of: (a, b) => (a * b) >> 64n },
  'mul.hi.s64': { inputs: [64, 64], result: 64, of: (a, b) => (s(64, a) * s(64, b)) >> 64n },
  'add.sat.s32': { inputs: [32, 32], result: 32, of: (a, b) => clamp(s(32, a) + s(32, b)) },
  'sub.sat.s32': { inputs: [32, 32], result: 32, of: (a, b) => clamp(s(32, a) - s(32, b)) },
  'add.s16x2': halves(s, (a, b) => a + b),
  'sub.u16x2': halves(u, (a, b) => a - b),
  'min.s16x2': halves(s, least),
  'max.u16x2': halves(u, most),
  'max.relu.s16x2': halves(s, (a, b) => most(0n, most(a, b))),
  'min.relu.s32': {
    inputs: [32, 32],
    result: 32,
    of: (a, b) => most(0n, least(s(32, a), s(32, b))),
  },
  'bfe.u32': { inputs: three, result: 32, of: field(32, false) },
  'bfe.s32': { inputs: three, result: 32, of: field(32, true) },
  'bfe.u64': { inputs: [64, 32, 32], result: 64, of: field(64, false) },
  'bfe.s64': { inputs: [64, 32, 32], result: 64, of: field(64, true) },
  'prmt.b32': {
    inputs: three,
    result: 32,
    of: (a, b, c) => {
      const all = (b << 32n) | a;
      return fromBytes(
        [0, 1, 2, 3].map((index) => {
          const select = Number((c >> BigInt(4 * index)) & 0xfn);
          const byte = byteOf(all, select & 7);
          return (select & 8) === 0 ? byte : byte >= 0x80n ? 0xffn : 0n;
        }),
      );
    },
  },
  'prmt.b32.f4e': { inputs: three, result: 32, of: permuted((n, index) => n + index) },
  'prmt.b32.b4e': { inputs: three, result: 32, of: permuted((n, index) => (n - index + 8) % 8) },
  'prmt.b32.rc8': { inputs: three, result: 32, of: permuted((n) => n) },
  'prmt.b32.ecl': { inputs: three, result: 32, of: permuted((n, index) => Math.max(n, index)) },
  'prmt.b32.ecr': { inputs: three, result: 32, of: permuted((n, index) => Math.min(n, index)) },
  'prmt.b32.rc16': {
    inputs: three,
    result: 32,
    of: permuted((n, index) => (n & 1) * 2 + (index & 1)),
  },
  'lop3.b32': {
    inputs: three,
    result: 32,
    tail: ', 0x96',
    of: (a, b, c) => a ^ b ^ c,
  },
  'slct.u32.s32': { inputs: three, result: 32, of: (a, b, c) => (s(32, c) >= 0n ? a : b) },
  'slct.b64.s32': { inputs: [64, 64, 32], result: 64, of: (a, b, c) => (s(32, c) >= 0n ? a : b) },
  'shf.l.wrap.b32': {
    inputs: three,
    result: 32,
    of: (a, b, c) => (((b << 32n) | a) << (c & 31n)) >> 32n,
  },
  'shf.r.wrap.b32': { inputs: three, result: 32, of: (a, b, c) => ((b << 32n) | a) >> (c & 31n) },
  'shf.l.clamp.b32': {
    inputs: three,
    result: 32,
    of: (a, b, c) => (((b << 32n) | a) << (c > 32n ? 32n : c)) >> 32n,
  },
  'shf.r.clamp.b32': {
    inputs: three,
    result: 32,
    of: (a, b, c) => ((b << 32n) | a) >> (c > 32n ? 32n : c),
  },
  'sad.s32': {
    inputs: three,
    result: 32,
    of: (a, b, c) => c + (s(32, a) < s(32, b) ? s(32, b) - s(32, a) : s(32, a) - s(32, b)),
  },
  'sad.u64': { inputs: [64, 64, 64], result: 64, of: (a, b, c) => c + (a < b ? b - a : a - b) },
  'popc.b64': {
    inputs: [64],
    result: 32,
    of: (a) => BigInt(a.toString(2).replaceAll('0', '').length),
  },
  'clz.b32': {
    inputs: [32],
    result: 32,
    of: (a) => BigInt(32 - (a === 0n ? 0 : a.toString(2).length)),
  },
  'clz.b64': {
    inputs: [64],
    result: 32,
    of: (a) => BigInt(64 - (a === 0n ? 0 : a.toString(2).length)),
  },
  'brev.b64': {
    inputs: [64],
    result: 64,
    of: (a) => BigInt(`0b${[...a.toString(2).padStart(64, '0')].toReversed().join('')}`),
  },
  'bfind.u32': {
    inputs: [32],
    result: 32,
    of: (a) => BigInt(a === 0n ? -1 : a.toString(2).length - 1),
  },
  'bfind.shiftamt.u64': {
    inputs: [64],
    result: 32,
    of: (a) => BigInt(a === 0n ? -1 : 64 - a.toString(2).length),
  },
  'bfind.s32': {
    inputs: [32],
    result: 32,
    of: (a) => {
      const value = s(32, a) < 0n ? u(32, ~a) : a;
      return BigInt(value === 0n ? -1 : value.toString(2).length - 1);
    },
  },
  'not.b16': { inputs: [16], result: 16, of: (a) => ~a },
  'neg.s64': { inputs: [64], result: 64, of: (a) => -a },
  'abs.s16': { inputs: [16], result: 16, of: (a) => (s(16, a) < 0n ? -s(16, a) : a) },
  'cnot.b32': { inputs: [32], result: 32, of: (a) => (a === 0n ? 1n : 0n) },
};

const INSERTS: readonly (readonly [string, number])[] = [
  ['bfi.b32', 32],
  ['bfi.b64', 64],
];

const EDGES = [
  0n,
  1n,
  5n,
  31n,
  32n,
  33n,
  63n,
  64n,
  255n,
  0x7fff_ffffn,
  0x8000_0000n,
  0xffff_ffffn,
  1n << 63n,
  (1n << 64n) - 1n,
];
const value = fc.oneof(
  fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }),
  fc.constantFrom(...EDGES),
  fc.bigInt({ min: 0n, max: 70n }),
);
const REGISTERS: Readonly<Record<number, string>> = { 16: '%rs', 32: '%r', 64: '%rd' };
const DECLARATIONS =
  '.reg .b16 %rs<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<9>; .shared .align 8 .b8 out[64];';

function move(width: number, index: number, constant: bigint): string {
  return `mov.b${width} ${REGISTERS[width]}${index}, 0x${u(width, constant).toString(16)};`;
}

/** The words that the kernel stores last, as one number. */
function stored(body: string): bigint {
  const run = runText(kernelText(DECLARATIONS, `${body} ret;`), { block: [1, 1, 1] });
  const step = run.warps[0]!.steps.at(-1)!;
  assert.ok(step.op === 'access');
  const [low, high] = step.values;
  return (BigInt(high!) << 32n) | BigInt(low!);
}

function store(width: number, index: number): string {
  return `st.shared.b${width} [out], ${REGISTERS[width]}${index};`;
}

for (const [opcode, { inputs, result, of, tail = '' }] of Object.entries(ROWS)) {
  test(`${opcode} is exact`, () => {
    fc.assert(
      fc.property(value, value, value, (...values) => {
        const constants = inputs.map((width, index) => u(width, values[index]!));
        const moves = inputs.map((width, index) => move(width, index, constants[index]!));
        const names = inputs.map((width, index) => `${REGISTERS[width]}${index}`);
        const body = `${moves.join(' ')} ${opcode} ${REGISTERS[result]}8, ${names.join(', ')}${tail}; ${store(result, 8)}`;
        assert.equal(
          stored(body),
          u(result, of(constants[0]!, constants[1] ?? 0n, constants[2] ?? 0n)),
        );
      }),
      { numRuns: 40 },
    );
  });
}

for (const [opcode, width] of INSERTS) {
  test(`${opcode} is exact`, () => {
    fc.assert(
      fc.property(value, value, value, value, (a, b, position, length) => {
        const name = REGISTERS[width]!;
        const body = `${move(width, 0, a)} ${move(width, 1, b)} ${move(32, 2, position)} ${move(32, 3, length)}
          ${opcode} ${name}8, ${name}0, ${name}1, %r2, %r3; ${store(width, 8)}`;
        let expected = u(width, b);
        const at = fieldBits(width, position);
        const count = fieldBits(width, length);
        for (let index = 0; index < count && at + index < width; index++)
          expected =
            (expected & ~(1n << BigInt(at + index))) | (bit(a, index) << BigInt(at + index));
        assert.equal(stored(body), expected);
      }),
      { numRuns: 40 },
    );
  });
}

test('a chain of add.cc and addc adds numbers of 96 bits, sub.cc and subc subtract them', () => {
  const wide = fc.bigInt({ min: 0n, max: (1n << 96n) - 1n });
  const edge = fc.constantFrom(0n, 1n, (1n << 32n) - 1n, (1n << 64n) - 1n, (1n << 96n) - 1n);
  const number = fc.oneof(wide, edge);
  fc.assert(
    fc.property(number, number, fc.constantFrom('add', 'sub'), (a, b, name) => {
      const words = [0, 1, 2].map(
        (index) =>
          move(32, index, a >> BigInt(32 * index)) + move(32, index + 3, b >> BigInt(32 * index)),
      );
      const chain = `${name}.cc.u32 %r0, %r0, %r3; ${name}c.cc.u32 %r1, %r1, %r4; ${name}c.u32 %r2, %r2, %r5;`;
      const word = (index: number): bigint =>
        stored(`${words.join('')} ${chain} ${store(32, index)}`);
      const sum = u(96, name === 'add' ? a + b : a - b);
      assert.equal(word(0) | (word(1) << 32n) | (word(2) << 64n), sum);
    }),
    { numRuns: 40 },
  );
});

test('mad.lo.cc and madc.hi add a product of 64 bits', () => {
  fc.assert(
    fc.property(value, value, value, (a, b, c) => {
      const [x, y, z] = [u(32, a), u(32, b), u(64, c)];
      const body = `${move(32, 0, x)} ${move(32, 1, y)} ${move(32, 2, z)} ${move(32, 3, z >> 32n)}
        mad.lo.cc.u32 %r4, %r0, %r1, %r2; madc.hi.u32 %r5, %r0, %r1, %r3; mov.b64 %rd0, {%r4, %r5};`;
      assert.equal(stored(`${body} ${store(64, 0)}`), u(64, x * y + z));
    }),
    { numRuns: 40 },
  );
});

const INTEGERS = ['u8', 's8', 'u16', 's16', 'u32', 's32', 'u64', 's64'] as const;

for (const to of INTEGERS) {
  test(`cvt to ${to} is exact from all integers, saturating or not`, () => {
    const isSigned = (type: string): boolean => type.startsWith('s');
    const bitsOf = (type: string): number => Number(type.slice(1));
    const registerBits = (type: string): number => Math.max(16, bitsOf(type));
    fc.assert(
      fc.property(value, fc.constantFrom(...INTEGERS), fc.boolean(), (a, from, isSaturating) => {
        const source = isSigned(from) ? s(bitsOf(from), a) : u(bitsOf(from), a);
        const width = BigInt(bitsOf(to));
        const least = isSigned(to) ? -(1n << (width - 1n)) : 0n;
        const most = isSigned(to) ? (1n << (width - 1n)) - 1n : (1n << width) - 1n;
        const limited = source < least ? least : source > most ? most : source;
        const wrapped = isSigned(to) ? s(bitsOf(to), source) : u(bitsOf(to), source);
        const bits = registerBits(to);
        const opcode = `cvt${isSaturating ? '.sat' : ''}.${to}.${from}`;
        const body = `${move(registerBits(from), 0, a)} ${opcode} ${REGISTERS[bits]}8, ${REGISTERS[registerBits(from)]}0; ${store(bits, 8)}`;
        assert.equal(stored(body), u(bits, isSaturating ? limited : wrapped));
      }),
      { numRuns: 120 },
    );
  });
}

test('loads are extended to the register that they fill', () => {
  const types = ['u8', 's8', 'u16', 's16', 'u32', 's32'] as const;
  fc.assert(
    fc.property(value, fc.constantFrom(...types), fc.constantFrom(32, 64), (a, type, bits) => {
      const width = Number(type.slice(1));
      const body = `${move(64, 0, a)} st.shared.b64 [out+8], %rd0; ld.shared.${type} ${REGISTERS[bits]}1, [out+8]; ${store(bits, 1)}`;
      const read = type.startsWith('s') ? s(width, a) : u(width, a);
      assert.equal(stored(body), u(bits, read));
    }),
    { numRuns: 60 },
  );
});

test('lop3 with a predicate combines it with whether the result is not zero', () => {
  fc.assert(
    fc.property(value, fc.boolean(), fc.constantFrom('and', 'or'), (a, q, name) => {
      const body = `${move(32, 0, a & 1n)} ${move(32, 1, q ? 1n : 0n)} setp.ne.u32 %p1, %r1, 0;
        lop3.${name}.b32 %r2|%p2, %r0, %r0, %r0, 0xc0, %p1; selp.b32 %r3, 1, 0, %p2; ${store(32, 3)}`;
      const isSet = (a & 1n) === 1n;
      assert.equal(stored(body), (name === 'and' ? isSet && q : isSet || q) ? 1n : 0n);
    }),
    { numRuns: 20 },
  );
});

/** What each of 32 lanes stores: `body` has the lane's value in %r0 and leaves a result in %r1. */
function lanes(values: readonly bigint[], body: string): bigint[] {
  const constants = values.map(
    (each, lane) =>
      `setp.eq.u32 %p0, %r7, ${lane}; selp.b32 %r0, 0x${u(32, each).toString(16)}, %r0, %p0;`,
  );
  const text = kernelText(
    `${DECLARATIONS} .shared .align 4 .b32 all[32];`,
    `mov.u32 %r7, %laneid; mov.u32 %r0, 0; ${constants.join(' ')} ${body}
     mov.u32 %r6, all; shl.b32 %r5, %r7, 2; add.u32 %r6, %r6, %r5; st.shared.b32 [%r6], %r1; ret;`,
  );
  const step = runText(text, { block: [32, 1, 1] }).warps[0]!.steps.at(-1)!;
  assert.ok(step.op === 'access');
  return step.values.filter((_, index) => index % 2 === 0).map(BigInt);
}

const words = fc.array(value, { minLength: 32, maxLength: 32 });

const REDUCTIONS: Readonly<Record<string, (values: readonly bigint[]) => bigint>> = {
  'add.s32': (values) => values.reduce((sum, each) => sum + each),
  'add.u32': (values) => values.reduce((sum, each) => sum + each),
  'min.s32': (values) => values.map((each) => s(32, each)).reduce((a, b) => (a < b ? a : b)),
  'max.s32': (values) => values.map((each) => s(32, each)).reduce((a, b) => (a > b ? a : b)),
  'min.u32': (values) => values.map((each) => u(32, each)).reduce((a, b) => (a < b ? a : b)),
  'max.u32': (values) => values.map((each) => u(32, each)).reduce((a, b) => (a > b ? a : b)),
  'and.b32': (values) => values.reduce((a, b) => a & b),
  'or.b32': (values) => values.reduce((a, b) => a | b),
  'xor.b32': (values) => values.reduce((a, b) => a ^ b),
};

for (const [name, of] of Object.entries(REDUCTIONS)) {
  test(`redux.sync.${name} is exact`, () => {
    fc.assert(
      fc.property(words, (values) => {
        const results = lanes(values, `redux.sync.${name} %r1, %r0, 0xffffffff;`);
        assert.deepEqual(new Set(results), new Set([u(32, of(values))]));
      }),
      { numRuns: 10 },
    );
  });
}

test('match.any gives each lane the lanes with its value, activemask those that execute it', () => {
  const few = fc.array(fc.bigInt({ min: 0n, max: 3n }), { minLength: 32, maxLength: 32 });
  fc.assert(
    fc.property(few, (values) => {
      const matched = lanes(values, 'match.any.sync.b32 %r1, %r0, 0xffffffff;');
      const expected = values.map((each) =>
        values.reduce((mask, other, lane) => mask | (other === each ? 1n << BigInt(lane) : 0n), 0n),
      );
      assert.deepEqual(matched, expected);
      const active = lanes(
        values,
        'mov.u32 %r1, 0; setp.eq.u32 %p1, %r0, 1; @!%p1 bra AWAY; activemask.b32 %r1; AWAY: bar.warp.sync -1;',
      );
      assert.deepEqual(
        active,
        values.map((each, lane) => (each === 1n ? expected[lane]! : 0n)),
      );
    }),
    { numRuns: 10 },
  );
});

test('shfl reads within its segment, in all modes', () => {
  const modes = fc.constantFrom('up', 'down', 'bfly', 'idx');
  const sizes = fc.constantFrom(1, 2, 4, 8, 16, 32);
  fc.assert(
    fc.property(words, modes, sizes, fc.nat(31), (values, mode, size, distance) => {
      const segment = (32 - size) << 8;
      const control = segment | (mode === 'up' ? 0 : 31);
      const results = lanes(
        values,
        `shfl.sync.${mode}.b32 %r1, %r0, ${distance}, ${control}, 0xffffffff;`,
      );
      const expected = values.map((own, lane) => {
        const first = lane - (lane % size);
        const sources: Readonly<Record<string, number>> = {
          up: lane - distance,
          down: lane + distance,
          bfly: lane ^ distance,
          idx: first + (distance % size),
        };
        const source = sources[mode]!;
        const last = first + size - 1;
        const isWithin = mode === 'up' ? source >= first : source <= last;
        return u(32, isWithin ? values[source]! : own);
      });
      assert.deepEqual(results, expected);
    }),
    { numRuns: 25 },
  );
});
