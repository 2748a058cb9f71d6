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
import { placesOf } from '../../../core/test/system/explore.ts';

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
  assert.equal(found.message, 'math reads acc while its wgmma may still write it');
  assert.match(found.helps[0]!, /yield\* waitGroup\(UNITS\.wgmma, 0\)$/);
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
  assert.equal(own.message, 'load changes tensor map map while its copy may still use it');
  const other = await findingOf(() => roles(false));
  assert.equal(other.message, "change changes tensor map map while load's copy may still use it");
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
  assert.equal(
    near.message,
    'reduce reads sums without waitGrids() before it, and gemm, of grid first, may still write it',
  );

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
  assert.match(far.message, /: grid second does not wait for its end$/);
  assert.match(far.helps[0]!, /^let a role of grid second perform yield\* waitGrids\(\)/);
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
  assert.match(found.message, /^epilogue can write .* reads values, which has bytes in common/);
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
  assert.match(waits.message, /^add\.0 waits for add\.1, and they are not joined: load can write/);
  assert.ok(
    placesOf(waits).some((place) => place.startsWith('add.0: if (does === ')),
    'the wait of the other strand is a place',
  );
  const signals = await findingOf(() => divided('signals'));
  assert.equal(signals.rule, 'unjoined-lanes');
  assert.match(signals.message, /^add\.0 signals for add\.1/);
  assert.match(signals.helps[0]!, /before the signal/);
});

test('W06: strands that all know as little are a plain race', async () => {
  const { rule } = await findingOf(() => divided('nothing'));
  assert.equal(rule, 'race');
});
