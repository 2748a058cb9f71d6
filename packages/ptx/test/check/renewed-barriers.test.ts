// An mbarrier that a thread initializes again before anything has used it (H17).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { check } from '../accepting.ts';
import { ptxKernel } from '#src/kernel/kernel';
import { renewedInits } from '#src/lower/renewed-barriers';
import type { Step } from '#src/steps/step';
import { kernelText } from '../kernel-text.ts';

const INIT = '@!%p0 mbarrier.init.shared::cta.b64 [full], 1;';
const MEET = 'bar.sync 0;';
const ARRIVE = '@!%p0 mbarrier.arrive.shared::cta.b64 _, [full];';
const WAIT = 'W: mbarrier.try_wait.parity.shared::cta.b64 %p1, [full], 0; @!%p1 bra W;';

async function resultOf(memory: 'isa' | 'practice', ...lines: readonly string[]) {
  const body = `mov.u32 %r0, %tid.x; setp.ne.u32 %p0, %r0, 0; setp.ne.u32 %p2, %r0, 1;
${[...lines, 'ret;'].join('\n')}`;
  const declarations = '.reg .b32 %r<2>; .reg .pred %p<3>; .shared .align 8 .b64 full;';
  const launch = { grid: [1, 1, 1], block: [64, 1, 1], params: [] };
  const kernel = ptxKernel({
    ptx: { file: 'kernel.ptx', text: kernelText(declarations, body) },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  });
  const { verdict, findings, scope } = await check(kernel, { memory });
  const rule = verdict === 'counterexample' ? findings[0]!.rule : verdict;
  return { rule, isAssumed: scope.assumptions.some((each) => each.text.includes('H17')) };
}

test('a barrier that is initialized again before it is used', async () => {
  const again = [INIT, MEET, INIT, MEET, ARRIVE, WAIT];
  assert.deepEqual(await resultOf('practice', ...again), { rule: 'certified', isAssumed: true });
  assert.equal((await resultOf('isa', ...again)).rule, 'invalid-operation');
  const inval = INIT.replace('init', 'inval').replace(', 1;', ';');
  assert.equal((await resultOf('isa', INIT, inval, INIT, MEET, ARRIVE, WAIT)).rule, 'certified');
  const once = [INIT, MEET, ARRIVE, WAIT];
  assert.deepEqual(await resultOf('practice', ...once), { rule: 'certified', isAssumed: false });
});

test('a barrier that is initialized again after it was used, or by another thread', async () => {
  const { rule } = await resultOf('practice', INIT, MEET, ARRIVE, INIT, MEET, WAIT);
  assert.equal(rule, 'uninitialised-barrier');
  const other = INIT.replace('%p0', '%p2');
  assert.equal(
    (await resultOf('practice', INIT, MEET, other, MEET, ARRIVE, WAIT)).rule,
    'uninitialised-barrier',
  );
});

test('a use between the two initializations, of another warp, finds no barrier', async () => {
  const arrive = '@%p0 mbarrier.arrive.shared::cta.b64 _, [full];'.replace('%p0', '!%p2');
  const { rule } = await resultOf('practice', INIT, MEET, arrive, INIT, MEET, WAIT);
  assert.notEqual(rule, 'certified');
});

test('lanes of a warp that initialize one barrier at once', async () => {
  const byLanes = (count: string) => `setp.lt.u32 %p2, %r0, 2; add.u32 %r1, %r0, 1;
@%p2 mbarrier.init.shared::cta.b64 [full], ${count};`;
  const alike = [byLanes('1'), MEET, ARRIVE, WAIT];
  assert.deepEqual(await resultOf('practice', ...alike), { rule: 'certified', isAssumed: true });
  assert.equal((await resultOf('isa', ...alike)).rule, 'invalid-operation');
  const { rule } = await resultOf('practice', byLanes('%r1'), MEET, ARRIVE, WAIT);
  assert.equal(rule, 'invalid-operation');
});

test('lanes that wait for a barrier know of its initialization', async () => {
  const first = '@%p0 bra REST; mbarrier.init.shared::cta.b64 [full], 1; REST:';
  const rest = [ARRIVE, 'setp.ge.u32 %p2, %r0, 32; @%p2 bra END;', WAIT, 'END:'];
  const joined = await resultOf('practice', first, 'bar.warp.sync -1;', ...rest);
  assert.equal(joined.rule, 'certified');
  assert.equal((await resultOf('practice', first, ...rest)).rule, 'uninitialised-barrier');
});

test('an initialization is in vain exactly if the next step on its barrier is one of its lanes', () => {
  const step = fc.record({
    op: fc.constantFrom('init' as const, 'arrive' as const),
    barrier: fc.constantFrom(0, 8),
    lanes: fc.constantFrom(1, 2),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const found = [...renewedInits(steps as unknown as Step[]).keys()];
      const expected = steps.flatMap(({ op, barrier, lanes }, index) => {
        const next = steps.slice(index + 1).find((each) => each.barrier === barrier);
        return op === 'init' && next?.op === 'init' && next.lanes === lanes ? [index] : [];
      });
      assert.deepEqual(
        found.toSorted((one, other) => one - other),
        expected,
      );
    }),
  );
});
