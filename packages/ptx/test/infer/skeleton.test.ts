// What a text shows of its launch: kinds of parameters, constants that decide, counts of barriers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NOTHING_SUPPLIED, launchDocument, skeletonOf, slotsIn } from '#src/infer/skeleton';
import type { Skeleton } from '#src/infer/skeleton';
import { parsePtx } from '#src/text/parse';
import { kernelText } from '../kernel-text.ts';

const REGISTERS = '.reg .b32 %r<16>; .reg .b64 %rd<16>; .reg .f32 %f<4>; .reg .pred %p<4>;';

function skeleton(body: string, parameters: string, declarations = ''): Skeleton {
  const text = kernelText(`${REGISTERS} ${declarations}`, `${body} ret;`, parameters);
  const module = parsePtx(text, 'kernel.ptx');
  return skeletonOf(module, module.functions.get('kernel')!, NOTHING_SUPPLIED);
}

function kindsOf(body: string, parameters: string): Record<string, string> {
  const slots = slotsIn(skeleton(body, parameters));
  return Object.fromEntries(slots.map(({ name, kind }) => [name, kind]));
}

test('an address is a pointer, and what is multiplied or compared is a number', () => {
  const body = `ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [stride]; ld.param.u32 %r1, [n];
    ld.param.f32 %f1, [scale]; cvta.to.global.u64 %rd3, %rd1; mov.u32 %r2, %tid.x;
    mad.wide.u32 %rd4, %r2, 4, %rd3; add.s64 %rd5, %rd4, %rd2; ld.global.u32 %r3, [%rd5];
    setp.lt.u32 %p1, %r2, %r1;`;
  const parameters = '.param .u64 a, .param .u64 stride, .param .u32 n, .param .f32 scale';
  assert.deepEqual(kindsOf(body, parameters), {
    a: 'pointer',
    stride: 'number',
    n: 'number',
    scale: 'float',
  });
});

test('a structure has the fields that the text reads, and the maps that it uses', () => {
  const body = `ld.param.u64 %rd1, [work+128]; ld.param.v2.u32 {%r1, %r2}, [work+136];
    ld.global.u32 %r3, [%rd1]; mov.b64 %rd2, work;
    cp.async.bulk.prefetch.tensor.1d.L2.global [%rd2, {%r1}];`;
  const parameters = '.param .align 64 .b8 work[192], .param .align 64 .b8 map[128]';
  assert.deepEqual(kindsOf(body, parameters), {
    'work+0': 'map',
    'work+128': 'pointer',
    'work+136': 'number',
    'work+140': 'number',
  });
});

test('boxes in the order of the maps have their names, where each map has one', () => {
  const body = `mov.b64 %rd1, one; mov.b64 %rd2, two;
    cp.async.bulk.prefetch.tensor.1d.L2.global [%rd1, {%r1}];
    cp.async.bulk.prefetch.tensor.1d.L2.global [%rd2, {%r1}];`;
  const parameters = '.param .align 64 .b8 one[128], .param .u32 n, .param .align 64 .b8 two[128]';
  const boxes = (boxesInOrder: (number | null)[]) => {
    const { module, entry, supplied } = skeleton(body, parameters);
    return [...skeletonOf(module, entry, { ...supplied, boxesInOrder }).supplied.boxes];
  };
  assert.deepEqual(boxes([16_384, 8192]), [
    ['one', 16_384],
    ['two', 8192],
  ]);
  assert.deepEqual(boxes([null, 8192]), [['two', 8192]]);
  assert.deepEqual(boxes([16_384]), []);
});

test('constants are values of the number: scaled back through arithmetic', () => {
  const body = `ld.param.u32 %r1, [n]; shr.u32 %r2, %r1, 2; add.u32 %r3, %r2, 1;
    setp.gt.u32 %p1, %r3, 8; and.b32 %r4, %r1, 255; mov.u32 %r6, 0;
    LOOP: add.s32 %r6, %r6, 64; setp.lt.s32 %p2, %r6, %r1; @%p2 bra LOOP;`;
  const [slot] = slotsIn(skeleton(body, '.param .u32 n'));
  assert.deepEqual(
    slot!.facts.thresholds.map(({ value }) => value),
    [28],
  );
  assert.deepEqual(
    slot!.facts.widths.map(({ value }) => value),
    [256],
  );
  assert.deepEqual(slot!.facts.strides, [64]);
});

test('barriers count threads in registers, and blocks of a cluster are named', () => {
  const shape = skeleton('mov.u32 %r1, 96; mov.u32 %r2, 1; bar.sync %r2, %r1;', '');
  assert.deepEqual(shape.facts.barrierCounts, [96]);
  assert.deepEqual([shape.block, shape.cluster?.value], [null, [1, 1, 1]]);
  const cluster = skeleton('barrier.cluster.arrive; barrier.cluster.wait;', '');
  assert.equal(cluster.cluster, null);
});

test('dynamic shared memory is what the target has beside the static bytes', () => {
  const { sharedBytes } = skeleton('mov.u32 %r2, own;', '', '.shared .b8 own[24];');
  assert.deepEqual(sharedBytes, { value: 0, from: 'text' });
  const text = kernelText(
    REGISTERS,
    '.shared .b8 own[24]; mov.u32 %r1, pool; mov.u32 %r2, own; ret;',
  );
  const module = parsePtx(
    text.replace('.visible', '.extern .shared .b8 pool[];\n.visible'),
    'a.ptx',
  );
  const own = skeletonOf(module, module.functions.get('kernel')!, NOTHING_SUPPLIED);
  assert.deepEqual(own.sharedBytes, { value: 232_448 - 24, from: 'bound' });
});

test('the document of a launch has an entry for each parameter', () => {
  const body = 'ld.param.u32 %r1, [n]; ld.param.u64 %rd1, [work+8]; ld.global.u32 %r2, [%rd1];';
  const own = skeleton(body, '.param .u32 n, .param .align 8 .b8 work[16]');
  const choice = {
    block: [64, 1, 1],
    cluster: [1, 1, 1],
    values: new Map([['n', 3]]),
  } as const;
  assert.deepEqual((launchDocument(own, choice) as { params: object }).params, [
    { kind: 'scalar', name: 'n', type: 'i32', value: 3 },
    { kind: 'struct', name: 'work', fields: [{ offset: 8, kind: 'pointer', name: 'work+8' }] },
  ]);
});
