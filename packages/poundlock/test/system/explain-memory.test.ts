// Memory explained: what is ordered and not known, and what would make it known (K04, S12, F01).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '#src/check/index';
import type { Finding } from '@poundlock/core/internal/finding';
import {
  arrive,
  arriveCluster,
  asyncCopy,
  asyncUse,
  barrier,
  buffer,
  commit,
  fence,
  grid,
  init,
  kernel,
  read,
  role,
  syncCluster,
  syncNamed,
  UNITS,
  wait,
  waitCluster,
  waitGroup,
  write,
  type ArriveOptions,
  type Role,
  type WaitOptions,
} from '@poundlock/core';
import { placesOf, textOf } from '../../../core/test/system/explore.ts';

/** The first finding of a kernel in a memory profile. */
async function findingOf(
  makeRoles: () => Role[],
  memory: 'practice' | 'isa' = 'practice',
): Promise<Finding> {
  const { findings } = await check(kernel('memory', {}, makeRoles), { memory });
  assert.ok(findings[0] !== undefined, 'the kernel has a finding');
  return findings[0];
}

/** A role that writes and signals, and one of another CTA that waits and reads. */
function handOver(signal: ArriveOptions, taking: WaitOptions, cta = 0): Role[] {
  const [sums, ready] = [buffer('sums'), barrier('ready')];
  return [
    role('add', { cta }, function* () {
      write(sums, { cta: 0 });
      arrive(ready, { cta: 0, ...signal });
      yield* syncCluster();
    }),
    role('store', function* () {
      yield* wait(ready, 0, taking);
      read(sums);
      yield* syncCluster();
    }),
  ];
}

