// Registers: what warps give back, what is left for others, and what is a misuse (Q01-Q03).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { Fault } from '#src/machine/index';
import { OpKind } from '#src/op/index';
import { Bench } from './bench.ts';

const WARPGROUP = 128;
const PER_THREAD = 168;

/** Two warpgroups, and as many threads without a role as `threads` says beside them. */
const bench = (threads = 2 * WARPGROUP): Bench => {
  const registers = { perThread: PER_THREAD, threads, roles: [WARPGROUP, WARPGROUP] };
  return new Bench({ roleCtas: [0, 0], registers });
};

const to = (role: number, units: number, threads = WARPGROUP) => ({ role, units, threads });

test('Q01: each role has what the launch gave it, and the CTA what no role has', () => {
  const { machine, words } = bench(3 * WARPGROUP);
  assert.equal(machine.registers.held(words, 0), PER_THREAD);
  assert.equal(machine.registers.free(words, 0), WARPGROUP * PER_THREAD);
});

test('Q02: what one role gives another one can take', () => {
  const one = bench();
  const { machine, words } = one;
  assert.ok(!one.enabled(OpKind.takeRegisters, to(1, 240)));
  assert.equal(one.faultOf(OpKind.giveRegisters, to(0, 24)), Fault.none);
  assert.equal(machine.registers.free(words, 0), (PER_THREAD - 24) * WARPGROUP);
  assert.ok(one.enabled(OpKind.takeRegisters, to(1, 240)));
  assert.equal(one.faultOf(OpKind.takeRegisters, to(1, 240)), Fault.none);
  assert.equal(machine.registers.held(words, 1), 240);
  assert.equal(machine.registers.free(words, 0), (2 * PER_THREAD - 24 - 240) * WARPGROUP);
});

test('Q02: a role can take no more than is free', () => {
  const one = bench();
  one.issue(OpKind.giveRegisters, to(0, 104));
  assert.ok(one.enabled(OpKind.takeRegisters, to(1, 232)));
  assert.ok(!one.enabled(OpKind.takeRegisters, to(1, 240)));
});

test('Q03: other numbers, other directions and parts of a warpgroup are misuses', () => {
  const odd = [
    [OpKind.giveRegisters, to(0, 16)],
    [OpKind.giveRegisters, to(0, 100)],
    [OpKind.giveRegisters, to(0, 240)],
    [OpKind.giveRegisters, { ...to(0, 24, 32), isDivergent: true }],
    [OpKind.takeRegisters, to(0, 24)],
    [OpKind.takeRegisters, to(0, 160)],
  ] as const;
  for (const [kind, fields] of odd) {
    const one = bench();
    assert.ok(one.enabled(kind, fields), 'a misuse does not block');
    assert.equal(one.faultOf(kind, fields), Fault.registerMisuse);
    assert.equal(one.machine.registers.held(one.words, 0), PER_THREAD, 'and changes nothing');
  }
});

test('Q02, property: no register is lost, and none is made', () => {
  const change = fc.record({ role: fc.nat(1), units: fc.integer({ min: 3, max: 32 }) });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 20 }), (changes) => {
      const one = bench(3 * WARPGROUP);
      const { registers } = one.machine;
      for (const { role, units: eighths } of changes) {
        const fields = to(role, eighths * 8);
        const isMore = fields.units > registers.held(one.words, role);
        const kind = isMore ? OpKind.takeRegisters : OpKind.giveRegisters;
        if (!one.enabled(kind, fields)) continue;
        assert.equal(one.faultOf(kind, fields), Fault.none);
        const held = [0, 1].map((each) => registers.held(one.words, each) * WARPGROUP);
        const free = registers.free(one.words, 0);
        assert.ok(free >= 0);
        assert.equal(held[0]! + held[1]! + free, 3 * WARPGROUP * PER_THREAD);
      }
    }),
  );
});
