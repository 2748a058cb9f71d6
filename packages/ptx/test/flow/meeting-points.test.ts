// Meeting points against their definition: the first block that every way to the end goes through.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { meetingPoints } from '#src/flow/meeting-points';
import { successors } from '#src/flow/successors';
import { parsePtx } from '#src/text/parse';
import type { PtxFunction } from '#src/text/module';
import { kernelText } from '../kernel-text.ts';

/** Instructions from which the end can be reached without `avoided`. */
function reachesEnd(code: PtxFunction, from: number, avoided: number): boolean {
  const end = code.instructions.length;
  const isSeen = new Set<number>();
  const open = [from];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (at === avoided || isSeen.has(at)) continue;
    if (at === end) return true;
    isSeen.add(at);
    open.push(...successors(code, code.instructions[at]!));
  }
  return false;
}

/** The instructions, and the end, that every way from `at` to the end goes through. */
function postDominators(code: PtxFunction, at: number): number[] {
  const end = code.instructions.length;
  if (!reachesEnd(code, at, -1)) return [];
  const all: number[] = [];
  for (let candidate = 0; candidate <= end; candidate++)
    if (candidate !== at && (candidate === end || !reachesEnd(code, at, candidate)))
      all.push(candidate);
  return all;
}

const SIZE = 9;
const instruction = fc.oneof(
  { weight: 3, arbitrary: fc.constant('mov.u32 %r0, 1;') },
  { weight: 2, arbitrary: fc.nat(SIZE - 1).map((target) => `@%p0 bra L${target};`) },
  { weight: 1, arbitrary: fc.nat(SIZE - 1).map((target) => `bra L${target};`) },
  { weight: 1, arbitrary: fc.constant('@%p0 ret;') },
);

test('ways from a branch meet at the nearest instruction that all of them reach', () => {
  fc.assert(
    fc.property(fc.array(instruction, { minLength: SIZE, maxLength: SIZE }), (body) => {
      const lines = body.map((text, index) => `L${index}: ${text}`).join('\n');
      const code = parsePtx(
        kernelText('.reg .b32 %r<1>; .reg .pred %p<1>;', `${lines}\nret;`),
      ).functions.get('kernel')!;
      const points = meetingPoints(code);
      for (const { index, opcode, guard } of code.instructions) {
        if (opcode !== 'bra' || guard === null) continue;
        const common = postDominators(code, index);
        if (common.length === 0) continue;
        const point = points[index]!;
        assert.ok(common.includes(point), `${index} meets at ${point}, not one of ${common}`);
        // It is the nearest: every other common instruction lies behind it.
        for (const other of common)
          if (other !== point)
            assert.ok(!isBefore(code, index, other, point), `${other} comes before ${point}`);
      }
    }),
    { numRuns: 300 },
  );
});

/** Whether `first` is a block leader that is reached from `from` without passing `second`. */
function isBefore(code: PtxFunction, from: number, first: number, second: number): boolean {
  const isSeen = new Set<number>();
  const open = [...successors(code, code.instructions[from]!)];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (at === first) return true;
    if (at === second || isSeen.has(at) || at === code.instructions.length) continue;
    isSeen.add(at);
    open.push(...successors(code, code.instructions[at]!));
  }
  return false;
}
