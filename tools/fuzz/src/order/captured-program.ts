// Random programs whose rounds change something outside of the state of their loop, or nearly do.
import * as fc from 'fast-check';
import { arrive, barrier, choose, count, end, kernel, loop, role } from '@poundlock/core';
import { tryWait, wait, type Barrier, type Kernel, type Role } from '@poundlock/core';
import { BOXES, BOX_KINDS, type Box, type BoxKind } from './captured-boxes.ts';

/** How a round changes the number, from what it was and the option that was taken. */
export const UPDATES = {
  count: (value: number, option: number) => value + (option === 1 ? 1 : 0),
  toggle: (value: number, option: number) => (option === 1 ? 1 - value : value),
  last: (_: number, option: number) => option,
  history: (value: number, option: number) => (value * 3 + option + 1) % 100,
  most: (value: number, option: number) => Math.max(value, option),
} as const satisfies Readonly<Record<string, (value: number, option: number) => number>>;

export interface CapturedProgram {
  readonly workers: number;
  readonly tiles: number;
  /** Where an option comes from: a choice of so many, or a try. */
  readonly options: 2 | 3 | 'try';
  readonly kind: BoxKind;
  /** Who declares the box: each role, or the kernel for all of them. */
  readonly place: 'role' | 'kernel';
  readonly update: keyof typeof UPDATES;
  /** The number at which a round does something else, and what that is. */
  readonly at: number;
  readonly effect: 'hangs' | 'arrives';
  /** Whether a round has a loop of its own, and whether a helper does the work. */
  readonly isNested: boolean;
  readonly hasHelper: boolean;
}

export const capturedProgram: fc.Arbitrary<CapturedProgram> = fc
  .record({
    workers: fc.constantFrom(1, 1, 2),
    tiles: fc.integer({ min: 1, max: 4 }),
    options: fc.constantFrom(2, 3, 'try' as const),
    kind: fc.constantFrom(...BOX_KINDS),
    place: fc.constantFrom('role', 'kernel'),
    update: fc.constantFrom(...(Object.keys(UPDATES) as (keyof typeof UPDATES)[])),
    at: fc.integer({ min: 0, max: 12 }),
    effect: fc.constantFrom('hangs', 'arrives'),
    isNested: fc.boolean(),
    hasHelper: fc.boolean(),
  })
  .map((one) => (one.workers === 2 ? { ...one, tiles: Math.min(one.tiles, 3) } : one)) as never;

export function toCapturedKernel(program: CapturedProgram): Kernel {
  const { workers, tiles, options, kind, place, at, effect, isNested, hasHelper } = program;
  const update = UPDATES[program.update];
  return kernel('captured', {}, () => {
    const [ready, never] = [barrier('ready'), barrier('never')];
    const extra = barrier('extra', { count: 1_000 });
    const items = count(tiles);
    const shared: Box = BOXES[kind]();

    function* option() {
      if (options !== 'try') return yield* choose(options);
      return (yield* tryWait(ready, 0)) ? 0 : 1;
    }
    function* perform(box: Box, blocked: Barrier) {
      const taken = yield* option();
      box.set(update(box.get(), taken));
      if (box.get() !== at) return;
      if (effect === 'arrives') arrive(extra);
      else yield* wait(blocked, 0);
    }
    const worker = (name: string): Role =>
      role(name, function* () {
        const box = place === 'kernel' ? shared : BOXES[kind]();
        yield* loop(null, function* () {
          if (!(yield* items.more())) return end(null);
          if (isNested) {
            yield* loop(0, function* (round: number) {
              if (round === 1) return end(null);
              yield* perform(box, never);
              return 1;
            });
            return null;
          }
          if (hasHelper) yield* perform(box, never);
          else {
            const taken = options === 'try' ? yield* option() : yield* choose(options);
            box.set(update(box.get(), taken));
            if (box.get() === at && effect === 'arrives') arrive(extra);
            if (box.get() === at && effect === 'hangs') yield* wait(never, 0);
          }
          return null;
        });
      });
    const roles = Array.from({ length: workers }, (_, number) => worker(`w${number}`));
    if (options !== 'try') return roles;
    return [
      role('p', function* () {
        arrive(ready);
      }),
      ...roles,
    ];
  });
}
