// Random small kernels in which the place of the block decides: predicates, counts, addresses.
import * as fc from 'fast-check';
import { kernelText } from '../../kernel-text.ts';

/** Words that instructions compute: the first ones are read, all others are written. */
const READ_ONLY = 4;
const WORDS = 9;
const PREDICATES = 3;

type Text = fc.Arbitrary<string>;

const READ: Text = fc.integer({ min: 0, max: WORDS - 1 }).map((index) => `%r${index}`);
const WRITTEN: Text = fc.integer({ min: READ_ONLY, max: WORDS - 1 }).map((index) => `%r${index}`);
const PREDICATE: Text = fc.integer({ min: 0, max: PREDICATES - 1 }).map((index) => `%p${index}`);
const NUMBER: Text = fc.oneof(
  fc.constantFrom('0', '1', '2', '3', '4', '7', '8', '16', '31', '-1', '-4', '100'),
  fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }).map(String),
);
const SMALL: Text = fc.constantFrom('1', '2', '3', '4', '5', '8');
const INPUT: Text = fc.oneof({ weight: 3, arbitrary: READ }, NUMBER);

const BINARY: Text = fc
  .tuple(
    fc.constantFrom('add.s32', 'sub.s32', 'mul.lo.s32', 'and.b32', 'or.b32', 'xor.b32'),
    WRITTEN,
    READ,
    INPUT,
  )
  .map(([name, to, a, b]) => `${name} ${to}, ${a}, ${b};`);
const LIMITED: Text = fc
  .tuple(fc.constantFrom('min.s32', 'max.s32', 'min.u32', 'max.u32'), WRITTEN, READ, INPUT)
  .map(([name, to, a, b]) => `${name} ${to}, ${a}, ${b};`);
const DIVIDED: Text = fc
  .tuple(
    fc.constantFrom('div.u32', 'rem.u32', 'div.s32', 'rem.s32', 'shl.b32', 'shr.u32', 'shr.s32'),
    WRITTEN,
    READ,
    SMALL,
  )
  .map(([name, to, a, b]) => `${name} ${to}, ${a}, ${b};`);
const ADDED: Text = fc
  .tuple(WRITTEN, READ, SMALL, READ)
  .map(([to, a, b, c]) => `mad.lo.s32 ${to}, ${a}, ${b}, ${c};`);
const WIDENED: Text = fc
  .tuple(WRITTEN, READ, SMALL, fc.constantFrom('u32', 's32'))
  .map(([to, a, b, type]) => `mul.wide.${type} %rd4, ${a}, ${b}; cvt.u32.u64 ${to}, %rd4;`);
const COMPARED: Text = fc
  .tuple(
    PREDICATE,
    fc.constantFrom('eq', 'ne', 'lt', 'le', 'gt', 'ge'),
    fc.constantFrom('s32', 'u32'),
    READ,
    INPUT,
  )
  .map(([to, name, type, a, b]) => `setp.${name}.${type} ${to}, ${a}, ${b};`);
const CHOSEN: Text = fc
  .tuple(WRITTEN, READ, INPUT, PREDICATE)
  .map(([to, a, b, p]) => `selp.b32 ${to}, ${a}, ${b}, ${p};`);
const PREDICATED: Text = fc
  .tuple(PREDICATE, fc.constantFrom('', '!'), fc.oneof(BINARY, ADDED))
  .map(([p, not, text]) => `@${not}${p} ${text}`);
const SHUFFLED: Text = fc
  .tuple(WRITTEN, READ)
  .map(([to, a]) => `shfl.sync.bfly.b32 ${to}, ${a}, 1, 31, -1;`);

const TYPE = fc.constantFrom('u8', 's8', 'u16', 's16', 'u32', 's32');
/** A value that is stored, perhaps in part, and loaded again, perhaps of another size. */
const PASSED: Text = fc
  .tuple(WRITTEN, READ, TYPE, TYPE, fc.constantFrom('shared', 'local'))
  .map(([to, a, stored, read, space]) => {
    const at = space === 'shared' ? '%r9+256' : 'own';
    return `shl.b32 %r9, %r0, 2; add.u32 %r9, %r9, %r10;
      st.${space}.${stored} [${at}], ${a}; ld.${space}.${read} ${to}, [${at}];`;
  });
