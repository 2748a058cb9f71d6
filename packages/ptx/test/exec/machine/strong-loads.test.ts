// Volatile loads of shared memory: what one finds is a fact only if no order of the warps changes it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../../accepting.ts';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../../kernel-text.ts';

/** A word is 0; `%p0` is true in the first thread of the first warp, `%p1` in that of the second. */
async function verdictOf(...lines: readonly string[]) {
  const body = `mov.u32 %r0, %tid.x; setp.eq.u32 %p0, %r0, 0; setp.eq.u32 %p1, %r0, 32;
@%p0 st.shared.u32 [word], 0; @%p0 mbarrier.init.shared::cta.b64 [full], 1; bar.sync 0;
${lines.join('\n')} ret;`;
  const declarations = `.reg .b32 %r<4>; .reg .pred %p<5>; .shared .align 8 .b64 full;
.shared .align 4 .b32 word; .shared .align 4 .b32 other;`;
  const launch = { grid: [1, 1, 1], block: [64, 1, 1], params: [] };
  const kernel = ptxKernel({
    ptx: { file: 'kernel.ptx', text: kernelText(declarations, body) },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  });
  const { verdict } = await check(kernel);
  return verdict;
}

const LOAD = 'ld.volatile.shared.u32 %r1, [word];';
const SYNC = 'bar.sync 0;';
const set = (who: string, value: number) => `@${who} st.volatile.shared.u32 [word], ${value};`;
/** Both warps store to one word, each another value, if the load found a value. */
const raceIf = (value: number) => `setp.eq.u32 %p2, %r1, ${value}; and.pred %p3, %p2, %p0;
and.pred %p4, %p2, %p1; @%p3 st.shared.u32 [other], 1; @%p4 st.shared.u32 [other], 2;`;

test('a word that is set behind a barrier, or before one, is known', async () => {
  assert.equal(await verdictOf(LOAD, SYNC, set('%p0', 1), raceIf(1)), 'certified');
  assert.equal(await verdictOf(set('%p0', 1), SYNC, LOAD, raceIf(0)), 'certified');
  assert.equal(await verdictOf(set('%p0', 1), SYNC, LOAD, raceIf(1)), 'counterexample');
});

test('a word that another warp sets at any time is not known', async () => {
  for (const who of ['%p0', '%p1'])
    for (const value of [0, 1]) {
      assert.notEqual(await verdictOf(set(who, 1), LOAD, raceIf(value)), 'certified');
      assert.notEqual(await verdictOf(LOAD, set(who, 1), raceIf(value)), 'certified');
    }
});

test('of two values that no barrier orders either may be the last', async () => {
  for (const load of [LOAD, LOAD.replace('.volatile', '')]) {
    for (const value of [1, 2]) {
      const both = [set('%p0', 1), set('%p1', 2), SYNC, load, raceIf(value)];
      assert.notEqual(await verdictOf(...both), 'certified');
    }
    assert.equal(await verdictOf(set('%p0', 1), set('%p1', 1), SYNC, load, raceIf(2)), 'certified');
  }
});

test('a phase in a volatile word', async () => {
  const wait = 'W: mbarrier.try_wait.parity.shared::cta.b64 %p2, [full], %r1; @!%p2 bra W;';
  const arrive = '@%p0 mbarrier.arrive.shared::cta.b64 _, [full];';
  const first = [set('%p0', 0), SYNC, arrive, LOAD, wait];
  assert.equal(await verdictOf(...first), 'certified');
  const again = [SYNC, set('%p0', 1), SYNC, arrive, LOAD, wait.replaceAll('W', 'AGAIN')];
  assert.equal(await verdictOf(...first, ...again), 'certified');
  assert.equal(await verdictOf(...first, ...again.slice(1)), 'inconclusive');
});
