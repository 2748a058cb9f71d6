// Small programs of the lanes of two warps, and their PTX.
import * as fc from 'fast-check';
import { kernelText } from '../kernel-text.ts';

/** Lanes of the second warp; the first has 32, of which this many do something. */
export const LANES = 4;
/** mbarriers, each for one phase. */
export const BARRIERS = 2;
/** Words that are accessed, and words of a table with one for each lane. */
export const WORDS = 2;

/** Something that the lanes of a mask of one warp do; others pass it by. */
export type Statement = { readonly warp: number; readonly lanes: number } & (
  | { readonly kind: 'store' | 'load'; readonly word: number }
  /** A word of the table: of the lane's own number plus a distance. */
  | { readonly kind: 'storeNear' | 'loadNear'; readonly distance: number }
  | { readonly kind: 'join' }
  | { readonly kind: 'arrive' | 'wait'; readonly barrier: number }
);

/** A program: statements in the order of the text. */
export interface LaneProgram {
  readonly statements: readonly Statement[];
  /** Whether what one warp does is in a branch for each mask, rather than predicated. */
  readonly isBranching: boolean;
}

const mask = fc.integer({ min: 1, max: 2 ** LANES - 1 });
const ofWarp = { warp: fc.constantFrom(0, 0, 1), lanes: fc.oneof(mask, fc.constant(15)) };
const word = fc.nat(WORDS - 1);
const distance = fc.nat(LANES - 1);

const statement: fc.Arbitrary<Statement> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ ...ofWarp, kind: fc.constantFrom('store', 'load'), word }) },
  {
    weight: 3,
    arbitrary: fc.record({ ...ofWarp, kind: fc.constantFrom('storeNear', 'loadNear'), distance }),
  },
  { weight: 3, arbitrary: fc.record({ ...ofWarp, kind: fc.constant('join' as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      ...ofWarp,
      kind: fc.constantFrom('arrive', 'wait'),
      barrier: fc.nat(BARRIERS - 1),
    }),
  },
);

/** Programs in which each mbarrier has the arrivals of one statement. */
export const programs: fc.Arbitrary<LaneProgram> = fc
  .record({
    statements: fc.array(statement, { minLength: 2, maxLength: 9 }),
    isBranching: fc.boolean(),
  })
  .map(({ statements, isBranching }) => {
    const seen = new Set<number>();
    const once = statements.filter((each) => {
      if (each.kind !== 'arrive') return true;
      const isNew = !seen.has(each.barrier);
      seen.add(each.barrier);
      return isNew;
    });
    // Lanes that a wait holds up store by themselves: then the stores of one instruction are several.
    const canPart = once.some(({ kind }) => kind === 'wait');
    const parted = once.map((each): Statement => {
      return canPart && each.kind === 'store' ? { ...each, lanes: each.lanes & -each.lanes } : each;
    });
    return { statements: parted, isBranching };
  });

/** How many arrivals an mbarrier has. */
export function countOf({ statements }: LaneProgram, barrier: number): number {
  const arrival = statements.find((each) => each.kind === 'arrive' && each.barrier === barrier);
  return arrival === undefined ? 1 : lanesIn(arrival.lanes).length;
}

/** The lanes of a mask. */
export function lanesIn(lanes: number): number[] {
  return Array.from({ length: LANES }, (_, lane) => lane).filter((lane) => (lanes >>> lane) & 1);
}

/** The PTX of a program. */
export function textOf(program: LaneProgram): string {
  const inits = Array.from(
    { length: BARRIERS },
    (_, barrier) => `mbarrier.init.shared.b64 [bars+${8 * barrier}], ${countOf(program, barrier)};`,
  );
  return kernelText(
    `.reg .b32 %r<16>; .reg .pred %p<8>; .shared .align 8 .b64 bars[${BARRIERS}];
     .shared .align 4 .b32 words[${WORDS}]; .shared .align 4 .b32 table[${2 * LANES}];`,
    `mov.u32 %r0, %laneid; mov.u32 %r1, %tid.x; shr.u32 %r2, %r1, 5; mov.u32 %r5, table;
     setp.ne.u32 %p0, %r1, 0; @%p0 bra READY; ${inits.join(' ')}
     READY: bar.sync 0; setp.ge.u32 %p0, %r0, ${LANES}; @%p0 bra END;
     ${program.statements.map((each, index) => statementText(each, index, program)).join('\n')}
     END: ret;`,
  );
}

function statementText(each: Statement, index: number, { isBranching }: LaneProgram): string {
  const isMember = `mov.u32 %r3, ${each.lanes}; shr.u32 %r3, %r3, %r0; and.b32 %r3, %r3, 1;
     setp.eq.u32 %p1, %r2, ${each.warp}; setp.eq.and.u32 %p2, %r3, 1, %p1;`;
  const body = bodyOf(each, index);
  const isLoop = each.kind === 'wait';
  if (!isBranching && !isLoop)
    return `${isMember} ${body.map((instruction) => `@%p2 ${instruction}`).join(' ')}`;
  return `${isMember} @!%p2 bra AFTER${index}; ${body.join(' ')} AFTER${index}:`;
}

/** A value of its own for each statement and lane, so that no two stores are equal. */
function value(index: number): string {
  return `mad.lo.u32 %r6, %r1, 64, ${index};`;
}

function bodyOf(each: Statement, index: number): string[] {
  switch (each.kind) {
    case 'store':
      return [value(index), `st.shared.b32 [words+${4 * each.word}], %r6;`];
    case 'load':
      return [`ld.shared.b32 %r7, [words+${4 * each.word}];`];
    case 'storeNear':
    case 'loadNear': {
      const near = `add.u32 %r8, %r0, ${each.distance}; rem.u32 %r8, %r8, ${LANES};`;
      const at = ['shl.b32 %r8, %r8, 2;', 'add.u32 %r8, %r8, %r5;'];
      const access =
        each.kind === 'loadNear'
          ? ['ld.shared.b32 %r7, [%r8];']
          : [value(index), 'st.shared.b32 [%r8], %r6;'];
      return [...near.split(/(?<=;) /), ...at, ...access];
    }
    case 'join':
      return [`bar.warp.sync ${each.lanes};`];
    case 'arrive':
      return [`mbarrier.arrive.shared.b64 _, [bars+${8 * each.barrier}];`];
    case 'wait':
      return [
        `TRY${index}: mbarrier.try_wait.parity.shared.b64 %p3, [bars+${8 * each.barrier}], 0;`,
        `@!%p3 bra TRY${index};`,
      ];
  }
}
