// tier: deep
// Registers in a certificate (Q04): programs that give and take in any order, against every order.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { arrive, barrier, choose, kernel, registers, role, setMaxRegisters, wait } from 'poundlock';
import type { Kernel } from 'poundlock';
import { check } from '../../accepting.ts';

/** What a warp does: changes its registers, arrives at a barrier, waits for one, or chooses. */
type Step =
  | { readonly op: 'set'; readonly to: number }
  | { readonly op: 'arrive'; readonly at: number }
  | { readonly op: 'wait'; readonly at: number }
  | { readonly op: 'choose' };

const BARRIERS = 2;

/** Registers that each thread has at first, in eights. */
const FIRST = 8;

/** Warps that begin with 64 registers in each thread; `spare` eights of a warp are free. */
function kernelOf(warps: readonly (readonly Step[])[], spare: number): Kernel {
  return kernel('registers', {}, () => {
    const arrivals = (at: number): number =>
      warps.flat().filter((step) => step.op === 'arrive' && step.at === at).length;
    const barriers = Array.from({ length: BARRIERS }, (_, at) =>
      barrier(`b${at}`, { count: Math.max(1, arrivals(at)) }),
    );
    const threads = 32 * warps.length;
    registers({ perThread: FIRST * 8, threads: threads + Math.ceil((spare * 32) / FIRST) });
    return warps.map((steps, index) =>
      role(`warp${index}`, { warps: 1 }, function* () {
        let held = FIRST;
        for (const step of steps) {
          if (step.op === 'arrive') arrive(barriers[step.at]!);
          else if (step.op === 'wait') yield* wait(barriers[step.at]!, 0);
          else if (step.op === 'choose') yield* choose(2);
          else {
            yield* setMaxRegisters(step.to < held ? 'dec' : 'inc', step.to * 8);
            held = step.to;
          }
        }
      }),
    );
  });
}

const steps = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ op: fc.constant('set'), to: fc.integer({ min: 3, max: 14 }) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        op: fc.constantFrom('arrive', 'wait'),
        at: fc.nat({ max: BARRIERS - 1 }),
      }),
    },
  ),
  { maxLength: 4 },
) as fc.Arbitrary<Step[]>;

const programs = fc.record({
  warps: fc.array(steps, { minLength: 2, maxLength: 4 }),
  spare: fc.nat({ max: 8 }),
});

/** The verdicts of a certificate alone and of both searches, which agree. */
async function verdictsOf(target: Kernel) {
  const proved = await check(target, { engine: 'certify', memory: 'none' });
  const searched = await check(target, { engine: 'search', memory: 'none' });
  const reduced = await check(target, { engine: 'reduced', memory: 'none' });
  assert.equal(reduced.verdict, searched.verdict, 'with reduction and without');
  return { proved, searched };
}

suite('Q04: a certificate of registers', () => {
  test('is one where no order gets stuck', async () => {
    const seen = { certified: 0, stuck: 0 };
    const property = fc.asyncProperty(programs, async ({ warps, spare }) => {
      const { proved, searched } = await verdictsOf(kernelOf(warps, spare));
      if (proved.verdict === 'certified') seen.certified++;
      else seen.stuck++;
      assert.equal(proved.verdict === 'certified', searched.verdict === 'certified');
    });
    await fc.assert(property, { numRuns: 400, seed: 11 });
    assert.ok(seen.certified > 50 && seen.stuck > 50, JSON.stringify(seen));
  });

  test('also where a program has choices', async () => {
    const withChoice = programs.map(({ warps: [first, ...others], spare }) => {
      return { warps: [[{ op: 'choose' } as const, ...first!], ...others], spare };
    });
    const property = fc.asyncProperty(withChoice, async ({ warps, spare }) => {
      const { proved, searched } = await verdictsOf(kernelOf(warps, spare));
      assert.equal(proved.verdict === 'certified', searched.verdict === 'certified');
    });
    await fc.assert(property, { numRuns: 200, seed: 12 });
  });
});
