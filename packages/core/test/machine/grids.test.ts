// Grids: when the roles of one may begin, and when the one before is over (D01, D02).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FlightKind } from '#src/machine/index';
import { OpKind } from '#src/op/index';
import { Bench } from './bench.ts';

/** A grid of two CTAs, the first of which has two roles, and one of one CTA after it. */
const chain = (): Bench => {
  const grids = [
    { first: 0, end: 2 },
    { first: 2, end: 3 },
  ];
  return new Bench({ ctas: 3, roleCtas: [0, 0, 1, 2], buffers: 1, grids, globals: [0] });
};

const BEGIN = { role: 3, isRaw: true } as const;
const OVER = { role: 3 } as const;

test('D01: a role begins when each CTA of the grid before has launched, or has ended', () => {
  const bench = chain();
  assert.ok(!bench.enabled(OpKind.waitGrids, BEGIN));
  bench.issue(OpKind.launchDependents, { role: 0 });
  assert.ok(!bench.enabled(OpKind.waitGrids, BEGIN), 'the other CTA has not');
  bench.machine.endRole(bench.words, 2);
  assert.ok(bench.enabled(OpKind.waitGrids, BEGIN));
  assert.ok(!bench.enabled(OpKind.waitGrids, OVER), 'it is not over');
});

test('D01: a CTA ends with its last role, and a second launch changes nothing', () => {
  const bench = chain();
  for (const role of [2, 2]) bench.issue(OpKind.launchDependents, { role });
  bench.machine.endRole(bench.words, 0);
  assert.ok(!bench.enabled(OpKind.waitGrids, BEGIN));
  bench.machine.endRole(bench.words, 1);
  assert.ok(bench.enabled(OpKind.waitGrids, BEGIN));
});

test('D02: a grid is over when its roles have ended, and its work is complete', () => {
  const bench = chain();
  const { machine, words } = bench;
  const flight = machine.flights.intern({
    kind: FlightKind.copy,
    role: 0,
    cta: 0,
    unit: 0,
    inOrder: false,
    barrier: -1,
    bytes: 0,
    cell: -1,
    value: 0,
    cycles: 0,
    reads: [],
    writes: [0],
    proxy: 'async',
    mayOutlive: false,
  });
  bench.issue(OpKind.asyncCopy, { flights: [flight] });
  for (const role of [0, 1, 2]) machine.endRole(words, role);
  assert.ok(bench.enabled(OpKind.waitGrids, BEGIN));
  assert.ok(!bench.enabled(OpKind.waitGrids, OVER));
  machine.completeFlight(words, 0);
  assert.ok(bench.enabled(OpKind.waitGrids, OVER));
});

test('D02: the first grid waits for nothing, and launches without dependents have no words', () => {
  const bench = chain();
  for (const isRaw of [true, false]) assert.ok(bench.enabled(OpKind.waitGrids, { isRaw }));
  const alone = new Bench({});
  alone.issue(OpKind.launchDependents);
  assert.equal(alone.machine.layout.registers, alone.machine.layout.launched);
});

test('D01, L02: global memory is there before a CTA begins, and after it has ended', () => {
  const bench = chain();
  for (const role of [0, 1]) bench.machine.endRole(bench.words, role);
  bench.issue(OpKind.read, { role: 3, reads: [0] });
  assert.equal(bench.machine.fault, 0);
});
