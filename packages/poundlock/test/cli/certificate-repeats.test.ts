// tier: deep
// Random programs: whatever certificate is written, verification repeats it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { CheckOptions } from '#src/check/index';
import { check } from '../accepting.ts';
import { certificateOf } from '#src/cli/certificate/document';
import { difference, waysToRepeat, whyNotRepeatable } from '#src/cli/certificate/verify';
import { choose, cell, count, end, fetchAdd, kernel, load, loop } from '#src/public';
import { pipeline, role, tma, type Kernel } from '#src/public';

interface Shape {
  readonly tiles: number;
  readonly stages: number;
  readonly consumers: 'loop' | 'for';
  /** Who chooses: the producer in each round, only after its last round, or no role. */
  readonly choice: 'round' | 'end' | 'none';
  readonly isTicketed: boolean;
  readonly loads: boolean;
  /** Something captured that changes: a log, or a count that matters in some round. */
  readonly captured: 'nothing' | 'log' | 'count';
  readonly at: number;
  readonly engine: 'auto' | 'certify';
  readonly every: boolean;
}

const shape: fc.Arbitrary<Shape> = fc.record({
  tiles: fc.oneof(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 90, max: 700 })),
  stages: fc.integer({ min: 1, max: 4 }),
  consumers: fc.constantFrom('loop', 'for'),
  choice: fc.constantFrom('round', 'end', 'none', 'none'),
  isTicketed: fc.boolean(),
  loads: fc.boolean(),
  captured: fc.constantFrom('nothing', 'log', 'count'),
  at: fc.integer({ min: 1, max: 900 }),
  engine: fc.constantFrom('auto', 'certify'),
  every: fc.boolean(),
});

function toKernel(drawn: Shape): Kernel {
  const { stages, consumers, choice, isTicketed, loads, captured, at } = drawn;
  return kernel('shape', { tiles: drawn.tiles }, ({ tiles }) => {
    const ab = pipeline('ab', { stages, bytes: 64 });
    const items = count(tiles);
    const [next, word] = [cell('next'), cell('word')];
    const log: number[] = [];
    return [
      role('load', function* () {
        yield* loop(null, function* () {
          if (!(yield* items.more())) return end(null);
          if (choice === 'round') yield* choose(2);
          const slot = yield* ab.acquireProducer();
          tma.load(slot);
          slot.release();
          return null;
        });
        if (choice === 'end') yield* choose(2);
        if (isTicketed) yield* fetchAdd(next, 1);
      }),
      role('mma', function* () {
        let rounds = 0;
        function* consume() {
          const tile = yield* ab.acquireConsumer();
          if (loads) yield* load(word);
          if (captured !== 'nothing') log.push(++rounds);
          tile.release();
          if (captured === 'count' && rounds === at) yield* load(word);
        }
        if (consumers === 'for') for (let tile = 0; tile < tiles; tile++) yield* consume();
        else {
          yield* loop(null, function* () {
            if (!(yield* items.more())) return end(null);
            yield* consume();
            return null;
          });
        }
        if (isTicketed) yield* fetchAdd(next, 1);
      }),
    ];
  });
}

const UNCHANGED = {
  poundlock: '',
  file: '',
  program: { sha256: '', modules: [] },
  conditions: null,
};

test('a certificate that was written passes its verification', async (t) => {
  const counted: Record<string, number> = {};
  await fc.assert(
    fc.asyncProperty(shape, async (drawn) => {
      const program = toKernel(drawn);
      const { engine, every } = drawn;
      const options: CheckOptions = { engine, ...(every && { every: 'tiles' }) };
      const result = await check(program, options);
      if (result.verdict !== 'certified') {
        counted[result.findings[0]?.rule ?? result.verdict] ??= 0;
        counted[result.findings[0]?.rule ?? result.verdict]!++;
        return;
      }
      const written = certificateOf(result, UNCHANGED);
      if (whyNotRepeatable(written) !== null) return;
      counted[written.engine] = (counted[written.engine] ?? 0) + 1;
      const faults: (string | null)[] = [];
      for (const how of waysToRepeat(written)) {
        faults.push(difference(written, await check(program, how), UNCHANGED));
        if (faults.at(-1) === null) return;
      }
      assert.fail(`${faults.join('; ')}: ${JSON.stringify(drawn)}`);
    }),
    { seed: 20_261_122, numRuns: 30, endOnFailure: true },
  );
  t.diagnostic(JSON.stringify(counted));
  for (const engine of ['certify', 'hybrid', 'loop-captures'])
    assert.ok(counted[engine]! > 0, engine);
});
