// Kernels of one warp whose loop computes with its counter in all kinds of ways, for comparing what
// is proved of all numbers of rounds with what runs of single numbers do.
import { array, constantFrom, nat, record, tuple } from 'fast-check';
import type { Arbitrary } from 'fast-check';
import { kernelText } from '../kernel-text.ts';

/** How a value is computed from earlier ones: their numbers are taken modulo how many there are. */
export interface Computation {
  readonly op: string;
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly constant: number;
}

/** What a round does: it touches a word that a value chooses, or only where two values compare. */
export interface Effect {
  readonly kind: 'word' | 'guarded' | 'branch' | 'inner';
  readonly a: number;
  readonly b: number;
  readonly compare: string;
  readonly constant: number;
}

/** A loop: what it computes in a round, what it carries to the next one, and what it does. */
export interface LoopOf {
  readonly values: readonly Computation[];
  /** The values that two carried registers get at the end of a round. */
  readonly carried: readonly [number, number];
  readonly effects: readonly Effect[];
}

const OPS = [
  'add',
  'sub',
  'mul',
  'shl',
  'shr',
  'sar',
  'and',
  'or',
  'xor',
  'not',
  'rem',
  'div',
  'min',
  'max',
  'high',
  'wide',
  'selp',
  'byte',
  'short',
  'signed8',
  'bfe',
  'lop3',
  'wrap',
  'constant',
  'flip',
  'table',
  'local',
  'word',
  'float',
  'shuffle',
  'neg',
] as const;

/** Numbers at which counters wrap around, stages repeat, or thresholds lie. */
const CONSTANTS = [
  0, 1, 2, 3, 4, 5, 7, 8, 12, 15, 16, 31, 77, 255, 256, 1000, 0xffff, 0xaaaaaaab, 0xfffffffc,
];

const constant = constantFrom(...CONSTANTS);
const index = nat(20);

const computation: Arbitrary<Computation> = record({
  op: constantFrom(...OPS),
  a: index,
  b: index,
  c: index,
  constant,
});

const effect: Arbitrary<Effect> = record({
  kind: constantFrom('word', 'word', 'guarded', 'branch', 'inner'),
  a: index,
  b: index,
  compare: constantFrom('eq.u32', 'ne.u32', 'lt.u32', 'lt.s32', 'ge.s32', 'gt.u32', 'le.s32'),
  constant,
});

/** Loops of all kinds. */
export const loops: Arbitrary<LoopOf> = record({
  values: array(computation, { minLength: 1, maxLength: 6 }),
  carried: tuple(index, index),
  effects: array(effect, { minLength: 1, maxLength: 2 }),
});

/** Registers before the first value: the counter, the number of rounds, two that are carried. */
const FIRST = 4;

