// What a launch file allows beside the requested launch is tried, too: values and other launches.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InputError } from '@poundlock/core/internal/base';
import { check } from '../accepting.ts';
import { allowedSizes } from '#src/check/sizes/surroundings';
import { ptxKernel, type PtxKernelOptions } from 'poundlock/ptx';
import { kernelText } from '../../../ptx/test/kernel-text.ts';

/** Two warps meet `n` times; the second one not at all if `n` is `without`. */
const TEXT = (without: number): string =>
  kernelText(
    '.reg .b32 %r<6>; .reg .pred %p<4>;',
    `ld.param.u32 %r1, [n]; mov.u32 %r0, %tid.x; mov.u32 %r2, 0;
     setp.lt.u32 %p0, %r0, 32; @%p0 bra LOOP; setp.eq.u32 %p1, %r1, ${without}; @%p1 bra END;
     LOOP: setp.ge.u32 %p2, %r2, %r1; @%p2 bra END; bar.sync 0, 64; add.u32 %r2, %r2, 1; bra LOOP;
     END: ret;`,
    '.param .u32 n',
  );

function launchOf(value: number, vary?: unknown): object {
  return {
    grid: [1, 1, 1],
    block: [64, 1, 1],
    params: [
      { kind: 'scalar', type: 'i32', name: 'n', value, ...(vary === undefined ? {} : { vary }) },
    ],
  };
}

function kernelOf(without: number, launch: object, more: Partial<PtxKernelOptions> = {}) {
  return ptxKernel({
    ptx: { file: 'kernel.ptx', text: TEXT(without) },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
    ...more,
  });
}

test('a number without the field vary has no other value', async () => {
  const { verdict, scope, coverage } = await check(kernelOf(3, launchOf(2)));
  assert.deepEqual([verdict, scope.sizes, coverage?.sizes], ['certified', [], 1]);
});

test('an error at a value that the launch file allows names it', async () => {
  const kernel = kernelOf(3, launchOf(2, { from: 0, to: 8 }));
  const { verdict, findings } = await check(kernel);
  assert.equal(verdict, 'counterexample');
  assert.match(findings[0]!.message, /^at n=3 \(requested: n=2\): /);
  assert.match(findings[0]!.notes.at(-1)!, /^it needs n=3: n=2 itself is certified; /);
  assert.deepEqual(findings[0]!.params, { n: 3 });
  const { verdict: own } = await check(kernel, { sizes: 'requested' });
  assert.equal(own, 'certified');
});

test('a value that the launch file excludes is not tried', async () => {
  const { verdict, scope } = await check(kernelOf(3, launchOf(2, { from: 0, to: 2 })));
  assert.equal(verdict, 'certified');
  assert.deepEqual(scope.sizes[0], { parameter: 'n', certified: [0, 1], refused: [], open: [] });
});

test('coverage is of all sizes together, and missed instructions have their lines', async () => {
  const at0 = await check(kernelOf(-1, launchOf(0)));
  assert.equal(at0.coverage?.synchronizingReached, 0);
  assert.deepEqual(
    at0.coverage?.missed.map(({ opcode, ptxLine }) => [opcode, ptxLine]),
    [['bar.sync', 9]],
  );
  const around = await check(kernelOf(-1, launchOf(0, [0, 1, 5])));
  const { sizes, synchronizingReached, missed } = around.coverage!;
  assert.deepEqual([sizes, synchronizingReached, missed], [3, 1, []]);
});

test('all launches of a file are tried, and of the files beside it', async () => {
  const first = { launches: [launchOf(2), launchOf(4)] };
  const beside = { file: 'launch-2.json', text: JSON.stringify(launchOf(3)) };
  const right = await check(kernelOf(-1, first, { otherLaunches: [beside] }));
  assert.deepEqual(right.scope.launches, [
    { file: 'launch.json', index: 1, verdict: 'certified' },
    { file: 'launch-2.json', index: 0, verdict: 'certified' },
  ]);
  assert.equal(right.coverage?.sizes, 3);
  const wrong = await check(kernelOf(3, first, { otherLaunches: [beside] }));
  assert.equal(wrong.verdict, 'counterexample');
  assert.match(wrong.findings[0]!.message, /^at launch-2\.json: /);
  assert.deepEqual(wrong.findings[0]!.launch, { file: 'launch-2.json', index: 0 });
  const one = await check(kernelOf(4, first, { launchIndex: 0, otherLaunches: [beside] }));
  assert.equal(one.verdict, 'certified');
});

test('values are counted in steps from the least one', () => {
  const allowed = { parameter: 'k', least: 64, most: 1024, step: 64, listed: null };
  const sizes = allowedSizes(allowed, 256, [3]);
  assert.deepEqual(
    sizes.toSorted((a, b) => a - b),
    [64, 128, 192, 320, 448],
  );
  const odd = { parameter: 'k', least: 1, most: 9, step: 2, listed: null };
  assert.deepEqual(
    allowedSizes(odd, 5, []).filter((one) => one % 2 === 0),
    [],
  );
});

test('a field vary that cannot be read is one line', () => {
  for (const [vary, message] of [
    [{ from: 3, to: 2 }, /launch\.json: 'params\[0\]\.vary' ends at 2, before it begins at 3$/],
    [{ step: 0 }, /'params\[0\]\.vary\.step' has to be a whole number from 1/],
    ['any', /'params\[0\]\.vary' has to be an object$/],
    [[0.5], /'params\[0\]\.vary\[0\]' has to be a whole number/],
  ] as const)
    assert.throws(
      () => kernelOf(-1, launchOf(2, vary)),
      (error) => error instanceof InputError && message.test(error.message),
    );
});

test('launches that are not tried are said to be undecided', async () => {
  const launches = Array.from({ length: 70 }, (_, index) => launchOf(index % 5));
  const { verdict, scope } = await check(kernelOf(9, { launches }));
  // Each of them was named.
  assert.equal(verdict, 'inconclusive');
  assert.equal(scope.launches!.length, 65);
  const { verdict: last, index, reason } = scope.launches!.at(-1)!;
  assert.deepEqual([last, index], ['inconclusive', 65]);
  assert.match(reason!, /^64 launches were tried before it and those after it$/);
});
