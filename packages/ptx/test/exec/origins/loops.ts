// Random small kernels with a loop, whose rounds the place of the block decides, and which touches
// other words of global memory in each round.
import * as fc from 'fast-check';
import { kernelText } from '../../kernel-text.ts';

const DECLARED = `.reg .b32 %r<12>; .reg .b64 %rd<8>; .reg .pred %p<5>;
.shared .align 16 .b8 tile[512];`;
const BASES = `ld.param.u64 %rd0, [out]; mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x;
mov.u32 %r2, %ctaid.y; mov.u32 %r3, tile;`;

const FACTOR = fc.constantFrom(0, 0, 1, 2, -1, 3);
const LIMIT = fc.constantFrom('9', '0', '12', '-3', '30', '1');
const ACCESS = fc
  .tuple(fc.constantFrom('st', 'st', 'ld'), fc.constantFrom(0, 4, 8, -4), fc.boolean())
  .map(([op, offset, isGuarded]) => {
    const guard = isGuarded ? '@%p0 ' : '';
    return op === 'st'
      ? `${guard}st.global.u32 [%rd4+${offset}], 7;`
      : `${guard}ld.global.u32 %r8, [%rd4+${offset}];`;
  });

const SHAPE = fc.record({
  start: fc.tuple(FACTOR, FACTOR, fc.integer({ min: -3, max: 40 })),
  step: fc.constantFrom(1, -1, 2, 3, -4),
  compared: fc.constantFrom('eq', 'ne', 'ne', 'lt', 'le', 'gt', 'ge'),
  type: fc.constantFrom('s32', 'u32'),
  isSwapped: fc.boolean(),
  limit: LIMIT,
  isOfBlock: fc.boolean(),
  word: fc.tuple(fc.constantFrom(0, 8, 16, 20, 40), fc.constantFrom(0, 1, 1, 2, 16)),
  turned: fc.constantFrom('', '', 'rem.u32 %r9, %r9, 700;', 'xor.b32 %r9, %r9, 5;'),
  stride: fc.constantFrom(4, 4, 8, 64, -4),
  accesses: fc.array(ACCESS, { minLength: 1, maxLength: 3 }),
});

/** Kernels with a loop, of 20 rounds at most. */
export const looping: fc.Arbitrary<string> = SHAPE.map((shape) => {
  const { start, step, compared, type, isSwapped, limit, isOfBlock, word, stride } = shape;
  const bound = `mad.lo.s32 %r6, %r2, 3, ${limit};`;
  const inputs = isSwapped ? '%r6, %r4' : '%r4, %r6';
  return kernelText(
    DECLARED,
    `${BASES} mad.lo.s32 %r4, %r1, ${start[0]}, ${start[2]}; mad.lo.s32 %r4, %r0, ${start[1]}, %r4;
    ${isOfBlock ? bound : `mov.u32 %r6, ${limit};`} mov.u32 %r5, 0;
    setp.ne.u32 %p0, %r0, 3; mad.lo.s32 %r9, %r1, ${word[0]}, 512; mad.lo.s32 %r9, %r2, 48, %r9;
    mad.lo.s32 %r9, %r0, ${word[1]}, %r9; ${shape.turned} add.u32 %r9, %r9, 128;
    mul.wide.u32 %rd4, %r9, 4; add.u64 %rd4, %rd0, %rd4;
    LOOP: ${shape.accesses.join(' ')} st.shared.u32 [%r3], 1;
    add.s64 %rd4, %rd4, ${stride}; add.s32 %r4, %r4, ${step}; add.u32 %r5, %r5, 1;
    setp.ge.u32 %p3, %r5, 20; @%p3 bra END;
    setp.${compared}.${type} %p4, ${inputs}; @%p4 bra LOOP;
    END: mov.u32 %r8, 0; ret;`,
    '.param .u64 out',
  );
});
