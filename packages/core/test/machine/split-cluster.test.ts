// The cluster barrier in two halves: who has arrived, who may go on, and what is a misuse (N07).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault } from '#src/machine/index';
import { OpKind } from '#src/op/index';
import { Bench } from './bench.ts';

const pair = (): Bench => new Bench({ roleCtas: [0, 0] });

test('N07: an arrival goes on at once, and a wait until all roles have arrived', () => {
  const bench = pair();
  assert.equal(bench.faultOf(OpKind.arriveCluster, { role: 0 }), Fault.none);
  assert.ok(!bench.enabled(OpKind.waitCluster, { role: 0 }));
  assert.equal(bench.faultOf(OpKind.arriveCluster, { role: 1 }), Fault.none);
  for (const role of [0, 1]) {
    assert.ok(bench.enabled(OpKind.waitCluster, { role }));
    assert.equal(bench.faultOf(OpKind.waitCluster, { role }), Fault.none);
  }
});

test('N07: generations follow each other, though not all roles have left the last one', () => {
  const bench = pair();
  for (const role of [0, 1]) bench.issue(OpKind.arriveCluster, { role });
  bench.issue(OpKind.waitCluster, { role: 0 });
  assert.equal(bench.faultOf(OpKind.arriveCluster, { role: 0 }), Fault.none);
  assert.ok(!bench.enabled(OpKind.waitCluster, { role: 0 }), 'the other has not come again');
  assert.ok(bench.enabled(OpKind.waitCluster, { role: 1 }), 'which may still leave');
  bench.issue(OpKind.waitCluster, { role: 1 });
  bench.issue(OpKind.arriveCluster, { role: 1 });
  assert.ok(bench.enabled(OpKind.waitCluster, { role: 0 }));
});

test('N06: a second arrival, and a wait without one, are misuses that do not block', () => {
  const twice = pair();
  twice.issue(OpKind.arriveCluster);
  assert.equal(twice.faultOf(OpKind.arriveCluster), Fault.clusterMisuse);
  const alone = pair();
  assert.ok(alone.enabled(OpKind.waitCluster));
  assert.equal(alone.faultOf(OpKind.waitCluster), Fault.clusterMisuse);
  assert.equal(alone.machine.faultAt, 0);
});

test('N06: a role that has ended counts as arrived, whichever comes first', () => {
  const after = pair();
  after.machine.endRole(after.words, 1);
  after.issue(OpKind.arriveCluster);
  assert.ok(after.enabled(OpKind.waitCluster));
  const before = pair();
  before.issue(OpKind.arriveCluster);
  before.machine.endRole(before.words, 1);
  assert.equal(before.machine.fault, Fault.none);
  assert.ok(before.enabled(OpKind.waitCluster));
});

test('N07: the two kinds of cluster barriers do not count for one another', () => {
  const bench = pair();
  bench.issue(OpKind.syncCluster, { role: 0 });
  bench.issue(OpKind.arriveCluster, { role: 1 });
  assert.ok(!bench.enabled(OpKind.waitCluster, { role: 1 }));
});

test('N07: each grid is a cluster of its own', () => {
  const grids = [
    { first: 0, end: 1 },
    { first: 1, end: 2 },
  ];
  const bench = new Bench({ ctas: 2, roleCtas: [0, 1], grids });
  bench.issue(OpKind.arriveCluster, { role: 1 });
  assert.ok(bench.enabled(OpKind.waitCluster, { role: 1 }));
  bench.issue(OpKind.syncCluster, { role: 0 });
  assert.ok(bench.enabled(OpKind.syncCluster, { role: 0 }), 'and so for the whole barrier');
});
