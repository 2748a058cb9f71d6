// Threads that exit are waited for no more at barriers of all threads, and at no others.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { check } from '../../accepting.ts';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../../kernel-text.ts';

const WARPS = 4;
const DECLARATIONS = `.reg .b32 %r<16>; .reg .pred %p<4>; .shared .align 4 .b32 words[${WARPS * 32}];`;

/** Each warp stores, meets, reads the word of another one, meets: as often as its number says. */
function rounds(counts: readonly number[], sync: string, last = sync): string {
  const packed = counts.reduce((sum, count, warp) => sum + count * 16 ** warp, 0);
  return `mov.u32 %r0, %tid.x; shr.u32 %r1, %r0, 5; shl.b32 %r2, %r1, 2;
    shr.u32 %r3, ${packed}, %r2; and.b32 %r3, %r3, 15;
    shl.b32 %r4, %r0, 2; mov.u32 %r5, words; add.u32 %r6, %r5, %r4;
    add.u32 %r7, %r4, 128; and.b32 %r7, %r7, ${WARPS * 128 - 1}; add.u32 %r7, %r5, %r7;
    LOOP: setp.eq.u32 %p0, %r3, 0; @%p0 bra END;
    st.shared.u32 [%r6], %r0; ${sync} ld.shared.u32 %r8, [%r7]; ${last}
    sub.u32 %r3, %r3, 1; bra LOOP;
    END: ret;`;
}

async function verdictOf(body: string, memory?: 'isa') {
  const launch = { grid: [1, 1, 1], block: [WARPS * 32, 1, 1], params: [] };
  const kernel = ptxKernel({
    ptx: { file: 'kernel.ptx', text: kernelText(DECLARATIONS, body) },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  });
  const { verdict, findings, scope } = await check(kernel, memory === undefined ? {} : { memory });
  const rule = verdict === 'counterexample' ? findings[0]!.rule : verdict;
  return {
    rule,
    isAssumed: scope.assumptions.some((each) => each.text.includes('before it exited')),
  };
}

const COUNTS = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: WARPS, maxLength: WARPS });
const ALL = 'bar.sync 0;';
const COUNTED = `bar.sync 0, ${WARPS * 32};`;

test('a barrier of all threads goes on without those that have exited', async () => {
  await fc.assert(
    fc.asyncProperty(COUNTS, async (counts) => {
      assert.equal((await verdictOf(rounds(counts, ALL))).rule, 'certified');
    }),
    { seed: 1, numRuns: 30 },
  );
});

test('a barrier that names its threads waits for those that have exited, too', async () => {
  await fc.assert(
    fc.asyncProperty(COUNTS, async (counts) => {
      const { rule } = await verdictOf(rounds(counts, COUNTED));
      assert.equal(rule, new Set(counts).size === 1 ? 'certified' : 'deadlock');
    }),
    { seed: 2, numRuns: 12 },
  );
});

test('a barrier that is missing is missed by warps that are fewer, too', async () => {
  assert.equal((await verdictOf(rounds([0, 2, 2, 0], ALL, ''))).rule, 'race');
  assert.equal((await verdictOf(rounds([0, 2, 2, 0], ALL))).rule, 'certified');
});

test('that an exit lets others know what was written is an assumption', async () => {
  // Warp 0 writes its words and exits, the others meet once and read them.
  const body = rounds([1, 1, 1, 1], ALL, '').replace(
    ALL,
    'setp.eq.u32 %p1, %r1, 0; @%p1 bra END; bar.sync 0;',
  );
  assert.deepEqual(await verdictOf(body), { rule: 'certified', isAssumed: true });
  assert.equal((await verdictOf(body, 'isa')).rule, 'inconclusive');
  const unwritten = await verdictOf(rounds([0, 2, 2, 2], ALL));
  assert.deepEqual(unwritten, { rule: 'certified', isAssumed: false });
});
