// Volatile and relaxed loads of shared memory: what one finds is a fact only where all writes of
// other warps are ordered before it, or leave the same.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../accepting.ts';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../kernel-text.ts';

const MEET = 'bar.sync 0;';
const EACH_ADDS = '@%p0 red.relaxed.cta.shared.add.u32 [word], 1;';
const EACH_ORS = '@%p0 red.relaxed.cta.shared.or.b32 [word], %r2;';

/** Three warps; `%p0`: the first lane of each. The first one writes `other` unless `word` is `value`. */
async function verdictOf(text: string, value: number, form = 'relaxed.cta.'): Promise<string> {
  const body = `mov.u32 %r0, %tid.x; and.b32 %r1, %r0, 31; setp.eq.u32 %p0, %r1, 0;
setp.eq.u32 %p1, %r0, 0; setp.eq.u32 %p2, %r0, 32; shr.u32 %r1, %r0, 5; shl.b32 %r2, 1, %r1;
@%p1 st.shared.u32 [word], 0; ${MEET} ${text}
@!%p1 bra SECOND; ld.${form}shared.u32 %r3, [word]; setp.ne.u32 %p3, %r3, ${value};
@%p3 st.shared.u32 [other], 1; SECOND: @%p2 st.shared.u32 [other], 2; ret;`;
  const declarations = `.reg .b32 %r<5>; .reg .b64 %rd<3>; .reg .pred %p<5>;
.shared .align 8 .b32 word; .shared .align 4 .b32 other;`;
  const launch = { grid: [1, 1, 1], block: [96, 1, 1], params: [] };
  const kernel = ptxKernel({
    ptx: { file: 'kernel.ptx', text: kernelText(declarations, body) },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  });
  const { verdict, findings } = await check(kernel);
  return verdict === 'counterexample' ? findings[0]!.rule : verdict;
}

test('additions of other warps may come later', async () => {
  for (const [each, all] of [
    [EACH_ADDS, 3],
    [EACH_ORS, 7],
  ] as const) {
    assert.notEqual(await verdictOf(each, all), 'certified');
    assert.equal(await verdictOf(`${each} ${MEET}`, all), 'certified');
    assert.equal(await verdictOf(`${each} ${MEET}`, all, ''), 'certified');
    assert.equal(await verdictOf(`${each} ${MEET}`, all - 1), 'race');
  }
});

test('stores of several values, of which one is the last', async () => {
  const some = 'setp.eq.u32 %p4, %r1, 1; selp.u32 %r4, 1, 2, %p4;';
  const store = '@%p0 st.relaxed.cta.shared.u32 [word], %r4;';
  assert.notEqual(await verdictOf(`${some} ${store}`, 2), 'certified');
  assert.notEqual(await verdictOf(`${some} ${store} ${MEET}`, 2), 'certified');
});

test('a poll for a number of additions orders what was stored before them', async () => {
  const until = (count: number): string => `@!%p1 bra GO;
W: ld.acquire.cta.shared.u32 %r3, [word]; setp.lt.u32 %p4, %r3, ${count}; @%p4 bra W; GO:`;
  const stores = '@%p2 st.shared.u32 [other], 3; @%p0 red.release.cta.shared.add.u32 [word], 1;';
  const ends = '@%p1 ld.shared.u32 %r4, [other]; @%p1 bra END;';
  const kernel = (count: number): Promise<string> =>
    verdictOf(`${stores} ${until(count)} ${ends} bra END; END: ret;`, 0);
  assert.equal(await kernel(3), 'certified');
  assert.equal(await kernel(2), 'race');
  assert.equal(await kernel(4), 'deadlock');
});

test('a word of 64 bits that was written in halves is inconclusive', async () => {
  const text = `@%p1 st.relaxed.cta.shared.u64 [word], %rd1; @!%p2 bra END;
W: ld.relaxed.cta.shared.u64 %rd2, [word]; setp.eq.u64 %p4, %rd2, 0; @%p4 bra W; END: ret;`;
  const first = 'mov.u64 %rd1, 0x500000001; @%p1 st.shared.u32 [other], 0; bar.sync 0;';
  assert.equal(await verdictOf(`${first} ${text}`, 0), 'inconclusive');
});
