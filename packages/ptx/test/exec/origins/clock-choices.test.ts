// A kernel that reads a clock has the verdict that the worst of the clock's values has.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { Verdict } from '@poundlock/core/internal/finding';
import { checkText, twoWarps } from './two-warps.ts';

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 40);
const SEED = 20_261_201;

const READ = 'mov.u32 %r10, %clock;';
/** Values that make both of the predicates below true, and false, in each combination. */
const VALUES = [0, 1, 0x8000_0000, 0x8000_0001];
const PREDICATES = `and.b32 %r11, %r10, 1; setp.eq.u32 %p5, %r11, 0; setp.lt.u32 %p6, %r10, 1000;
  and.pred %p7, %p5, %p6; selp.b32 %r12, 1, 2, %p5;`;

const GUARDS = ['', '@%p5', '@!%p5', '@%p6', '@!%p6', '@%p7', '@!%p7'] as const;
const ACTIONS = [
  'mbarrier.arrive.shared.b64 _, [%r5], 16;',
  'mbarrier.arrive.shared.b64 _, [%r5], 32;',
  'st.shared.u32 [word], %r12;',
  'st.shared.u32 [word], 1;',
  'nanosleep.u32 20;',
] as const;
const WAITS = [
  'W: mbarrier.try_wait.parity.shared.b64 %p4, [%r5], 0; @!%p4 bra W;',
  'ld.shared.u32 %r13, [word]; st.global.u32 [%rd2], %r13;',
  'bar.sync 1, 64;',
] as const;

/** A part of warp 0: an action under a guard, as a predicate or around a branch. */
const part = fc
  .record({
    guard: fc.constantFrom(...GUARDS),
    action: fc.constantFrom(...ACTIONS),
    isBranch: fc.boolean(),
  })
  .map(({ guard, action, isBranch }) => ({ guard, action, isBranch }));

const kernels = fc.record({
  parts: fc.array(part, { minLength: 1, maxLength: 4 }),
  waits: fc.uniqueArray(fc.constantFrom(...WAITS), { minLength: 1, maxLength: 3 }),
  isLast: fc.boolean(),
});
type Kernel = typeof kernels extends fc.Arbitrary<infer K> ? K : never;

/** The kernel, in which lane 0 of warp 0 acts, with a value of the clock or a read of it. */
function textOf({ parts, waits, isLast }: Kernel, read: string): string {
  const meets = waits.includes('bar.sync 1, 64;');
  const actions = parts.map(({ guard, action, isBranch }, index) => {
    if (guard === '' || !isBranch) return `${guard} ${action}`;
    const opposite = guard.includes('!') ? guard.replace('!', '') : guard.replace('@', '@!');
    return `${opposite} bra OVER${index}; ${action} OVER${index}:`;
  });
  const act = `@%p2 bra DONE; ${read} ${PREDICATES} ${actions.join(' ')} DONE:`;
  const meet = meets ? 'bar.sync 1, 64;' : '';
  return twoWarps(isLast ? `${act} ${meet}` : `${meet} ${act}`, waits.join(' '));
}

const ORDER: readonly Verdict[] = ['certified', 'inconclusive', 'counterexample'];

function worst(verdicts: readonly Verdict[]): Verdict {
  return ORDER[Math.max(...verdicts.map((verdict) => ORDER.indexOf(verdict)))]!;
}

test('an unknown clock is as bad as the worst of its values', async () => {
  const seen = new Set<Verdict>();
  const property = fc.asyncProperty(kernels, async (kernel) => {
    const verdicts = await Promise.all(
      VALUES.map(async (value) => {
        const { verdict } = await checkText(textOf(kernel, `mov.u32 %r10, ${value};`));
        return verdict;
      }),
    );
    const { verdict, reason } = await checkText(textOf(kernel, READ));
    seen.add(verdict);
    assert.equal(verdict, worst(verdicts), reason);
  });
  await fc.assert(property, { seed: SEED, numRuns: RUNS });
  assert.ok(seen.has('certified') && seen.has('counterexample'));
});
