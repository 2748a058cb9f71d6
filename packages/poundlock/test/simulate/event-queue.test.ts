// The queue of events hands them out in order of time, and of arrival where times are equal.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { EventQueue } from '#src/simulate/event-queue';

const SEED = 20_261_120;

test('events come in order, however they were pushed and taken', () => {
  const step = fc.record({ time: fc.integer({ min: 0, max: 9 }), take: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const queue = new EventQueue();
      let model: { readonly time: number; readonly event: number }[] = [];
      const takeOne = (): void => {
        const [next, ...rest] = model.toSorted((a, b) => a.time - b.time || a.event - b.event);
        assert.equal(queue.nextAt, next!.time);
        assert.equal(queue.pop(), next!.event);
        assert.equal(queue.now, next!.time);
        model = rest;
      };
      for (const [event, { time, take }] of steps.entries()) {
        queue.due = time;
        queue.push(event);
        model.push({ time, event });
        if (take) takeOne();
      }
      while (model.length > 0) takeOne();
      assert.equal(queue.size, 0);
    }),
    { seed: SEED },
  );
});
