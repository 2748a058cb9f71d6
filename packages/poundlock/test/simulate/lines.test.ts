// The lines of stalls are looked up where they are read: that runs roles again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kernel, mma, pipeline, role, tma } from 'poundlock';
import { MODELS, simulate } from 'poundlock/simulate';

test('roles run again for the lines of stalls only where these are read', () => {
  let started = 0;
  const three = kernel('three', {}, () => {
    const ab = pipeline('ab', { stages: 1, bytes: 1024 });
    return [
      role('load', function* () {
        started++;
        for (let tile = 0; tile < 3; tile++) {
          using slot = yield* ab.produce();
          tma.load(slot);
        }
      }),
      role('mma', function* () {
        for (let tile = 0; tile < 3; tile++) {
          using slot = yield* ab.consume();
          mma.issue(slot, [], { cycles: 128 });
          yield* mma.waitGroup(0);
        }
      }),
    ];
  });
  const result = simulate(three, { model: MODELS.h200 });
  const before = started;
  const { lines } = result;
  assert.ok(lines.length > 0 && started > before);
  assert.ok(lines.every(({ file }) => file?.endsWith('lines.test.ts')));
  const after = started;
  assert.equal(result.lines, lines);
  assert.deepEqual(JSON.parse(JSON.stringify(result)).lines, JSON.parse(JSON.stringify(lines)));
  assert.equal(started, after);
});
