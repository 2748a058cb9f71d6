// The critical path goes through barriers that count roles to who came last.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arriveNamed, compute, kernel, role, syncNamed } from 'poundlock';
import { MODELS, simulate } from '#src/simulate/index';

const SLOW = 5000;

function pathOf(body: Parameters<typeof role>[2]) {
  const pair = kernel('pair', {}, () => [
    role('slow', { lanes: 32 }, body),
    role('fast', { lanes: 32, measured: true }, function* () {
      yield* syncNamed(1, 64);
      yield* compute(100);
    }),
  ]);
  const { criticalPath, totalCycles } = simulate(pair, { model: MODELS.h200 });
  const cyclesOf = (name: string) =>
    criticalPath.find((share) => share.what === 'role' && share.name === name)?.cycles ?? 0;
  return { cyclesOf, totalCycles };
}

test('a wait at a named barrier is the time of the role that came last', () => {
  const { cyclesOf, totalCycles } = pathOf(function* () {
    yield* compute(SLOW);
    yield* syncNamed(1, 64);
  });
  assert.ok(cyclesOf('slow') >= SLOW, `${cyclesOf('slow')} of ${totalCycles}`);
  assert.ok(cyclesOf('fast') < totalCycles - SLOW);
});

test('so is one that an arrival without a wait ends', () => {
  const { cyclesOf, totalCycles } = pathOf(function* () {
    yield* compute(SLOW);
    arriveNamed(1, 64);
  });
  assert.ok(cyclesOf('slow') >= SLOW, `${cyclesOf('slow')} of ${totalCycles}`);
  assert.ok(cyclesOf('fast') < totalCycles - SLOW);
});