const COUNTED: Text = fc
  .tuple(WRITTEN, READ, fc.constantFrom('add.u32', 'or.b32', 'xor.b32', 'and.b32'))
  .map(
    ([to, a, name]) => `@%p0 st.shared.u32 [%r10+400], 5;
      @%p0 red.shared.${name} [%r10+400], ${a}; ld.shared.u32 ${to}, [%r10+400];`,
  );
const COMPUTED: Text = fc.oneof(
  { weight: 4, arbitrary: BINARY },
  { weight: 2, arbitrary: ADDED },
  { weight: 2, arbitrary: DIVIDED },
  { weight: 2, arbitrary: COMPARED },
  LIMITED,
  WIDENED,
  CHOSEN,
  PREDICATED,
  SHUFFLED,
  PASSED,
  COUNTED,
);

/** What others can observe, or what decides what they can. */
const SHOWN: Text = fc.oneof(
  READ.map((a) => `and.b32 %r9, ${a}, 60; add.u32 %r9, %r9, %r10; st.shared.u32 [%r9], %r3;`),
  READ.map((a) => `st.shared.u32 [%r10+64], ${a};`),
  PREDICATE.map((p) => `@${p} st.shared.u32 [%r10], 1;`),
  READ.map((a) => `and.b32 %r9, ${a}, 3; add.u32 %r9, %r9, 1; bar.sync %r9, 32;`),
  fc.tuple(READ, fc.nat(1_000_000)).map(
    ([a, id]) =>
      `and.b32 %r9, ${a}, 3; L${id}: setp.eq.s32 %p4, %r9, 0; @%p4 bra E${id};
         st.shared.u32 [%r10+128], 1; sub.s32 %r9, %r9, 1; bra L${id}; E${id}:`,
  ),
  fc
    .tuple(PREDICATE, COMPUTED, fc.nat(1_000_000))
    .map(([p, text, id]) => `@${p} bra J${id}; ${text} J${id}:`),
);

const STORED: Text = fc.tuple(READ, fc.constantFrom('', '@%p0 ', '@!%p1 '), READ).map(
  ([a, guard, value]) =>
    `and.b32 %r9, ${a}, 1023; mul.wide.u32 %rd4, %r9, 4; add.u64 %rd4, %rd0, %rd4;
       ${guard}st.global.u32 [%rd4], ${value};`,
);
const LOADED: Text = fc.tuple(READ, fc.constantFrom('', '@%p2 ')).map(
  ([a, guard]) =>
    `and.b32 %r9, ${a}, 1023; mul.wide.u32 %rd4, %r9, 4; add.u64 %rd4, %rd0, %rd4;
       ${guard}ld.global.u32 %r11, [%rd4];`,
);

const DECLARED = `.reg .b32 %r<12>; .reg .b64 %rd<8>; .reg .pred %p<5>;
.shared .align 16 .b8 tile[512]; .local .align 4 .b8 own[4];`;
const BASES = `ld.param.u64 %rd0, [out]; mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x;
mov.u32 %r2, %ctaid.y; mov.u32 %r3, 5; mov.u32 %r10, tile; mov.u32 %r4, %r1; mov.u32 %r5, %r2;
mad.lo.u32 %r6, %r1, 32, %r0; mov.u32 %r7, 0; mov.u32 %r8, %r0; setp.eq.u32 %p0, %r0, 0;
setp.lt.u32 %p1, %r6, 70; setp.ne.u32 %p2, %r1, 2; setp.ne.u32 %p4, %r0, %r0;`;

/** A kernel as text: loops may have equal labels, so that each has a number of its own. */
function textOf(lines: readonly string[]): string {
  const numbered = lines.map((line, index) => line.replaceAll(/([LEJ])(\d+)/g, `$1${index}_$2`));
  return kernelText(
    DECLARED,
    `${BASES}\n${numbered.join('\n')}\nmov.u32 %r11, 0;\nret;`,
    '.param .u64 out',
  );
}

/** Kernels in which the place of the block decides what the warps do. */
export const deciding: fc.Arbitrary<string> = fc
  .array(fc.oneof({ weight: 3, arbitrary: COMPUTED }, SHOWN), { minLength: 2, maxLength: 14 })
  .map(textOf);

/** Kernels that touch global memory in places of their blocks. */
export const touching: fc.Arbitrary<string> = fc
  .array(fc.oneof({ weight: 4, arbitrary: COMPUTED }, STORED, LOADED), {
    minLength: 2,
    maxLength: 12,
  })
  .map(textOf);
