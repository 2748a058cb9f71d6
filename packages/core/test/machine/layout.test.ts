// Where the machine keeps its words, and what they are before the first step.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { BARRIER_WORDS, NAMED_BARRIERS, physical, type MachineShape } from '#src/machine/index';
import { layOut, UNINITIALIZED } from '#src/machine/layout';
import { barriersOf, Bench, wholeGrid } from './bench.ts';

const shapes: fc.Arbitrary<MachineShape> = fc
  .record({
    ctas: fc.integer({ min: 1, max: 3 }),
    roles: fc.integer({ min: 1, max: 5 }),
    barriers: fc.nat(4),
    cells: fc.nat(3),
    buffers: fc.nat(4),
    pools: fc.nat(2),
  })
  .map(({ ctas, roles, barriers, cells, buffers, pools }) => ({
    ctas,
    roleCtas: Array.from({ length: roles }, (_, role) => role % ctas),
    barriers: barriersOf(Array.from({ length: barriers }, () => 1)),
    cells: Array.from({ length: cells }, () => 0),
    buffers,
    named: NAMED_BARRIERS,
    grids: [wholeGrid(ctas)],
    globals: [],
    registers: null,
    pools: Array.from({ length: pools }, () => ({ capacity: 1, buffers: [] })),
  }));

test('property: the parts follow each other without a gap, the flights last', () => {
  fc.assert(
    fc.property(shapes, fc.nat(50), (shape, base) => {
      const at = layOut(shape, base);
      const { ctas } = shape;
      assert.equal(at.barriers, base);
      assert.equal(at.cells - at.barriers, shape.barriers.length * ctas * BARRIER_WORDS);
      assert.equal(at.ctas - at.cells, shape.cells.length * ctas);
      assert.equal(at.named - at.ctas, ctas * 2);
      assert.equal(at.sync - at.named, ctas * NAMED_BARRIERS * 2);
      assert.equal(at.cluster - at.sync, shape.roleCtas.length);
      assert.equal(at.launched - at.cluster, shape.roleCtas.length);
      assert.equal(at.registers - at.launched, 0, 'launches have words only with several grids');
      assert.equal(at.pools - at.registers, 0, 'registers have words only where they are declared');
      assert.equal(at.buffers - at.pools, shape.pools.length * ctas * 2);
      const words = shape.pools.length > 0 ? shape.buffers * ctas : 0;
      assert.equal(at.flights - at.buffers, words, 'buffers have words only where there are pools');
    }),
  );
});

test('property: physical ids are dense, and each is of one declaration in one CTA', () => {
  fc.assert(
    fc.property(shapes, fc.integer({ min: 1, max: 5 }), (shape, declared) => {
      const ids = Array.from({ length: declared }, (_, id) =>
        Array.from({ length: shape.ctas }, (__, cta) => physical(shape, id, cta)),
      ).flat();
      assert.deepEqual(
        ids,
        ids.map((_, at) => at),
      );
    }),
  );
});

test('M01, C01: the first state has every declaration once in each CTA', () => {
  const parts = { ctas: 2, roleCtas: [0, 1, 1], barriers: barriersOf([3, 0]), cells: [7] };
  const bench = new Bench(parts, 5);
  const { machine, words } = bench;
  assert.deepEqual(bench.barrier(0), [3, 3, 0, 0]);
  assert.deepEqual(bench.barrier(1), [3, 3, 0, 0]);
  assert.equal(bench.barrier(2)[0], UNINITIALIZED);
  const { cells, ctas } = machine.layout;
  assert.deepEqual([...words.subarray(cells, cells + 2)], [7, 7]);
  // L02: no CTA has exited; one role lives in the first and two in the second.
  assert.deepEqual([...words.subarray(ctas, ctas + 4)], [0, 1, 0, 2]);
  assert.deepEqual([...words.subarray(0, 5)], [0, 0, 0, 0, 0], 'the words before are not its own');
});
