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
import { placesOf } from '../../../../core/test/system/explore.ts';
import { Sentences, wholeText } from './sentences.ts';

const shown = new Sentences('machine-misuse');

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
  shown.expect('Q03: odd', wholeText(odd));
  const down = await findingOf(() => change('inc', 160));
  shown.expect('Q03: down', wholeText(down));
  const up = await findingOf(() => change('dec', 176));
  shown.expect('Q03: up', wholeText(up));
  const alone = await findingOf(() => change('dec', 24, { warp: 1 }));
  shown.expect('Q03: alone', wholeText(alone));
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
  shown.expect('Q01: registers that no role takes', wholeText(found));
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
  shown.expect('Q05: few', wholeText(few));
  const late = await findingOf(() => roles(128, true));
  assert.equal(late.rule, 'register-deadlock');
  shown.expect('Q05: late', wholeText(late));
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
  shown.expect('N06: twice', wholeText(twice));
  assert.equal(placesOf(twice).length, 2);
  const unmet = await findingOf(() => [
    role('mma', function* () {
      yield* waitCluster();
    }),
  ]);
  shown.expect('N06: unmet', wholeText(unmet));
});

test('N03, N04: half a warp, and a count that is no warp', async () => {
  const half = { lanes: Array.from({ length: 16 }, (_, lane) => lane) };
  const divergent = await findingOf(() => [
    role('store', { strands: 'lanes' }, function* () {
      yield* syncNamed(3, 64, { by: half, aligned: true });
    }),
  ]);
  assert.equal(divergent.rule, 'divergent-barrier');
  shown.expect('N03, N04: divergent', wholeText(divergent));
  const odd = await findingOf(() => [
    role('store', { warps: 4 }, function* () {
      yield* syncNamed(3, 100, { aligned: true });
    }),
  ]);
  assert.equal(odd.rule, 'misaligned-barrier-count');
  shown.expect('N03, N04: odd', wholeText(odd));
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
  shown.expect('X01: a CTA that may not have begun', wholeText(found));
});

shown.expectNoOther();
