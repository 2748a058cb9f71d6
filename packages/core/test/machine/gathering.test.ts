// Named barriers and the cluster barrier: who goes on, who waits, and what does not fit (N01, N02).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { BLOCKED, Fault, NAMED_BARRIERS, SYNC_NONE } from '#src/machine/index';
import { OpKind } from '#src/op/index';
import { Bench } from './bench.ts';

const rolesOf = (roles: number): Bench =>
  new Bench({ roleCtas: Array.from({ length: roles }, () => 0) });

const at = (role: number, lanes: number, threads: number, target = 1) => {
  return { role, target, lanes, threads };
};

test('N01: a role waits until the count is reached, which lets every role go on', () => {
  const bench = rolesOf(2);
  assert.equal(bench.issue(OpKind.syncNamed, at(0, 32, 96)), BLOCKED);
  assert.ok(!bench.machine.isGathered(bench.words, 1));
  assert.ok(!bench.enabled(OpKind.syncNamed, at(0, 32, 96)), 'it waits');
  assert.ok(bench.enabled(OpKind.syncNamed, at(1, 64, 96)), 'and the other may come');
  assert.equal(bench.issue(OpKind.syncNamed, at(1, 64, 96)), 0);
  assert.ok(bench.machine.isGathered(bench.words, 1));
  assert.ok(bench.enabled(OpKind.syncNamed, at(0, 32, 96)), 'it is released');
  assert.equal(bench.issue(OpKind.syncNamed, at(0, 32, 96)), 0, 'and goes on');
  assert.equal(bench.words[bench.machine.layout.sync], SYNC_NONE);
  assert.equal(bench.machine.fault, Fault.none);
});

test('N01: arriving goes on at once, and the last arrival releases those that wait', () => {
  const bench = rolesOf(2);
  assert.equal(bench.issue(OpKind.syncNamed, at(0, 32, 64)), BLOCKED);
  assert.equal(bench.issue(OpKind.arriveNamed, at(1, 32, 64)), 0);
  assert.ok(bench.enabled(OpKind.syncNamed, at(0, 32, 64)));
  const alone = rolesOf(1);
  assert.equal(alone.issue(OpKind.arriveNamed, at(0, 32, 64)), 0);
  assert.ok(!alone.machine.isGathered(alone.words, 1), 'half of it has come');
});

test('N01: barriers with other numbers are not concerned', () => {
  const bench = rolesOf(3);
  assert.equal(bench.issue(OpKind.syncNamed, at(0, 1, 2, 3)), BLOCKED);
  assert.equal(bench.issue(OpKind.syncNamed, at(1, 1, 2, 4)), BLOCKED);
  assert.equal(bench.issue(OpKind.syncNamed, at(2, 1, 2, 3)), 0);
  assert.ok(bench.enabled(OpKind.syncNamed, at(0, 1, 2, 3)));
  assert.ok(!bench.enabled(OpKind.syncNamed, at(1, 1, 2, 4)));
});

test('N01: different counts at one time are a mismatch, one after the other are not', () => {
  const bench = rolesOf(2);
  bench.issue(OpKind.arriveNamed, at(0, 32, 64));
  assert.equal(bench.faultOf(OpKind.syncNamed, at(1, 32, 96)), Fault.namedBarrierMismatch);
  assert.equal(bench.machine.faultAt, 1);
  const later = rolesOf(2);
  later.issue(OpKind.arriveNamed, at(0, 64, 64));
  assert.equal(later.faultOf(OpKind.arriveNamed, at(1, 32, 32)), Fault.none);
});

test('N01: more threads than the count are a mismatch, by one thread as by many', () => {
  const byOne = rolesOf(2);
  byOne.issue(OpKind.arriveNamed, at(0, 1, 2));
  assert.equal(byOne.faultOf(OpKind.arriveNamed, at(1, 2, 2)), Fault.namedBarrierMismatch);
  const bench = rolesOf(2);
  bench.issue(OpKind.arriveNamed, at(0, 48, 64));
  assert.equal(bench.faultOf(OpKind.arriveNamed, at(1, 32, 64)), Fault.namedBarrierMismatch);
});

test('N01: the same number in another CTA is another barrier', () => {
  const bench = new Bench({ ctas: 2, roleCtas: [0, 1] });
  assert.equal(bench.issue(OpKind.syncNamed, at(0, 1, 2, 5)), BLOCKED);
  assert.equal(bench.issue(OpKind.syncNamed, at(1, 1, 2, NAMED_BARRIERS + 5)), BLOCKED);
});

test('N01, property: in any order of roles, all meet at their last one', () => {
  const lanes = fc.array(fc.integer({ min: 1, max: 128 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(lanes, fc.integer({ min: 1, max: 3 }), (all, rounds) => {
      const bench = rolesOf(all.length);
      const threads = all.reduce((sum, one) => sum + one, 0);
      for (let round = 0; round < rounds; round++) {
        const answers = all.map((own, role) =>
          bench.issue(OpKind.syncNamed, at(role, own, threads)),
        );
        assert.deepEqual(answers, [...all.slice(1).map(() => BLOCKED), 0]);
        for (let role = 0; role < all.length - 1; role++) {
          assert.equal(bench.issue(OpKind.syncNamed, at(role, all[role]!, threads)), 0);
        }
        assert.equal(bench.machine.fault, Fault.none);
      }
    }),
  );
});

test('N02: the cluster barrier waits for every role of every CTA', () => {
  const bench = new Bench({ ctas: 2, roleCtas: [0, 1, 1] });
  assert.equal(bench.issue(OpKind.syncCluster, { role: 0 }), BLOCKED);
  assert.equal(bench.issue(OpKind.syncCluster, { role: 1 }), BLOCKED);
  assert.ok(!bench.enabled(OpKind.syncCluster, { role: 0 }));
  assert.equal(bench.issue(OpKind.syncCluster, { role: 2 }), 0);
  for (const role of [0, 1]) {
    assert.ok(bench.enabled(OpKind.syncCluster, { role }));
    assert.equal(bench.issue(OpKind.syncCluster, { role }), 0);
  }
  assert.equal(bench.issue(OpKind.syncCluster, { role: 2 }), BLOCKED, 'the next round begins');
});

test('N02: a role that ended before is a divergent exit, whichever comes first', () => {
  const before = new Bench({ roleCtas: [0, 0] });
  before.machine.endRole(before.words, 1);
  assert.equal(before.machine.fault, Fault.none);
  assert.equal(before.faultOf(OpKind.syncCluster, { role: 0 }), Fault.divergentExit);
  const after = new Bench({ roleCtas: [0, 0] });
  assert.equal(after.faultOf(OpKind.syncCluster, { role: 0 }), Fault.none);
  after.machine.endRole(after.words, 1);
  assert.equal(after.machine.fault, Fault.divergentExit);
  assert.equal(after.machine.faultAt, 1);
});

test('N02: the cluster barrier, which has no number, counts as gathered', () => {
  const bench = rolesOf(2);
  bench.issue(OpKind.syncCluster, { role: 0 });
  assert.ok(bench.machine.isGathered(bench.words, -1));
});
