// Classes of blocks (theorem B1): each block makes the steps of the one that stands for it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { Bounds } from '#src/exec/origins/bounds';
import { Classes, clustersAcross, placeOf } from '#src/exec/origins/classes';
import { merge } from '#src/exec/origins/expressions';
import { Evaluator } from '#src/exec/origins/evaluate';
import type { Execution } from '#src/exec/machine/execute';
import { Cause, unwritten } from '#src/values/origin';
import type { Origin } from '#src/values/origin';
import { unsignedBig } from '#src/values/wide';
import { deciding } from './kernels.ts';
import { looping } from './loops.ts';
import { blocksOf, stepsText } from './runs.ts';
import type { Blocks } from './runs.ts';

const GRID = { grid: [5, 3, 1] };
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 40);
const out = { low: 0, high: 0 };
const LANES = 32;

/** The classes of a grid, by the runs of all of its blocks. */
function classesOf({ launch, runs }: Blocks): Classes {
  const classes = new Classes(launch);
  for (let next = 0; next >= 0; next = classes.next) {
    const { list, isFull } = runs[next]!.machine.blocks!;
    classes.add(next, list, !isFull);
  }
  return classes;
}

/** Registers that are computed from the place of a block, at the end of a run. */
function dependent(
  { warps }: Execution,
  visit: (origin: Origin, register: number, warp: number) => void,
) {
  for (const [warp, { registers }] of warps.entries())
    for (const [register, origin] of registers.origins.entries())
      if (origin !== null && origin.evaluate !== null) visit(origin, register, warp);
}

/** Whether blocks of a class make the same steps, in random kernels. */
function compareSteps(kernels: fc.Arbitrary<string>): void {
  const counted = { classes: 0, blocks: 0, alike: 0 };
  fc.assert(
    fc.property(kernels, (text) => {
      const blocks = blocksOf(text, GRID);
      const classes = classesOf(blocks);
      const texts = blocks.runs.map(stepsText);
      const first = new Map<number, number>();
      for (const [block, own] of texts.entries()) {
        const number = classes.classOf(block);
        assert.ok(number > 0, `block ${block} is in no class\n${text}`);
        const other = first.get(number) ?? block;
        first.set(number, other);
        assert.equal(own, texts[other], `blocks ${other} and ${block}\n${text}`);
      }
      counted.classes += first.size;
      counted.blocks += texts.length;
      if (first.size === 1) counted.alike++;
    }),
    { numRuns: RUNS },
  );
  // Some kernels have several classes, and some have fewer than blocks.
  assert.ok(counted.classes > RUNS && counted.classes < counted.blocks && counted.alike > 0);
}

test('blocks of a class make the same steps', () => {
  compareSteps(deciding);
});

test('blocks of a class make the same rounds of loops', () => {
  compareSteps(looping);
});

test('what lanes lack that do not count is no cause', () => {
  const place: Origin = { ...unwritten('%ctaid.x'), axes: 1, from: 0 };
  const some = merge(0xff, place, unwritten('%r1'));
  const box = { from: [0, 0, 0], to: [9, 0, 0] } as const;
  const causesIn = (lanes: number): number =>
    new Bounds([{ origin: some, lanes }], box).causesOf(some);
  assert.equal(some.from, Cause.none);
  assert.deepEqual([causesIn(0x0f), causesIn(0xff), causesIn(0x1ff)], [0, 0, Cause.none]);
});

test('an expression is the register, in the block that was executed and in its class', () => {
  let compared = 0;
  fc.assert(
    fc.property(deciding, (text) => {
      // What a lane holds is followed until it ends: some end while others wait for them.
      if (/bra \w+; shfl/.test(text)) return;
      const blocks = blocksOf(text, GRID);
      const classes = classesOf(blocks);
      const { runs, launch } = blocks;
      const across = clustersAcross(launch);
      for (const [block, run] of runs.entries()) {
        if (run.machine.undecidedReasons.length > 0) continue;
        const others = [...runs.keys()]
          .filter((each) => classes.classOf(each) === classes.classOf(block))
          .slice(0, 4);
        dependent(run, (origin, register, warp) => {
          const evaluator = new Evaluator([origin]);
          for (const other of others) {
            evaluator.at(placeOf(other, across));
            const { registers, lanes } = runs[other]!.warps[warp]!;
            for (let lane = 0; lane < LANES; lane++) {
              if (((lanes >>> lane) & 1) === 0) continue;
              const isKnown = evaluator.valueOf(origin, lane, out);
              // What a lane reads of one that is not there is any data.
              const found = isKnown ? { ...out } : null;
              const expected = registers.read(register, lane, out) ? { ...out } : null;
              const where = `register ${register} of warp ${warp}, lane ${lane}: ${block}, ${other}`;
              assert.deepEqual(found, expected, `${where}\n${text}`);
              compared++;
            }
          }
        });
      }
    }),
    { numRuns: RUNS },
  );
  assert.ok(compared > 1000);
});

test('bounds hold for all blocks, and values move as they say', () => {
  let moved = 0;
  fc.assert(
    fc.property(deciding, fc.constantFrom(-1, -2, 0xff00, 0x0001_000f), (text, wanted) => {
      const { runs, launch } = blocksOf(text, GRID);
      const across = clustersAcross(launch);
      const [x, y, z] = across;
      const box = { from: [0, 0, 0], to: [x - 1, y - 1, z - 1] } as const;
      dependent(runs[0]!, (origin, register, warp) => {
        const bounds = new Bounds([{ origin, lanes: wanted }], box).of(origin);
        if (bounds === null) return;
        const { program, lanes } = runs[0]!.warps[warp]!;
        const size = 2n ** BigInt(Math.max(1, program.bitsOf(register)));
        const { least, most, moves } = bounds;
        const evaluator = new Evaluator([origin]);
        const firsts: bigint[] = [];
        for (const block of runs.keys()) {
          const place = placeOf(block, across);
          evaluator.at(place);
          for (let lane = 0; lane < LANES; lane++) {
            if ((((lanes & wanted) >>> lane) & 1) === 0) continue;
            assert.ok(evaluator.valueOf(origin, lane, out), `known\n${text}`);
            const value = unsignedBig(out.low, out.high) % size;
            const where = `register ${register}, block ${block}, lane ${lane}: ${value}\n${text}`;
            if (Number.isFinite(least)) {
              const [from, to] = [BigInt(least), BigInt(most)];
              const distance = (((value - from) % size) + size) % size;
              assert.ok(from + distance <= to, `${least} … ${most}, ${where}`);
            }
            if (block === 0) firsts[lane] = value;
            if (moves === null) continue;
            const shift = [...moves].reduce(
              (sum, [axis, by]) => sum + BigInt(place[axis as number]!) * BigInt(by),
              0n,
            );
            const expected = (((firsts[lane]! + shift) % size) + size) % size;
            assert.equal(value, expected, `moves, ${where}`);
            if (shift !== 0n) moved++;
          }
        }
      });
    }),
    { numRuns: RUNS },
  );
  assert.ok(moved > 100);
});
