// Random programs of two CTAs, one of which reaches into the other while that may end.
import * as fc from 'fast-check';
import type { Body, DullProgram, Statement } from './dull-program.ts';
import { arrive, EMPTY, role, upTo, wait } from './template-words.ts';

/** How the other CTA is reached. */
const REACHES = {
  read: { do: 'read', buffer: 0, cta: 1 },
  write: { do: 'write', buffer: 0, cta: 1 },
  arrive: arrive(1, 0, [1]),
  copy: { do: 'asyncCopy', unit: 'tma', bar: 1, bytes: 0, into: [0], ctas: [1] },
  use: { do: 'asyncUse', unit: 'mma', reads: [0], writes: [], group: true, ctas: [1] },
  commit: { do: 'commit', unit: 'mma', bar: 1, ctas: [1] },
} as const satisfies Readonly<Record<string, Statement>>;

/** What holds the other CTA until it has been reached, if anything does. */
const HOLDS: Readonly<Record<string, readonly [reaching: Body, reached: Body]>> = {
  nothing: [[], []],
  cluster: [[{ do: 'syncCluster' }], [{ do: 'syncCluster' }]],
  barrier: [[arrive(2, 0, [1])], [wait(2, 0)]],
  exit: [[], [{ do: 'exit' }]],
  group: [[{ do: 'waitGroup', unit: 'mma', most: 0 }, arrive(2, 0, [1])], [wait(2, 0)]],
};

const pick = <T extends string>(names: Readonly<Record<T, unknown>>) =>
  fc.constantFrom(...(Object.keys(names) as T[]));

/** Two CTAs that meet at barriers, and then one reaches into the other. */
export const remoteProgram: fc.Arbitrary<DullProgram> = fc
  .record({
    reaches: fc.array(pick(REACHES), { minLength: 1, maxLength: 2 }),
    hold: pick(HOLDS),
    rounds: fc.integer({ min: 1, max: 2 }),
    /** Whether the reached CTA does something of its own last, and what. */
    last: fc.constantFrom<Body>(
      [],
      [{ do: 'pause', how: 'compute' }],
      [wait(1, 0)],
      [{ do: 'read', buffer: 0 }],
    ),
    isAccompanied: fc.boolean(),
  })
  .map(({ reaches, hold, rounds, last, isAccompanied }): DullProgram => {
    const [reaching, reached] = HOLDS[hold]!;
    const meet = upTo(rounds, () => arrive(1, 0, [1]));
    const come = upTo(rounds, () => arrive(0, 0, [0]));
    const first = [wait(0, 0), ...meet, ...reaches.map((how) => REACHES[how]), ...reaching];
    const second = [...come, wait(1, 0), ...reached, ...last];
    const companion = isAccompanied ? [role([wait(1, 0)], 1)] : [];
    return {
      ...EMPTY,
      barriers: [
        { count: rounds, mode: 'parity' },
        { count: rounds, mode: 'parity' },
        { count: 1, mode: 'parity' },
      ],
      buffers: 1,
      roles: [role(first, 0), role(second, 1), ...companion],
    };
  });
