// What is wrong with a program itself, in sentences: handles, loops, shared variables.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '#src/check/index';
import type { ScheduleRule } from '@poundlock/core/internal/finding';
import {
  arrive,
  barrier,
  end,
  kernel,
  loop,
  pipeline,
  role,
  tma,
  wait,
  type Kernel,
  type PipelineOptions,
  type Role,
} from 'poundlock';
import { loads, ringOf, type Part } from '../../pipeline/ring.ts';
import { Sentences, wholeText } from './sentences.ts';

const shown = new Sentences('program-misuse');

function shows(title: string, rule: ScheduleRule, target: Kernel): void {
  test(title, async () => {
    const { findings } = await check(target);
    assert.equal(findings[0]?.rule, rule);
    shown.expect(title, wholeText(findings[0]));
  });
}

const kernelOf = (makeRoles: () => Role[]): Kernel => kernel('program', {}, makeRoles);
const consumed = (tiles: number, consumer: Part, options: Partial<PipelineOptions> = {}): Kernel =>
  ringOf(loads(tiles), consumer, options);

shows(
  'a variable that another role changes',
  'nondeterministic-role',
  kernelOf(() => {
    const [sent, never] = [barrier('sent'), barrier('never')];
    const shared = { isLast: false };
    return [
      role('writer', function* () {
        shared.isLast = true;
        arrive(sent);
      }),
      role('reader', function* () {
        yield* wait(sent, 0);
        if (shared.isLast) yield* wait(never, 0);
      }),
    ];
  }),
);

shows(
  'loops that no role leaves',
  'deadlock',
  kernelOf(() => {
    const ring = pipeline('ring', { stages: 2, bytes: 8 });
    return [
      role('load', function* () {
        yield* loop(null, function* () {
          using slot = yield* ring.produce();
          tma.load(slot);
          return null;
        });
      }),
      role('use', function* () {
        yield* loop(null, function* () {
          using _tile = yield* ring.consume();
          return null;
        });
      }),
    ];
  }),
);

shows(
  'a role that waits has not performed an operation',
  'deadlock',
  kernelOf(() => {
    const [a, b] = [barrier('a'), barrier('b')];
    return [
      role('one', function* () {
        wait(a, 0);
        yield* wait(b, 0);
        arrive(a);
      }),
      role('two', function* () {
        yield* wait(a, 0);
        arrive(b);
      }),
    ];
  }),
);

shows(
  'a release while the counter is at another stage',
  'release-order',
  consumed(
    4,
    function* (ab) {
      const first = yield* ab.acquireConsumer();
      ab.consumerStep();
      yield* loop(0, function* (round) {
        if (round === 2) return end(null);
        yield* ab.consumerSignalAndStep();
        return round + 1;
      });
      first.release();
    },
    { stages: 4 },
  ),
);

shows(
  'a wait that is skipped for a stage that was not tried',
  'stale-try-token',
  consumed(1, function* (ab) {
    yield* ab.waitProducerIfNeeded(true);
  }),
);

shown.expectNoOther();
