// A step after which a role cannot be unfolded gives the same error whenever it is followed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arrive, barrier, kernel, loop, role, tryWait, wait, type Barrier } from '#src/public';
import { InputError } from '#src/base/index';
import { Program, Unfolding } from '#src/program/index';
import { System } from '#src/system/index';

const TOO_LOW = -(2 ** 31);

/** A loop whose first round is no operation. */
function* poll(done: Barrier) {
  yield* loop(0, function* () {
    yield* tryWait(done, TOO_LOW);
    return 0;
  });
}

/** Role bodies that fail after none, one and two operations that do not wait. */
const BODIES = {
  'at its start': (done: Barrier) => poll(done),
  'after an operation': function* (done: Barrier) {
    arrive(done);
    yield* poll(done);
  },
  'after two operations': function* (done: Barrier) {
    arrive(done);
    arrive(done);
    yield* poll(done);
  },
  'in a second loop': function* (done: Barrier) {
    yield* loop(0, function* () {
      arrive(done);
      yield* poll(done);
      return 0;
    });
  },
};

for (const [where, body] of Object.entries(BODIES)) {
  test(`a role that cannot be unfolded ${where} fails again and again`, () => {
    const program = new Program(
      kernel('broken', {}, () => {
        const done = barrier('done', { count: 2 });
        const first = role('first', function* () {
          yield* wait(done, -1);
          yield* body(done);
        });
        return [first];
      }),
    );
    const { machine } = new System(program, (of, its) => new Unfolding(of, its));
    const unfolding = new Unfolding(program, machine);
    const start = unfolding.entry(0);
    for (let attempt = 0; attempt < 3; attempt++) {
      assert.throws(
        () => followed(unfolding, start),
        (error) => {
          assert.ok(error instanceof InputError);
          assert.match(error.message, /the phase of tryWait\(\)/);
          return true;
        },
      );
    }
  });
}

/** Follows a role to its end; a step that is none is a bug. */
function followed(unfolding: Unfolding, start: number): void {
  let step = start;
  for (let count = 0; count < 10; count++) {
    assert.ok(step >= 0, `step ${step} after ${count}`);
    step = unfolding.follow(step, 0);
  }
}
