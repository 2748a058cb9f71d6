// Random kernels whose counts follow from one number over several defaults, and what they do.
import * as fc from 'fast-check';
import { arrive, barrier, count, end, kernel, loop, role, waitParity } from '@poundlock/core';
import type { Kernel } from '@poundlock/core';

/** How a number follows from the one before it. */
type Follows = readonly [kind: string, by: number];

const FOLLOWS: Record<string, (n: number, by: number) => number> = {
  same: (n) => n,
  plus: (n, by) => n + by,
  least: (n, by) => Math.max(n, by),
  most: (n, by) => Math.min(n, by),
  waves: (n, by) => Math.ceil(n / (by + 1)),
  whole: (n, by) => Math.floor(n / (by + 1)),
  times: (n, by) => n * (by + 1),
  blocks: (n, by) => Math.ceil(n / (by + 1)) * (by + 1),
  even: (n) => n - (n % 2),
  equal: (n, by) => (n === by ? n + 1 : n),
  truth: (n, by) => n || by,
  text: (n) => Number(`${n}`),
};

const follows: fc.Arbitrary<Follows> = fc.tuple(
  fc.oneof(
    { weight: 6, arbitrary: fc.constant('same') },
    { weight: 4, arbitrary: fc.constantFrom(...Object.keys(FOLLOWS)) },
  ),
  // Sizes that are tried, so that what is not observable is found there.
  fc.constantFrom(0, 1, 2, 3, 16, 17),
);

const drawn = fc.record({
  stages: fc.integer({ min: 1, max: 3 }),
  produced: fc.array(follows, { maxLength: 2 }),
  consumed: fc.array(follows, { maxLength: 2 }),
  size: fc.integer({ min: 0, max: 20 }),
  isEvery: fc.boolean(),
});
export type DerivedProgram = typeof drawn extends fc.Arbitrary<infer T> ? T : never;

/** In a third of them both sides follow in the same way. */
export const derivedProgram: fc.Arbitrary<DerivedProgram> = fc.oneof(
  { arbitrary: drawn, weight: 2 },
  { arbitrary: drawn.map((one) => ({ ...one, consumed: one.produced })), weight: 1 },
);

/** A ring by hand; each side counts as many rounds as its chain of defaults says. */
export function toDerivedKernel({ stages, produced, consumed, size }: DerivedProgram): Kernel {
  const chain = (name: string, steps: readonly Follows[]): [string, unknown][] =>
    steps.map(([kind, by], at) => {
      const before = at === 0 ? 'n' : `${name}${at - 1}`;
      return [`${name}${at}`, (p: Record<string, never>) => FOLLOWS[kind]!(p[before]!, by)];
    });
  const defaults = Object.fromEntries<unknown>([
    ['n', size],
    ...chain('p', produced),
    ...chain('c', consumed),
  ]);
  return kernel('counting', defaults, (params) => {
    const last = (name: string, { length }: readonly Follows[]): number =>
      (params as Record<string, number>)[length === 0 ? 'n' : `${name}${length - 1}`]!;
    const ids = Array.from({ length: stages }, (_, s) => s);
    const full = ids.map((s) => barrier(`full[${s}]`));
    const empty = ids.map((s) => barrier(`empty[${s}]`));
    const side = (name: string, items: ReturnType<typeof count>, isFirst: boolean) =>
      role(name, function* () {
        yield* loop(0, function* (n) {
          if (!(yield* items.more())) return end(0);
          const [stage, lap] = [n % stages, Math.floor(n / stages)];
          yield* waitParity((isFirst ? empty : full)[stage]!, isFirst ? 1 - lap : lap);
          arrive((isFirst ? full : empty)[stage]!);
          return (n + 1) % (2 * stages);
        });
      });
    const [produces, takes] = [
      count(last('p', produced), 'made'),
      count(last('c', consumed), 'taken'),
    ];
    return [side('producer', produces, true), side('consumer', takes, false)];
  });
}

/** The rounds of the producer and of the consumer for a number. */
export function roundsOf({ produced, consumed }: DerivedProgram, n: number): [number, number] {
  const follow = (steps: readonly Follows[]): number =>
    steps.reduce((value, [kind, by]) => FOLLOWS[kind]!(value, by), n);
  return [follow(produced), follow(consumed)];
}