function computed(
  { op, a, b, c, constant: k }: Computation,
  to: string,
  at: (n: number) => string,
): string {
  const [x, y, z] = [at(a), at(b), at(c)];
  const small = (k % 31) + 1;
  const texts: Record<string, string> = {
    add: `add.u32 ${to}, ${x}, ${k % 2 === 0 ? y : k};`,
    sub: `sub.u32 ${to}, ${x}, ${y};`,
    mul: `mul.lo.u32 ${to}, ${x}, ${k};`,
    shl: `shl.b32 ${to}, ${x}, ${small % 8};`,
    shr: `shr.u32 ${to}, ${x}, ${small % 8};`,
    sar: `shr.s32 ${to}, ${x}, ${small % 8};`,
    and: `and.b32 ${to}, ${x}, ${k};`,
    or: `or.b32 ${to}, ${x}, ${k};`,
    xor: `xor.b32 ${to}, ${x}, ${k};`,
    not: `not.b32 ${to}, ${x};`,
    neg: `neg.s32 ${to}, ${x};`,
    rem: `rem.u32 ${to}, ${x}, ${small};`,
    div: `div.u32 ${to}, ${x}, ${small};`,
    min: `min.u32 ${to}, ${x}, ${k % 2 === 0 ? y : k};`,
    max: `max.s32 ${to}, ${x}, ${k % 2 === 0 ? y : k};`,
    high: `mul.hi.u32 ${to}, ${x}, 0xaaaaaaab; shr.u32 ${to}, ${to}, 1; mul.lo.u32 ${to}, ${to}, 3; sub.u32 ${to}, ${x}, ${to};`,
    wide: `mul.wide.u32 %d0, ${x}, 0xcccccccd; shr.u64 %d0, %d0, 34; cvt.u32.u64 ${to}, %d0; mad.lo.u32 ${to}, ${to}, -5, ${x};`,
    selp: `setp.lt.u32 %p1, ${x}, ${k}; selp.b32 ${to}, ${y}, ${z}, %p1;`,
    byte: `cvt.u8.u32 %h0, ${x}; cvt.u32.u16 ${to}, %h0;`,
    short: `cvt.u16.u32 %h0, ${x}; add.u16 %h0, %h0, 1; cvt.u32.u16 ${to}, %h0;`,
    signed8: `cvt.s32.s8 ${to}, ${x};`,
    bfe: `bfe.u32 ${to}, ${x}, ${small % 5}, ${(k % 4) + 1};`,
    lop3: `lop3.b32 ${to}, ${x}, ${k}, ${small}, ${(k * 37) & 0xff};`,
    wrap: `add.u32 ${to}, ${x}, 1; setp.eq.u32 %p1, ${to}, ${small % 6}; selp.b32 ${to}, 0, ${to}, %p1;`,
    constant: `mov.b32 ${to}, ${k};`,
    flip: `setp.ne.u32 %p1, ${x}, ${k}; selp.b32 ${to}, 1, 0, %p1;`,
    table: `and.b32 ${to}, ${x}, 7; mul.wide.u32 %d0, ${to}, 4; mov.u64 %d1, table; add.u64 %d0, %d0, %d1; ld.const.u32 ${to}, [%d0];`,
    local: `st.local.u32 [stack], ${x}; ld.local.u32 ${to}, [stack];`,
    word: `st.shared.u32 [word], ${x}; ld.shared.u32 ${to}, [word+${k % 2 === 0 ? 0 : 4}];`,
    float: `cvt.rn.f32.u32 %f0, ${x}; cvt.rzi.u32.f32 ${to}, %f0; mov.b32 ${to}, ${y};`,
    shuffle: `shfl.sync.idx.b32 ${to}, ${x}, 0, 31, 1;`,
  };
  return texts[op]!;
}

function done(
  { kind, a, b, compare, constant: k }: Effect,
  label: number,
  at: (n: number) => string,
): string {
  const touch = (value: string): string =>
    `and.b32 %r40, ${value}, 3; shl.b32 %r40, %r40, 2; mov.u32 %r41, words; add.u32 %r40, %r40, %r41;
     st.volatile.shared.u32 [%r40], %r0;`;
  const other = k % 2 === 0 ? at(b) : String(k);
  const compared = `setp.${compare} %p2, ${at(a)}, ${other};`;
  switch (kind) {
    case 'word':
      return touch(at(a));
    case 'guarded':
      return `${compared} @%p2 st.volatile.shared.u32 [words+64], 1;`;
    case 'branch':
      return `${compared} @%p2 bra SKIP${label}; ${touch('1')} SKIP${label}:`;
    case 'inner':
      return `and.b32 %r42, ${at(a)}, 1; INNER${label}: ${touch('2')} add.u32 %r42, %r42, 1;
        setp.lt.u32 %p2, %r42, 3; @%p2 bra INNER${label};`;
  }
}

/** The PTX of a loop that runs `n` times. */
export function counterKernel({ values, carried, effects }: LoopOf): string {
  const at =
    (count: number) =>
    (n: number): string =>
      `%r${n % count}`;
  const computations = values.map((value, index) => {
    return computed(value, `%r${FIRST + index}`, at(FIRST + index));
  });
  const all = at(FIRST + values.length);
  const text = kernelText(
    `.reg .b32 %r<48>; .reg .b64 %d<4>; .reg .b16 %h<2>; .reg .f32 %f<2>; .reg .pred %p<6>;
     .shared .align 8 .b8 words[256]; .shared .align 8 .b8 word[8]; .local .align 8 .b8 stack[8];`,
    `ld.param.u32 %r1, [n]; mov.u32 %r0, 0; mov.u32 %r2, 0; mov.u32 %r3, 1; st.shared.u32 [word+4], 5;
     setp.eq.u32 %p0, %r1, 0; @%p0 bra END;
     LOOP: ${computations.join('\n')}
     ${effects.map((each, label) => done(each, label, all)).join('\n')}
     mov.b32 %r45, ${all(carried[0])}; mov.b32 %r46, ${all(carried[1])};
     mov.b32 %r2, %r45; mov.b32 %r3, %r46;
     add.u32 %r0, %r0, 1; setp.lt.u32 %p0, %r0, %r1; @%p0 bra LOOP;
     END: ret;`,
    '.param .u32 n',
  );
  return text.replace(
    '.visible',
    '.const .align 4 .b32 table[8] = {0, 1, 2, 0, 1, 2, 3, 1};\n.visible',
  );
}
