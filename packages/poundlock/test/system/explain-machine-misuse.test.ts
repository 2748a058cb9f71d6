// Misuses of registers, cluster and named barriers, explained (Q01, Q03, Q05, N03, N04, N06, X01).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '#src/check/index';
import type { Finding } from '@poundlock/core/internal/finding';
import {
  arrive,
  arriveCluster,
  barrier,
  buffer,
  kernel,
  launch,
  registers,
  role,
  setMaxRegisters,
  syncCluster,
  syncNamed,
  wait,
  waitCluster,
  write,
  type By,
  type Role,
} from '@poundlock/core';
import { placesOf, textOf } from '../../../core/test/system/explore.ts';

async function findingOf(makeRoles: () => Role[]): Promise<Finding> {
  const { findings } = await check(kernel('misuse', {}, makeRoles));
  assert.ok(findings[0] !== undefined, 'the kernel has a finding');
  return findings[0];
}

test('Q03: a number, a direction and a warp that are wrong', async () => {
  const change = (direction: 'dec' | 'inc', number: number, by: By = 'all'): Role[] => {
    registers({ perThread: 168, threads: 128 });
    return [
      role('math', { warps: 4 }, function* () {
        yield* setMaxRegisters(direction, number, { by });
      }),
    ];
  };
  const odd = await findingOf(() => change('dec', 100));
  assert.equal(odd.rule, 'register-misuse');
  assert.match(
    odd.message,
    /^math wants 100 registers per thread, .* multiples of 8 from 24 to 256/,
  );
  const down = await findingOf(() => change('inc', 160));
  assert.match(down.message, /^math has 168 registers .*\('inc', 160\), and inc only goes up$/);
  const up = await findingOf(() => change('dec', 176));
  assert.match(up.message, /and dec only goes down$/);
  const alone = await findingOf(() => change('dec', 24, { warp: 1 }));
  assert.match(
    alone.message,
    /^only math\.1 changes its registers, with 32 of the 128 .*: math\.0\+2-3 must do so/,
  );
});

test('Q01: registers that no role takes', async () => {
  const found = await findingOf(() => {
    registers({ perThread: 128, threads: 256 });
    return [
      role('load', { warps: 4 }, function* () {
        yield* setMaxRegisters('dec', 24);
      }),
      role('math', { warps: 4 }, function* () {
        yield* setMaxRegisters('inc', 216);
      }),
    ];
  });
  assert.equal(found.rule, 'unused-registers');
  assert.match(found.message, /^the roles hold 30,720 of 32,768 registers after all changes/);
  assert.match(textOf(found), /math has 27,648 registers: 216 in each of 128 threads/);
});

test('Q05: too few registers for all, and a role that gives them back too late', async () => {
  const roles = (perThread: number, isLate: boolean): Role[] => {
    registers({ perThread, threads: 256 });
    const ready = barrier('ready');
    return [
      role('load', { warps: 4 }, function* () {
        if (isLate) yield* wait(ready, 0);
        yield* setMaxRegisters('dec', 24);
      }),
      role('math', { warps: 4 }, function* () {
        yield* setMaxRegisters('inc', 232);
        arrive(ready);
      }),
    ];
  };
  const few = await findingOf(() => roles(120, false));
  assert.equal(few.rule, 'register-deadlock');
  assert.match(few.message, /^math waits for 14,336 registers, .* no role will give any back$/);
  assert.match(few.helps[0]!, /at most 120 × 256 = 30,720$/);
  const late = await findingOf(() => roles(128, true));
  assert.equal(late.rule, 'register-deadlock');
  assert.match(late.message, /and load, which would give some back, waits itself$/);
  assert.match(late.helps[0]!, /^let load give its registers back before it waits$/);
});

test('N06: an arrival too many, and a wait too many', async () => {
  const twice = await findingOf(() => [
    role('mma', function* () {
      arriveCluster();
      arriveCluster();
      yield* waitCluster();
    }),
  ]);
  assert.equal(twice.rule, 'cluster-barrier-misuse');
  assert.match(twice.message, /^mma arrives at the cluster barrier twice/);
  assert.equal(placesOf(twice).length, 2);
  const unmet = await findingOf(() => [
    role('mma', function* () {
      yield* waitCluster();
    }),
  ]);
  assert.match(unmet.message, /^mma waits for the cluster barrier without an arrival/);
});

test('N03, N04: half a warp, and a count that is no warp', async () => {
  const half = { lanes: Array.from({ length: 16 }, (_, lane) => lane) };
  const divergent = await findingOf(() => [
    role('store', { strands: 'lanes' }, function* () {
      yield* syncNamed(3, 64, { by: half, aligned: true });
    }),
  ]);
  assert.equal(divergent.rule, 'divergent-barrier');
  assert.match(divergent.message, /aligned named barrier 3 with 16 lanes of a warp/);
  const odd = await findingOf(() => [
    role('store', { warps: 4 }, function* () {
      yield* syncNamed(3, 100, { aligned: true });
    }),
  ]);
  assert.equal(odd.rule, 'misaligned-barrier-count');
  assert.match(odd.message, /^named barrier 3 counts 100 threads/);
});

test('X01: a CTA that may not have begun', async () => {
  const found = await findingOf(() => {
    launch({ begin: 'apart' });
    const halo = buffer('halo');
    return [
      role('send', function* () {
        write(halo, { cta: 1 });
        yield* syncCluster();
      }),
      role('receive', { cta: 1 }, function* () {
        yield* syncCluster();
      }),
    ];
  });
  assert.equal(found.rule, 'cta-not-begun');
  assert.match(textOf(found), /^send reaches into CTA 1, and nothing lets it wait/);
});
