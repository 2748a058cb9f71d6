// The clock: no role and no engine outlasts a time-out, and the reason has the line that goes on.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { arrive, barrier, cell, compute, count, end, fence, kernel, load, loop } from 'poundlock';
import { pipeline, role, store, tryWait, wait } from 'poundlock';
import { check } from '../accepting.ts';
import type { CheckOptions } from '#src/check/index';
import type { InputError } from '../../../core/src/base/index.ts';
import type { Kernel, Role } from '../../../core/src/program/index.ts';

/** A clock that counts how often it is asked, so that a slow machine changes nothing. */
function counting(looks: number): Pick<CheckOptions, 'now' | 'timeoutMs'> {
  let now = 0;
  return { now: () => ++now, timeoutMs: looks };
}

/** The line of this file that ends with a mark. */
function lineOf(mark: string): number {
  const lines = readFileSync(import.meta.filename, 'utf8').split('\n');
  return lines.findIndex((line) => line.endsWith(`// ${mark}`)) + 1;
}

const polls = (name: string, body: Role['body']): Kernel =>
  kernel(name, {}, () => [role('a', body)]);

/** Kernels with a role that goes on forever, and what the reason says. */
const ENDLESS: Readonly<Record<string, readonly [Kernel, readonly [RegExp, string, RegExp]]>> = {
  'a try between computations': [
    kernel('poll-compute', {}, () => {
      const b = barrier('b');
      return [
        role('p', function* () {
          yield* compute(5);
          arrive(b);
        }),
        role('c', function* () {
          while (!(yield* tryWait(b, 0))) yield* compute(10); // try
        }),
      ];
    }),
    [/^role c polls in line/, 'try', /loop\(null, function\* \(\) \{ … \}\)`$/],
  ],
  'a try that is given up and made again': [
    kernel('poll-claim', { items: 4 }, ({ items }) => {
      const work = pipeline('work', { stages: 4, bytes: 1024, advance: 'acquire' });
      const left = cell('left', items);
      const worker = (name: string) =>
        role(name, function* () {
          for (;;) {
            const one = yield* work.tryClaim(); // claim
            if (one) {
              one.release();
              store(left, (yield* load(left)) - 1);
            } else if ((yield* load(left)) === 0) return;
          }
        });
      const decode = role('decode', function* () {
        for (let i = 0; i < items; i++) {
          const stage = yield* work.acquireProducer();
          stage.arrive();
          stage.release();
        }
      });
      return [decode, worker('w0'), worker('w1')];
    }),
    [/^role w[01] polls in line/, 'claim', /outside of loop\(\), /],
  ],
  'a cell that is loaded again and again': [
    kernel('poll-cell', {}, () => {
      const flag = cell('flag', 0);
      const other = cell('other', 0);
      return [
        role('c', function* () {
          while ((yield* load(flag)) === 0) store(other, (yield* load(other)) + 1); // load
        }),
      ];
    }),
    [/^role c polls in line/, 'load', /outside of loop\(\), /],
  ],
  'a count that is over': [
    kernel('more', {}, () => {
      const items = count(4);
      return [
        role('a', function* () {
          while ((yield* items.more()) || true) yield* compute(1); // more
        }),
      ];
    }),
    [/^role a has performed [\d,]+ operations/, 'more', /does this loop end\?$/],
  ],
  'nothing but computing': [
    polls('compute', function* () {
      for (;;) yield* compute(1); // compute
    }),
    [/^role a has performed [\d,]+ operations/, 'compute', /does this loop end\?$/],
  ],
  'a loop() whose state grows': [
    polls('grows', function* () {
      yield* loop(0, function* (round) {
        yield* compute(1); // grows
        return round + 1;
      });
    }),
    [
      /^the loop in line/,
      'grows',
      /of role a has taken [\d,]+ different states, .* need to grow\?$/,
    ],
  ],
  'nothing but fences': [
    polls('fence', function* () {
      for (;;) {
        yield* compute(1); // fence
        fence('proxy.async');
      }
    }),
    [/^role a has performed [\d,]+ operations/, 'fence', /does this loop end\?$/],
  ],
};

const ENGINES = ['auto', 'search', 'reduced', 'certify'] as const;
/** How often each looks at the clock: all engines after one another need more looks than one. */
const LOOKS = { auto: 120, search: 40, reduced: 40, certify: 40 };

for (const [what, [endless, [who, mark, why]]] of Object.entries(ENDLESS)) {
  suite(what, () => {
    for (const engine of ENGINES) {
      test(`ends with the time-out of engine ${engine}`, async () => {
        const found = await check(endless, { engine, ...counting(LOOKS[engine]) });
        assert.equal(found.verdict, 'inconclusive');
        if (engine !== 'auto') return;
        assert.match(found.reason ?? '', who);
        assert.match(found.reason ?? '', new RegExp(` in line ${lineOf(mark)}\\b`));
        assert.match(found.reason ?? '', why);
      });
    }
  });
}

test('a loop() of computations that never ends is named with its line', async () => {
  const endless = kernel('rounds', {}, () => [
    role('a', function* () {
      yield* loop(null, function* () {
        yield* compute(1); // round
        return null;
      });
    }),
  ]);
  await assert.rejects(check(endless), ({ message, position }: InputError) => {
    assert.match(message, /role a performs 1,000,000 operations .* an infinite loop/);
    return position?.line === lineOf('round');
  });
});

test('a time-out takes no finding away that is there', async () => {
  const stuck = kernel('stuck', {}, () => {
    const b = barrier('b');
    return [
      role('c', function* () {
        yield* wait(b, 0);
      }),
    ];
  });
  const { verdict } = await check(stuck, { shrinkTries: 4, ...counting(1_000) });
  assert.equal(verdict, 'counterexample');
});

test('two checks at one time have a clock each', async () => {
  const [endless] = ENDLESS['nothing but computing']!;
  const good = kernel('good', { n: 3 }, ({ n }) => [
    role('a', function* () {
      yield* loop(0, function* (at) {
        yield* compute(1);
        return at === n ? end(null) : at + 1;
      });
    }),
  ]);
  const [one, other] = await Promise.all([check(endless, counting(60)), check(good)]);
  assert.equal(one.verdict, 'inconclusive');
  assert.equal(other.verdict, 'certified');
});