test('F01: a write that a copy reads, and the thread that has to fence', async () => {
  const found = await findingOf(() => {
    const [out, ready] = [buffer('out'), barrier('ready')];
    return [
      role('math', function* () {
        write(out);
        arrive(ready);
      }),
      role('store', function* () {
        yield* wait(ready, 0);
        asyncCopy(UNITS.bulk, { reads: [out], group: true });
        yield* waitGroup(UNITS.bulk, 0);
      }),
    ];
  });
  assert.equal(found.rule, 'missing-proxy-fence');
  assert.match(found.message, /^store's store reads out .* the write of math .* no proxy fence/);
  assert.match(found.helps[0]!, /^let math execute fence\('proxy.async'\) .* before the signal$/);
  assert.deepEqual(placesOf(found), [
    'store: asyncCopy(UNITS.bulk, { reads: [out], group: true });',
    'math: write(out);',
    'math: arrive(ready);',
    'store: yield* wait(ready, 0);',
  ]);
});

test('F02: the one thread that writes and issues', async () => {
  const found = await findingOf(() => {
    const out = buffer('out');
    return [
      role('math', function* () {
        fence('proxy.async');
        write(out);
        asyncCopy(UNITS.bulk, { reads: [out], group: true });
        yield* waitGroup(UNITS.bulk, 0);
      }),
    ];
  });
  assert.match(found.helps[0]!, /after the write, before the copy or the work$/);
});

test('F03: strands that write, of which one issues', async () => {
  const found = await findingOf(() => {
    const out = buffer('out');
    return [
      role('math', { warps: 2 }, function* () {
        write(out);
        yield* syncNamed(1, 64);
        asyncCopy(UNITS.bulk, { reads: [out], group: true, by: 'one' });
        yield* waitGroup(UNITS.bulk, 0, { by: 'one' });
      }),
    ];
  });
  assert.match(found.helps[0]!, /^let math execute .* before the strands are joined$/);
});

test('S11: a relaxed arrival, and a relaxed wait', async () => {
  const arrival = await findingOf(() => handOver({ sem: 'relaxed' }, {}));
  assert.equal(arrival.rule, 'relaxed-signal');
  assert.match(arrival.message, /^store reads sums, which add wrote, after a relaxed arrival /);
  assert.match(textOf(arrival), /add signals ready here, relaxed/);
  assert.match(arrival.helps[0]!, /fence\('release'\) before it/);

  const waits = await findingOf(() => handOver({}, { sem: 'relaxed' }));
  assert.match(waits.message, /after a relaxed wait that carries no memory$/);
  assert.match(waits.helps[0]!, /fence\('acquire'\) after it/);
});

test('S12: which of the two operations has too narrow a scope', async () => {
  const [narrow, wide] = [{ scope: 'cta' }, { scope: 'cluster' }] as const;
  const both = await findingOf(() => handOver(narrow, narrow, 1));
  assert.equal(both.rule, 'scope-too-narrow');
  assert.match(both.message, /^store reads sums of CTA 0, which add wrote, after a signal of CTA/);
  assert.match(both.message, /from CTA 1 to CTA 0$/);
  assert.deepEqual(both.helps, ["give the arrival and the wait scope: 'cluster'"]);
  const arrival = await findingOf(() => handOver(narrow, wide, 1));
  assert.deepEqual(arrival.helps, ["give the arrival scope: 'cluster'"]);
  const waits = await findingOf(() => handOver(wide, narrow, 1));
  assert.deepEqual(waits.helps, ["give the wait scope: 'cluster'"]);
  assert.match(textOf(waits), /store waits for ready of CTA 0 here, at CTA scope/);
});

test('K04: a reuse without a fence, beside one that has it', async () => {
  const roles = (): Role[] => {
    const tiles = [0, 1].map((stage) => buffer(`tile[${stage}]`));
    const [taken, full] = [barrier('taken'), barrier('full')];
    return [
      role('add', function* () {
        read(tiles[0]!);
        fence('proxy.async');
        read(tiles[1]!);
        arrive(taken);
      }),
      role('load', function* () {
        yield* wait(taken, 0);
        arrive(full, { bytes: 64 });
        asyncCopy(UNITS.tma, { into: [tiles[0]!], bar: full, bytes: 32 });
        asyncCopy(UNITS.tma, { into: [tiles[1]!], bar: full, bytes: 32 });
        yield* wait(full, 0);
      }),
    ];
  };
  const uneven = await findingOf(roles);
  assert.equal(uneven.rule, 'unfenced-reuse');
  assert.match(uneven.message, /^load's copy overwrites tile\[1\] .* reuse of tile\[0\]$/);
  assert.match(textOf(uneven), /the reuse of tile\[0\] here is fenced/);
  const strict = await findingOf(roles, 'isa');
  assert.match(strict.message, /released without a proxy fence$/);
});

test('I03: an initialization that a relaxed meeting does not carry', async () => {
  const found = await findingOf(() => {
    const ready = barrier('ready', { count: 0 });
    return [
      role('setup', function* () {
        init(ready, 1);
        arriveCluster({ sem: 'relaxed' });
        yield* waitCluster();
        yield* wait(ready, 0);
      }),
      role('worker', { cta: 1 }, function* () {
        arriveCluster({ sem: 'relaxed' });
        yield* waitCluster();
        arrive(ready, { cta: 0 });
      }),
    ];
  });
  assert.equal(found.rule, 'unfenced-init');
  assert.match(found.message, /^worker uses ready of CTA 0, and the initialization by setup /);
  assert.match(textOf(found), /setup signals the cluster barrier here, relaxed/);
  assert.match(textOf(found), /worker waits for the cluster barrier here/);
});

test('V02: a tensor map that was changed', async () => {
  const found = await findingOf(() => {
    const [tile, full] = [buffer('tile'), barrier('full')];
    const map = buffer('map', { space: 'tensormap' });
    return [
      role('load', function* () {
        write(map);
        arrive(full, { bytes: 64 });
        asyncCopy(UNITS.tma, { into: [tile], bar: full, bytes: 64, map });
        yield* wait(full, 0);
      }),
    ];
  });
  assert.equal(found.rule, 'unfenced-tensormap');
  assert.match(found.message, /^load's copy uses tensor map map, and load's change of it/);
});

test('T04: tensor memory without its fences', async () => {
  const found = await findingOf(() => {
    const [acc, full] = [buffer('acc', { space: 'tmem' }), barrier('full')];
    return [
      role('mma', function* () {
        asyncUse(UNITS.tcgen05, { writes: [acc] });
        commit(UNITS.tcgen05, full);
      }),
      role('epilogue', function* () {
        yield* wait(full, 0);
        asyncUse(UNITS.tcgen05Ld, { reads: [acc] });
        yield* waitGroup(UNITS.tcgen05Ld, 0);
      }),
    ];
  }, 'isa');
  assert.equal(found.rule, 'missing-tcgen05-fence');
  assert.match(found.message, /reads acc in tensor memory after mma's tcgen05 work wrote it/);
});

test('G04: registers that were touched before a wgmma', async () => {
  const found = await findingOf(() => {
    const acc = buffer('acc', { space: 'registers' });
    return [
      role('math', { warps: 4 }, function* () {
        write(acc);
        asyncUse(UNITS.wgmma, { writes: [acc], group: true });
        yield* waitGroup(UNITS.wgmma, 0);
      }),
    ];
  }, 'isa');
  assert.equal(found.rule, 'missing-wgmma-fence');
  assert.deepEqual(placesOf(found), [
    'math: asyncUse(UNITS.wgmma, { writes: [acc], group: true });',
    'math: write(acc);',
  ]);
});

test('D03: a grid that does not wait, where the order of the accesses is known', async () => {
  const found = await findingOf(() => {
    const gemm = grid('gemm');
    const reduction = grid('reduction', { after: gemm });
    const sums = buffer('sums', { space: 'global' });
    return [
      role('epilogue', { grid: gemm }, function* () {
        write(sums);
      }),
      role('reduce', { grid: reduction }, function* () {
        read(sums);
      }),
    ];
  });
  assert.equal(found.rule, 'missing-grid-dependency-wait');
  assert.match(found.message, /^reduce reads sums without waitGrids\(\) before it, and epilogue/);
});

test('G03: a wait for groups of another strand', async () => {
  const found = await findingOf(() => {
    const out = buffer('out');
    return [
      role('store', { warps: 2 }, function* () {
        asyncCopy(UNITS.bulk, { reads: [out], group: true, by: { warp: 0 } });
        yield* syncNamed(1, 64);
        yield* waitGroup(UNITS.bulk, 0, { by: { warp: 1 } });
        write(out, { by: { warp: 1 } });
      }),
    ];
  });
  assert.equal(found.rule, 'group-of-another-thread');
  assert.match(found.message, /^store\.1 waits for .*groups that store\.0 committed/);
});
