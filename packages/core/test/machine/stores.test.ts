// Stores, which have read their source before all is written, and added arrivals (G02, U08).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault, FlightKind, type Flight } from '#src/machine/index';
import { OpKind } from '#src/op/index';
import { barriersOf, Bench } from './bench.ts';

/** The units of a store: one that writes, and one that stands for what it reads. */
const WRITES = 0;
const READS = 1;
const NOTHING: Flight = {
  kind: FlightKind.copy,
  role: 0,
  cta: 0,
  unit: WRITES,
  inOrder: false,
  barrier: -1,
  bytes: 0,
  cell: -1,
  value: 0,
  cycles: 0,
  reads: [],
  writes: [],
  proxy: 'async',
  mayOutlive: false,
};

/** Starts a store of buffer 0 to buffer 1, in a group of its own. */
function store(bench: Bench): void {
  const { flights } = bench.machine;
  const parts = [
    { ...NOTHING, kind: FlightKind.use, unit: READS, reads: [0] },
    { ...NOTHING, writes: [1] },
    { ...NOTHING, kind: FlightKind.group },
    { ...NOTHING, kind: FlightKind.group, unit: READS },
  ];
  bench.issue(OpKind.asyncCopy, { flights: parts.map((one) => flights.intern(one)) });
}

/** Completes the oldest open flight of a unit. */
function land({ machine, words }: Bench, unit: number): void {
  machine.completeFlight(words, machine.openFlights.completableOf(words, unit, 0));
}

const ALL = { unit: WRITES, reading: READS, inFlight: 0 } as const;
const READ = { unit: READS, isRaw: true, inFlight: 0 } as const;

test('G02: a wait for what stores read does not wait for what they write', () => {
  const bench = new Bench({ buffers: 2 });
  store(bench);
  for (const fields of [ALL, READ]) assert.ok(!bench.enabled(OpKind.waitGroup, fields));
  land(bench, READS);
  assert.ok(bench.enabled(OpKind.waitGroup, READ));
  assert.ok(!bench.enabled(OpKind.waitGroup, ALL));
  land(bench, WRITES);
  assert.ok(bench.enabled(OpKind.waitGroup, ALL));
});

test('G02: a wait for all waits for both, in whatever order they are over', () => {
  const bench = new Bench({ buffers: 2 });
  store(bench);
  land(bench, WRITES);
  assert.ok(!bench.enabled(OpKind.waitGroup, ALL));
  land(bench, READS);
  assert.ok(bench.enabled(OpKind.waitGroup, ALL));
});

test('U04, G02: a wait may leave the newest group open, of each of the two', () => {
  const bench = new Bench({ buffers: 2 });
  store(bench);
  store(bench);
  land(bench, READS);
  assert.ok(bench.enabled(OpKind.waitGroup, { ...READ, inFlight: 1 }));
  assert.ok(!bench.enabled(OpKind.waitGroup, { ...ALL, inFlight: 1 }));
  land(bench, WRITES);
  assert.ok(bench.enabled(OpKind.waitGroup, { ...ALL, inFlight: 1 }));
  assert.ok(!bench.enabled(OpKind.waitGroup, READ));
});

test('H4: a wait of a team waits for the groups of all its members', () => {
  const bench = new Bench({ roleCtas: [0, 0], buffers: 1 });
  const { flights } = bench.machine;
  const parts = [
    { ...NOTHING, kind: FlightKind.use, role: 1, reads: [0] },
    { ...NOTHING, kind: FlightKind.group, role: 1 },
  ];
  const ids = parts.map((one) => flights.intern(one));
  bench.issue(OpKind.asyncUse, { role: 1, flights: ids });
  const wait = { unit: WRITES, inFlight: 0 };
  assert.ok(bench.enabled(OpKind.waitGroup, wait), 'without a team');
  assert.ok(!bench.enabled(OpKind.waitGroup, { ...wait, team: [0, 1] }));
  land(bench, WRITES);
  assert.ok(bench.enabled(OpKind.waitGroup, { ...wait, team: [0, 1] }));
});

/** Signals barrier 0 when all is done; the phase waits for that, too, if it is `added`. */
function signal(bench: Bench, added: boolean): void {
  const flight = { ...NOTHING, kind: FlightKind.signal, barrier: 0 };
  const flights = [bench.machine.flights.intern(flight)];
  bench.issue(OpKind.commit, { barriers: [0], flights, arrivals: Number(added) });
  assert.equal(bench.machine.fault, Fault.none);
}

test('U08: an added arrival is one that the phase waits for, and no other', () => {
  const bench = new Bench({ barriers: barriersOf([1]) });
  signal(bench, true);
  assert.deepEqual(bench.barrier(0), [1, 2, 0, 0]);
  bench.arrive(0);
  assert.deepEqual(bench.barrier(0), [1, 1, 0, 0], 'the work is not done');
  land(bench, WRITES);
  assert.deepEqual(bench.barrier(0), [1, 1, 0, 1], 'the next phase expects no more than before');
});

test('U08: without it, the arrival is one of those that are counted', () => {
  const bench = new Bench({ barriers: barriersOf([1]) });
  signal(bench, false);
  assert.deepEqual(bench.barrier(0), [1, 1, 0, 0]);
  land(bench, WRITES);
  assert.deepEqual(bench.barrier(0), [1, 1, 0, 1]);
});

test('U08: an arrival is not added to a barrier that is not there', () => {
  const bench = new Bench({ barriers: barriersOf([0]) });
  const fields = { barriers: [0], flights: [], arrivals: 1 };
  assert.equal(bench.faultOf(OpKind.commit, fields), Fault.uninitialisedBarrier);
});
