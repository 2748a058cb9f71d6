// Boxes of tensor maps that a launch does not give, and maps that no copy can read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { solveBoxes } from '#src/exec/machine/solve-boxes';
import type { UnsizedCopy } from '#src/exec/machine/machine';
import type { Step } from '#src/steps/step';
import { kernelText } from '../../kernel-text.ts';
import { runText } from './launch-of.ts';

const DECLARATIONS = `.reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .pred %p<4>;
  .shared .align 8 .b64 full; .shared .align 128 .b8 tile[4096]; .local .align 64 .b8 own[128];`;
const LOAD =
  'cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd0, {%r0}], [full];';
const WAIT = 'LOOP: mbarrier.try_wait.parity.shared::cta.b64 %p1, [full], 0; @!%p1 bra LOOP; ret;';

function load(address: string, expected = 512, copy = LOAD): string {
  return kernelText(
    DECLARATIONS,
    `${address} mov.u32 %r0, 0; mbarrier.init.shared::cta.b64 [full], 1;
     mbarrier.arrive.expect_tx.shared::cta.b64 _, [full], ${expected}; ${copy} ${WAIT}`,
    '.param .u64 map',
  );
}

const POINTER = { block: [1, 1, 1], params: [{ kind: 'pointer', bytes: 128 }] };
const POINTED = 'ld.param.u64 %rd0, [map];';

test('a box that the launch does not give is solved, which leaves the kernel undecided', () => {
  const run = runText(load(POINTED), POINTER);
  assert.deepEqual([...run.solvedBoxes.values()], [512]);
  assert.equal(run.warps[0]!.stuck, null);
  assert.match(run.undecided[0]!.text, /mistake about bytes/);
});

test('a solved box that is assumed is an assumption', () => {
  const run = runText(load(POINTED), POINTER, undefined, { assumeBoxes: true });
  assert.deepEqual(run.undecided, []);
  assert.match(run.assumptions[0]!.text, /mistake about bytes/);
});

test('bytes that no box has leave the kernel undecided, boxes assumed or not', () => {
  const run = runText(load(POINTED, 500), POINTER, undefined, { assumeBoxes: true });
  assert.match(run.undecided[0]!.text, /does not give the box/);
});

test('a store through a map without a box leaves the kernel undecided', () => {
  const store = 'cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%rd0, {%r0}], [tile]; ret;';
  const run = runText(load(POINTED, 512, store), POINTER);
  assert.match(run.undecided[0]!.text, /what is read is not known/);
});

for (const [space, address] of [
  ['local', 'mov.u64 %rd1, own; cvta.local.u64 %rd0, %rd1;'],
  ['shared', 'mov.u64 %rd1, tile; cvta.shared.u64 %rd0, %rd1;'],
] as const) {
  test(`a tensor map in ${space} memory is a fault at the copy that uses it`, () => {
    const run = runText(load(address), POINTER);
    assert.deepEqual(
      run.faults.map(({ rule }) => rule),
      ['tensor-map'],
    );
    assert.equal(run.faults[0]!.text.includes(`${space} memory`), true);
    assert.deepEqual(run.undecided, []);
  });
}

function copy(map: string, destination: number, barrier: number): UnsizedCopy {
  return { boxes: 1, at: 0, map, destination, barrier, isReadable: true };
}

function expecting(barrier: number, bytes: number): Step {
  return { op: 'expect', at: 0, barrier, bytes };
}

test('boxes behind one another on one barrier are separated by their distance', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 64 }),
      fc.integer({ min: 1, max: 64 }),
      fc.integer({ min: 2, max: 4 }),
      (a, b, stages) => {
        const [boxA, boxB] = [a * 16, b * 16];
        const copies: UnsizedCopy[] = [];
        const steps: Step[] = [];
        for (let stage = 0; stage < stages; stage++) {
          const start = stage * (boxA + boxB);
          copies.push(copy('A', start, stage * 8), copy('B', start + boxA, stage * 8));
          steps.push(expecting(stage * 8, boxA + boxB));
        }
        assert.deepEqual(
          solveBoxes(copies, steps),
          new Map([
            ['A', boxA],
            ['B', boxB],
          ]),
        );
      },
    ),
  );
});

test('a map on a barrier of its own decides one on a barrier that it shares', () => {
  const copies = [copy('Q', 0, 0), copy('Q', 4096, 8), copy('K', 512, 8), copy('K', 9000, 8)];
  const steps = [expecting(0, 1024), expecting(8, 1024 + 2 * 2048)];
  assert.deepEqual(
    solveBoxes(copies, steps),
    new Map([
      ['Q', 1024],
      ['K', 2048],
    ]),
  );
});

test('barriers that contradict one another have no solution', () => {
  const copies = [copy('A', 0, 0), copy('A', 4096, 8)];
  assert.equal(solveBoxes(copies, [expecting(0, 1024), expecting(8, 2048)]), null);
});

test('bytes of copies whose size is known are not those of a box', () => {
  const known: Step = {
    op: 'copy',
    at: 0,
    writes: [0, 64],
    reads: [],
    signals: [{ barrier: 0, bytes: 64 }],
    map: null,
  };
  assert.deepEqual(
    solveBoxes([copy('A', 128, 0)], [expecting(0, 192), known]),
    new Map([['A', 128]]),
  );
});
