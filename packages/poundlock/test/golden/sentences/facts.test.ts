// Property: the numbers and names in first sentences are those of the program, counted from its plan.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { check } from '#src/check/index';
import {
  arrive,
  asyncCopy,
  barrier,
  buffer,
  kernel,
  read,
  role,
  UNITS,
  waitParity,
  type Kernel,
} from 'poundlock';

/** What one consumer does: its laps, and on how many of them it gives a stage back. */
interface ConsumerPlan {
  readonly laps: number;
  readonly lanes: number;
  readonly everyLane: boolean;
  readonly releases: boolean;
  /** The lap without a release, −1 for none. */
  readonly skips: number;
}

/** A program of one producer and several consumers over one stage. */
interface Plan {
  readonly laps: number;
  readonly count: number;
  readonly fullCount: number;
  readonly expected: number;
  readonly copies: readonly number[];
  readonly consumers: readonly ConsumerPlan[];
  readonly drains: boolean;
}

const consumerPlan: fc.Arbitrary<ConsumerPlan> = fc.record({
  laps: fc.integer({ min: 2, max: 4 }),
  lanes: fc.constantFrom(1, 2, 4),
  everyLane: fc.boolean(),
  releases: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, fc.constant(false)),
  skips: fc.oneof({ weight: 4, arbitrary: fc.constant(-1) }, fc.integer({ min: 0, max: 2 })),
});

const anyPlan: fc.Arbitrary<Plan> = fc.record({
  laps: fc.integer({ min: 2, max: 4 }),
  count: fc.integer({ min: 1, max: 5 }),
  fullCount: fc.constantFrom(1, 1, 1, 2),
  expected: fc.constantFrom(32, 64, 96, 128, 0),
  copies: fc.constantFrom([32], [64], [32, 32], []),
  consumers: fc.array(consumerPlan, { minLength: 1, maxLength: 3 }),
  drains: fc.boolean(),
});

function kernelOf(plan: Plan): Kernel {
  return kernel('planned', {}, () => {
    const full = barrier('full', { count: plan.fullCount });
    const empty = barrier('empty', { count: plan.count });
    const tiles = plan.copies.map((_, at) => buffer(`tile${at}`));
    return [
      role('load', function* () {
        for (let lap = 0; lap < plan.laps; lap++) {
          yield* waitParity(empty, (lap + 1) % 2);
          arrive(full, { bytes: plan.expected });
          for (const [at, bytes] of plan.copies.entries()) {
            asyncCopy(UNITS.tma, { into: [tiles[at]!], bar: full, bytes });
          }
        }
        if (plan.drains) yield* waitParity(empty, (plan.laps + 1) % 2);
      }),
      ...plan.consumers.map((one, at) =>
        role(`use${at}`, { lanes: one.lanes }, function* () {
          for (let lap = 0; lap < one.laps; lap++) {
            yield* waitParity(full, lap % 2);
            for (const tile of tiles) read(tile);
            if (one.releases && lap !== one.skips) arrive(empty, { everyLane: one.everyLane });
          }
        }),
      ),
    ];
  });
}

/** Arrivals of a role on a barrier: in one lap that has them, and in the whole program. */
function arrivalsOf(plan: Plan, who: string, on: string): { each: number; all: number } {
  if (who === 'load') return on === 'full' ? { each: 1, all: plan.laps } : { each: 0, all: 0 };
  const one = plan.consumers[Number(who.slice(3))]!;
  if (on !== 'empty' || !one.releases) return { each: 0, all: 0 };
  const each = one.everyLane ? one.lanes : 1;
  const laps = one.laps - (one.skips >= 0 && one.skips < one.laps ? 1 : 0);
  return { each, all: each * laps };
}

const rolesOf = (plan: Plan): string[] => ['load', ...plan.consumers.map((_, at) => `use${at}`)];
const whole = (digits: string): number => Number(digits.replaceAll(',', ''));

/** A series of roles one by one: `1 from each of use0–use2`, or `use0–use2`. */
function unfolded(sentence: string): string {
  const series = /(?:(\d+ from (?:the threads of )?)each of )?\b([a-z]+)(\d+)–\2(\d+)/g;
  return sentence.replaceAll(series, (...[, before = '', head, first, last]: string[]) => {
    const length = Number(last) - Number(first) + 1;
    const names = Array.from({ length }, (_, at) => `${before}${head}${Number(first) + at}`);
    return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  });
}

