// Random small programs in which roles meet, begin and end lives, and reach into another CTA.
import * as fc from 'fast-check';
import {
  arrive,
  arriveCluster,
  arriveNamed,
  asyncCopy,
  barrier,
  buffer,
  exit,
  init,
  invalidate,
  kernel,
  read,
  role,
  syncCluster,
  syncNamed,
  UNITS,
  wait,
  waitCluster,
  write,
  type Kernel,
} from 'poundlock';

/** One operation of a role; `other` makes it reach into the other CTA. */
export interface Step {
  readonly op:
    | 'arrive'
    | 'wait'
    | 'read'
    | 'write'
    | 'copy'
    | 'signal'
    | 'sync'
    | 'come'
    | 'init'
    | 'invalidate'
    | 'exit'
    | 'all'
    | 'half';
  readonly at: number;
  readonly phase: number;
  readonly other: boolean;
}

export interface Meetings {
  readonly ctas: 1 | 2;
  readonly counts: readonly number[];
  readonly warps: readonly (readonly Step[])[];
}

const LATE = 2;

/** Two barriers with counts, one that the program initializes, two buffers, two named barriers. */
export function meetingsKernel({ ctas, counts, warps }: Meetings): Kernel {
  return kernel('meetings', {}, () => {
    const barriers = counts.map((count, at) => barrier(`b${at}`, { count }));
    barriers.push(barrier('late', { count: 0 }));
    const buffers = [buffer('x'), buffer('y')];
    return warps.map((steps, index) => {
      const cta = ctas === 1 ? 0 : index % 2;
      return role(`w${index}`, { cta, warps: 1 }, function* () {
        for (const { op, at, phase, other } of steps) {
          const target = barriers[at]!;
          const memory = buffers[at % 2]!;
          const to = ctas === 2 && other ? { cta: 1 - cta } : {};
          const into = ctas === 2 && other ? { ctas: [1 - cta] } : {};
          if (op === 'arrive') arrive(target, into);
          else if (op === 'wait') yield* wait(target, phase);
          else if (op === 'read') read(memory, to);
          else if (op === 'write') write(memory, to);
          else if (op === 'copy') asyncCopy(UNITS.tma, { into: [memory], ...into });
          else if (op === 'signal')
            asyncCopy(UNITS.tma, { into: [memory], bar: target, bytes: 16, ...into });
          else if (op === 'sync') yield* syncNamed(at % 2, 64);
          else if (op === 'come') arriveNamed(at % 2, phase === 0 ? 64 : 96);
          else if (op === 'init') init(barriers[LATE]!, 1);
          else if (op === 'invalidate') invalidate(barriers[LATE]!);
          else if (op === 'exit') exit();
          else if (op === 'all') yield* syncCluster();
          else {
            arriveCluster();
            yield* waitCluster();
          }
        }
      });
    });
  });
}

const often = ['arrive', 'wait', 'sync', 'read', 'write', 'copy', 'signal'] as const;
const seldom = ['come', 'init', 'invalidate', 'exit', 'all', 'half'] as const;

const step: fc.Arbitrary<Step> = fc.record({
  op: fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...often) },
    { weight: 1, arbitrary: fc.constantFrom(...seldom) },
  ),
  at: fc.oneof(
    { weight: 8, arbitrary: fc.nat({ max: LATE - 1 }) },
    { weight: 1, arbitrary: fc.constant(LATE) },
  ),
  phase: fc.nat({ max: 1 }),
  other: fc.boolean(),
});

const meet = (op: Step['op'], at: number): Step => ({ op, at, phase: 0, other: false });

/** What all roles do at the end, so that more programs are right. */
const endings = fc.constantFrom<Step[]>([], [], [meet('half', 0)], [meet('all', 0)]);

export const meetings: fc.Arbitrary<Meetings> = fc
  .record({
    ctas: fc.constantFrom(1 as const, 2 as const),
    counts: fc.array(fc.integer({ min: 1, max: 2 }), { minLength: 2, maxLength: 2 }),
    warps: fc.array(fc.array(step, { maxLength: 4 }), { minLength: 2, maxLength: 4 }),
    ending: endings,
  })
  .map(({ ctas, counts, warps, ending }) => {
    return { ctas, counts, warps: warps.map((steps) => [...steps, ...ending]) };
  });
