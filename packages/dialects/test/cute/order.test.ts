// tier: deep
// Ordered sequences: groups take turns for ever, and a turn that is not passed on is missed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { check } from 'poundlock/check';
import { buffer, cell, end, fetchAdd, kernel, load, loop, role, store, write } from 'poundlock';
import type { Kernel } from 'poundlock';
import { cutlass, PipelineOrder } from '@poundlock/dialects/cute';
import { rulesOf } from '../../../poundlock/test/kernels.ts';

interface Shape {
  readonly depth: number;
  readonly length: number;
  readonly groupSize: number;
  readonly turns: number;
}

/** Every group writes one buffer in each of its turns. */
function takingTurns({ depth, length, groupSize, turns }: Shape): Kernel {
  return kernel('turns', {}, () => {
    const order = PipelineOrder.create('order', { depth, length, groupSize });
    const shared = Array.from({ length: depth }, (_, stage) => buffer(`shared[${stage}]`));
    return Array.from({ length }, (_, id) =>
      role(`group${id}`, { lanes: groupSize }, function* () {
        const own = order.group(id);
        for (let turn = 0; turn < turns; turn++) {
          yield* own.wait();
          write(shared[turn % depth]!);
          yield* own.arrive();
        }
      }),
    );
  });
}

test('turns exclude one another, whatever the depth and the length', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        depth: fc.integer({ min: 1, max: 3 }),
        length: fc.integer({ min: 1, max: 3 }),
        groupSize: fc.constantFrom(1, 32),
        turns: fc.nat(4),
      }),
      async (shape) => {
        for (const engine of ['certify', 'search'] as const) {
          const { verdict, findings } = await check(takingTurns(shape), { engine });
          assert.deepEqual([verdict, findings], ['certified', []], engine);
        }
      },
    ),
    { numRuns: 40 },
  );
});

test('group 0 comes first, and the others in order', async () => {
  const ordered = kernel('ordered', {}, () => {
    const order = cutlass.OrderedSequenceBarrier.create('order', {
      depth: 1,
      length: 3,
      groupSize: 1,
    });
    const ticket = cell('ticket');
    return [0, 1, 2].map((id) =>
      role(`group${id}`, function* () {
        const own = order.group(id);
        yield* own.wait();
        const mine = yield* fetchAdd(ticket, 1);
        if (mine !== id) throw new RangeError(`group ${id} came as number ${mine}`);
        yield* own.arrive();
      }),
    );
  });
  assert.equal((await check(ordered)).verdict, 'certified');
});

test('turns without a count close: endless groups have few states', async () => {
  const endless = kernel('endless', {}, () => {
    const order = PipelineOrder.create('order', { depth: 2, length: 2, groupSize: 1 });
    const stop = cell('stop');
    return [0, 1].map((id) =>
      role(`group${id}`, function* () {
        const own = order.group(id);
        yield* loop(null, function* () {
          if (id === 0 && (yield* load(stop)) === 2) return end(null);
          yield* own.wait();
          store(stop, 0);
          yield* own.arrive();
          return null;
        });
      }),
    );
  });
  const { stats, verdict } = await check(endless, { engine: 'search', maxStates: 5_000 });
  assert.equal(verdict, 'counterexample'); // no role ever ends
  assert.ok(stats.states < 500, `${stats.states} states`);
});

test('a missing group, and counts below 1, are reported', async () => {
  const options = { depth: 1, length: 2, groupSize: 1 };
  const bad = (call: () => void) => kernel('bad', {}, () => (call(), []));
  await assert.rejects(
    check(bad(() => PipelineOrder.create('order', options).group(2))),
    /order has groups 0 to 1, not 2/,
  );
  for (const wrong of [{ depth: 0 }, { length: 0 }, { groupSize: 0 }]) {
    const create = bad(() => PipelineOrder.create('order', { ...options, ...wrong }));
    await assert.rejects(check(create), /must be a whole number from 1 to \d+, not 0/);
  }
});

test('groups with different numbers of turns leave one waiting', async () => {
  const uneven = kernel('uneven', {}, () => {
    const order = PipelineOrder.create('order', { depth: 1, length: 2, groupSize: 1 });
    return [0, 1].map((id) =>
      role(`group${id}`, function* () {
        const own = order.group(id);
        for (let turn = 0; turn < 3 - 2 * id; turn++) {
          yield* own.wait();
          yield* own.arrive();
        }
      }),
    );
  });
  assert.deepEqual(await rulesOf(uneven), ['deadlock']);
});
