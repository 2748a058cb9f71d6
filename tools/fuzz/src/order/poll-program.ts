// Random programs of a producer and consumers that try before they wait, once or again and again.
import * as fc from 'fast-check';
import type { Body, DullProgram, Statement } from './dull-program.ts';
import { mutate, mutation, sizesOf } from './mutation.ts';
import { tidy } from './random-program.ts';
import { arrive, EMPTY, read, role, upTo, wait, write } from './template-words.ts';

/** How a phase is waited for; the last two can go on without it. */
const WAYS = [
  'wait',
  'token',
  'tries',
  'row',
  'loop',
  'plain',
  'works',
  'parity',
  'gives-up',
  'row-gives-up',
] as const;
type Way = (typeof WAYS)[number];

const SOMETHING: Statement = { do: 'pause', how: 'compute' };

function tried(bar: number, phase: number, times: number, last: Body): Statement {
  const next = times > 1 ? [SOMETHING, tried(bar, phase, times - 1, last)] : last;
  return { do: 'tryWait', bar, phase, then: [], else: next };
}

/** Equal tries with nothing between, each of which may fail; `last` follows if all do. */
function row(bar: number, phase: number, times: number, last: Body): Statement {
  const next = times > 1 ? [row(bar, phase, times - 1, last)] : last;
  return { do: 'tryWait', bar, phase, then: [], else: next };
}

const WRITTEN: Readonly<Record<Way, (bar: number, phase: number, times: number) => Statement>> = {
  wait: (bar, phase) => wait(bar, phase),
  // T7: the answer only decides whether the same phase is waited for.
  token: (bar, phase) => tried(bar, phase, 1, [wait(bar, phase)]),
  tries: (bar, phase, times) => tried(bar, phase, times, [wait(bar, phase)]),
  loop: (bar, phase) => ({ do: 'poll', bar, phase, body: [] }),
  plain: (bar, phase) => ({ do: 'poll', bar, phase, body: [], isPlain: true }),
  works: (bar, phase) => ({ do: 'poll', bar, phase, body: [SOMETHING] }),
  parity: (bar, phase) => ({ do: 'waitParity', bar, bit: phase & 1 }),
  row: (bar, phase, times) => row(bar, phase, 2 * times, [wait(bar, phase)]),
  'gives-up': (bar, phase, times) => tried(bar, phase, times, []),
  'row-gives-up': (bar, phase, times) => row(bar, phase, 2 * times, []),
};

const side = fc.record({
  ways: fc.array(
    fc.oneof(
      { arbitrary: fc.constantFrom(...WAYS.slice(0, -2)), weight: 9 },
      fc.constantFrom(...WAYS),
    ),
    {
      minLength: 1,
      maxLength: 3,
    },
  ),
  times: fc.integer({ min: 1, max: 3 }),
  /** Tiles more or fewer than the others. */
  extra: fc.constantFrom(0, 0, 0, 0, 0, 0, 1, -1),
});

const polling = fc
  .record({
    stages: fc.integer({ min: 1, max: 2 }),
    tiles: fc.integer({ min: 1, max: 3 }),
    produces: side,
    consumes: fc.array(side, { minLength: 1, maxLength: 2 }),
    mode: fc.constantFrom('parity', 'parity', 'counter'),
  })
  .map(({ stages, tiles, produces, consumes, mode }): DullProgram => {
    const bars = upTo(stages, (at) => at);
    const waited = ({ ways, times }: typeof produces, bar: number, at: number): Statement => {
      const way = ways[at % ways.length]!;
      const isRefused = way === 'parity' && mode === 'counter';
      const phase = Math.floor(at / stages) - (bar >= stages ? 1 : 0);
      return WRITTEN[isRefused ? 'wait' : way](bar, phase, times);
    };
    const full = (at: number): number => at % stages;
    const empty = (at: number): number => stages + (at % stages);
    const producer = upTo(tiles + produces.extra, (at) => [
      waited(produces, empty(at), at),
      write(full(at)),
      arrive(full(at)),
    ]).flat();
    const consumers = consumes.map((one) =>
      role(
        upTo(tiles + one.extra, (at) => [
          waited(one, full(at), at),
          read(full(at)),
          arrive(empty(at)),
        ]).flat(),
      ),
    );
    return {
      ...EMPTY,
      barriers: [
        ...bars.map(() => ({ count: 1, mode }) as const),
        ...bars.map(() => ({ count: consumes.length, mode }) as const),
      ],
      buffers: stages,
      roles: [role(producer), ...consumers],
    };
  });

/** Half of them as they are, half with a mutation. */
export const pollProgram: fc.Arbitrary<DullProgram> = fc.oneof(
  polling.map(tidy),
  polling.chain((program) => mutation(sizesOf(program)).map((one) => tidy(mutate(program, one)))),
);
