// Races with a rule of their own, explained: registers, maps, grids, bytes and strands.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '#src/check/index';
import type { Finding } from '@poundlock/core/internal/finding';
import {
  arrive,
  asyncCopy,
  asyncUse,
  barrier,
  buffer,
  grid,
  kernel,
  launchDependents,
  read,
  role,
  syncNamed,
  UNITS,
  wait,
  waitGrids,
  waitGroup,
  write,
  type Role,
} from '@poundlock/core';
import { placesOf } from '../../../../core/test/system/explore.ts';
import { Sentences, wholeText } from './sentences.ts';

const shown = new Sentences('named-races');

async function findingOf(makeRoles: () => Role[]): Promise<Finding> {
  const { findings } = await check(kernel('race', {}, makeRoles));
  assert.ok(findings[0] !== undefined, 'the kernel has a finding');
  return findings[0];
}

test('G04: registers of a wgmma that is in flight', async () => {
  const found = await findingOf(() => {
    const acc = buffer('acc', { space: 'registers' });
    return [
      role('math', { warps: 4 }, function* () {
        asyncUse(UNITS.wgmma, { writes: [acc], group: true });
        read(acc);
        yield* waitGroup(UNITS.wgmma, 0);
      }),
    ];
  });
  assert.equal(found.rule, 'register-in-flight');
  shown.expect('G04: registers of a wgmma that is in flight', wholeText(found));
});

test('V03: a tensor map of a copy that is in flight, by its own role or another one', async () => {
  const roles = (own: boolean): Role[] => {
    const [tile, full, next] = [buffer('tile'), barrier('full'), barrier('next')];
    const map = buffer('map', { space: 'tensormap' });
    return [
      role('load', function* () {
        arrive(full, { bytes: 64 });
        asyncCopy(UNITS.tma, { into: [tile], bar: full, bytes: 64, map });
        if (own) write(map);
        else arrive(next);
        yield* wait(full, 0);
      }),
      role('change', function* () {
        if (own) return;
        yield* wait(next, 0);
        write(map);
      }),
    ];
  };
  const own = await findingOf(() => roles(true));
  assert.equal(own.rule, 'tensormap-in-flight');
  shown.expect('V03: own', wholeText(own));
  const other = await findingOf(() => roles(false));
  shown.expect('V03: other', wholeText(other));
});

test('D03: grids, next to each other and with one between', async () => {
  const near = await findingOf(() => {
    const first = grid('first');
    const sums = buffer('sums', { space: 'global' });
    return [
      role('gemm', { grid: first }, function* () {
        launchDependents();
        write(sums);
      }),
      role('reduce', { grid: grid('second', { after: first }) }, function* () {
        read(sums);
      }),
    ];
  });
  assert.equal(near.rule, 'missing-grid-dependency-wait');
  shown.expect('D03: near', wholeText(near));

  const far = await findingOf(() => {
    const first = grid('first');
    const second = grid('second', { after: first });
    const sums = buffer('sums', { space: 'global' });
    return [
      role('gemm', { grid: first }, function* () {
        launchDependents();
        write(sums);
      }),
      role('between', { grid: second }, function* () {
        launchDependents();
      }),
      role('reduce', { grid: grid('third', { after: second }) }, function* () {
        yield* waitGrids();
        read(sums);
      }),
    ];
  });
  shown.expect('D03: far', wholeText(far));
});

test('B02: two buffers with bytes in common, each by its own name', async () => {
  const found = await findingOf(() => {
    const values = buffer('values', { at: 0, bytes: 128 });
    const out = values.slice(64, 64);
    return [
      role('mma', function* () {
        asyncUse(UNITS.mma, { reads: [values] });
      }),
      role('epilogue', function* () {
        write(out);
      }),
    ];
  });
  assert.equal(found.rule, 'aliased-buffers');
  shown.expect('B02: two buffers with bytes in common, each by its own name', wholeText(found));
});

/** Two warps of which the first one waits, or signals, alone. */
function divided(does: 'waits' | 'signals' | 'nothing'): Role[] {
  const [tile, full] = [buffer('tile'), barrier('full')];
  return [
    role('add', { warps: 2 }, function* () {
      if (does === 'waits') yield* wait(full, 0, { by: { warp: 0 } });
      if (does === 'nothing') yield* syncNamed(1, 32, { by: { warp: 0 } });
      read(tile);
      if (does === 'signals') arrive(full, { by: { warp: 0 } });
      yield* syncNamed(2, 64);
    }),
    role('load', function* () {
      if (does === 'signals') yield* wait(full, 0);
      write(tile);
      if (does === 'waits') arrive(full);
    }),
  ];
}

test('W06: a strand that waits, and one that signals, for others without a join', async () => {
  const waits = await findingOf(() => divided('waits'));
  assert.equal(waits.rule, 'unjoined-lanes');
  shown.expect('W06: waits', wholeText(waits));
  assert.ok(
    placesOf(waits).some((place) => place.startsWith('add.0: if (does === ')),
    'the wait of the other strand is a place',
  );
  const signals = await findingOf(() => divided('signals'));
  assert.equal(signals.rule, 'unjoined-lanes');
  shown.expect('W06: signals', wholeText(signals));
});

test('W06: strands that all know as little are a plain race', async () => {
  const { rule } = await findingOf(() => divided('nothing'));
  assert.equal(rule, 'race');
});

shown.expectNoOther();