/** Every fact of a sentence, held against the plan; how many there were. */
function verify(plan: Plan, shown: string): number {
  const sentence = unfolded(shown);
  let facts = 0;
  const holds = (isTrue: boolean, what: string): void => {
    facts++;
    assert.ok(isTrue, `${what} is false: ${sentence}`);
  };
  const countOf = (on: string): number => (on === 'full' ? plan.fullCount : plan.count);

  const gets =
    /^(full|empty) counts (\d+) arrivals? in each phase and gets (?:only )?(none|\d+)(?:, from (?:the threads of )?(\w+)|: ((?:\d+ from [\w ]+?(?:, | and )?)+))?(?=$|[,;:])/;
  const found = gets.exec(sentence);
  if (found !== null) {
    const [, on, count, total, only, several] = found;
    holds(whole(count!) === countOf(on!), 'the count');
    const shares = new Map<string, number>();
    if (only !== undefined) shares.set(only, whole(total!));
    for (const [, part, who] of (several ?? '').matchAll(/(\d+) from (?:the threads of )?(\w+)/g)) {
      shares.set(who!, whole(part!));
    }
    for (const who of rolesOf(plan)) {
      const { each, all } = arrivalsOf(plan, who, on!);
      holds(all === 0 ? !shares.has(who) : shares.get(who) === each, `the share of ${who}`);
    }
  }
  for (const [, who, on] of sentence.matchAll(/(\w+) waits for \w+ and does not arrive on it/g)) {
    holds(arrivalsOf(plan, who!, on ?? 'empty').all === 0, `that ${who} never arrives`);
  }
  const bytes = /^full expects (?:only )?([\d,]+) B in each phase/.exec(sentence);
  const copied = plan.copies.reduce((sum, one) => sum + one, 0);
  if (bytes !== null) holds(whole(bytes[1]!) === plan.expected, 'the bytes that are expected');
  const copy = /([\d,]+) B are copied/.exec(sentence);
  if (copy !== null) holds(whole(copy[1]!) === copied, 'the bytes that are copied');
  const rest = /([\d,]+) B are (never copied|not expected)/.exec(sentence);
  if (rest !== null) holds(whole(rest[1]!) === Math.abs(plan.expected - copied), 'the difference');

  const waitedFor = / waits for (?:phase \d+ of )?(full|empty), which/.exec(sentence)?.[1];
  for (const [, who, times] of sentence.matchAll(/(\w+) has ended after (\d+) arrivals? on it/g)) {
    holds(arrivalsOf(plan, who!, waitedFor!).all === whole(times!), `the arrivals of ${who}`);
  }
  const lacks = /lacks \d+ of its (\d+) arrivals?/.exec(sentence);
  if (lacks !== null) holds(whole(lacks[1]!) === countOf(waitedFor!), 'the count');
  const uneven =
    /^(\w+) waits (\w+)(?: times)? for full and arrives only (\w+)(?: times)? on empty/;
  const lazy = uneven.exec(sentence);
  if (lazy !== null) {
    const times = (word: string): number => (word === 'once' ? 1 : whole(word));
    const { laps } = plan.consumers[Number(lazy[1]!.slice(3))]!;
    holds(laps === times(lazy[2]!), 'its waits');
    holds(arrivalsOf(plan, lazy[1]!, 'empty').all === times(lazy[3]!), 'its arrivals');
  }
  const missing =
    /^(\w+) waits for (\d+) phases?(?: of (\d+) arrivals?)? of (full|empty), and in all (.*) of its arrivals: (\d+) arrivals? (?:is|are) missing/;
  const short = missing.exec(sentence);
  if (short !== null) {
    const [, , phases, , on, makers, lack] = short;
    let total = 0;
    for (const [, who, own] of makers!.matchAll(/(\w+) makes (\d+)/g)) {
      total += whole(own!);
      holds(arrivalsOf(plan, who!, on!).all === whole(own!), `what ${who} makes`);
    }
    holds(whole(phases!) * countOf(on!) - total === whole(lack!), 'what is missing');
  }
  return facts;
}

test('first sentences say of a program what its plan says', async () => {
  let facts = 0;
  let wrong = 0;
  await fc.assert(
    fc.asyncProperty(anyPlan, async (plan) => {
      const { findings } = await check(kernelOf(plan));
      for (const { message, severity } of findings) {
        if (severity !== 'error') continue;
        wrong++;
        facts += verify(plan, message);
      }
    }),
    { seed: 7, numRuns: 400 },
  );
  assert.ok(facts > wrong && wrong > 200, `${facts} facts in ${wrong} sentences`);
});

test('of roles that take turns none brings too much', async () => {
  // Tile 4 is in the stage of tile 0, for which the second consumer has never waited.
  const turns = kernel('turns', {}, () => {
    const full = [0, 1, 2, 3].map((stage) => barrier(`full${stage}`, { count: 1 }));
    const empty = [0, 1, 2, 3].map((stage) => barrier(`empty${stage}`, { count: 1 }));
    const tiles = [0, 1, 2, 3].map((stage) => buffer(`tile${stage}`));
    const load = role('load', function* () {
      for (let tile = 0; tile < 7; tile++) {
        const stage = tile % 4;
        yield* waitParity(empty[stage]!, tile < 4 ? 1 : 0);
        arrive(full[stage]!, { bytes: 64 });
        asyncCopy(UNITS.tma, { into: [tiles[stage]!], bar: full[stage]!, bytes: 64 });
      }
    });
    const consumers = [0, 1, 2].map((first) =>
      role(`consumer${first}`, function* () {
        for (let tile = first; tile < 7; tile += 3) {
          yield* waitParity(full[tile % 4]!, tile < 4 ? 0 : 1);
          read(tiles[tile % 4]!);
          arrive(empty[tile % 4]!);
        }
      }),
    );
    return [load, ...consumers];
  });
  const { findings } = await check(turns);
  assert.doesNotMatch(findings[0]!.message, /in each phase and gets/);
  assert.match(findings[0]!.message, /passes on a fresh barrier/);
});
