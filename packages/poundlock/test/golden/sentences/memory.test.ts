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
import { placesOf } from '../../../../core/test/system/explore.ts';
import { Sentences, wholeText } from './sentences.ts';

const shown = new Sentences('memory');

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
  shown.expect(
    'F01: a write that a copy reads, and the thread that has to fence',
    wholeText(found),
  );
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
  shown.expect('F02: the one thread that writes and issues', wholeText(found));
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
  shown.expect('F03: strands that write, of which one issues', wholeText(found));
});

test('S11: a relaxed arrival, and a relaxed wait', async () => {
  const arrival = await findingOf(() => handOver({ sem: 'relaxed' }, {}));
  assert.equal(arrival.rule, 'relaxed-signal');
  shown.expect('S11: arrival', wholeText(arrival));

  const waits = await findingOf(() => handOver({}, { sem: 'relaxed' }));
  shown.expect('S11: waits', wholeText(waits));
});

test('S12: which of the two operations has too narrow a scope', async () => {
  const [narrow, wide] = [{ scope: 'cta' }, { scope: 'cluster' }] as const;
  const both = await findingOf(() => handOver(narrow, narrow, 1));
  assert.equal(both.rule, 'scope-too-narrow');
  shown.expect('S12: both', wholeText(both));
  const arrival = await findingOf(() => handOver(narrow, wide, 1));
  shown.expect('S12: arrival', wholeText(arrival));
  const waits = await findingOf(() => handOver(wide, narrow, 1));
  shown.expect('S12: waits', wholeText(waits));
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
  shown.expect('K04: uneven', wholeText(uneven));
  const strict = await findingOf(roles, 'isa');
  shown.expect('K04: strict', wholeText(strict));
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
  shown.expect('I03: an initialization that a relaxed meeting does not carry', wholeText(found));
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
  shown.expect('V02: a tensor map that was changed', wholeText(found));
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
  shown.expect('T04: tensor memory without its fences', wholeText(found));
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
  shown.expect(
    'D03: a grid that does not wait, where the order of the accesses is known',
    wholeText(found),
  );
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
  shown.expect('G03: a wait for groups of another strand', wholeText(found));
});

shown.expectNoOther();
