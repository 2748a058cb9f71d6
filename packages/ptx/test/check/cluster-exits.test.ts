// Threads that exit before others come to the barrier of their cluster: it waits for them no more.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../accepting.ts';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../kernel-text.ts';

const MEET = 'barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;';
const INIT = '@%p0 mbarrier.init.shared::cta.b64 [full], 1;';
const ARRIVE = '@%p0 mbarrier.arrive.shared::cta.b64 _, [full];';
const WAIT = 'W: mbarrier.try_wait.parity.shared::cta.b64 %p3, [full], 0; @!%p3 bra W;';
const READ = '@%p0 ld.shared::cluster.u32 %r3, [%r2];';

/** Of two CTAs with two warps each; `%p1` is true in the second warps, `%p2` in the first CTA. */
async function ruleOf(...lines: readonly string[]): Promise<string | undefined> {
  const body = `mov.u32 %r0, %tid.x; setp.eq.u32 %p0, %r0, 0; setp.ge.u32 %p1, %r0, 32;
mov.u32 %r1, %cluster_ctarank; setp.eq.u32 %p2, %r1, 0; xor.b32 %r1, %r1, 1;
mov.u32 %r2, word; mapa.shared::cluster.u32 %r2, %r2, %r1;
${lines.join('\n')} END: ret;`;
  const declarations = `.reg .b32 %r<4>; .reg .pred %p<4>;
.shared .align 8 .b64 full; .shared .align 4 .b32 word;`;
  const launch = { grid: [2, 1, 1], cluster: [2, 1, 1], block: [64, 1, 1], params: [] };
  const kernel = ptxKernel({
    ptx: { file: 'kernel.ptx', text: kernelText(declarations, body) },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  });
  const { verdict, findings } = await check(kernel);
  return verdict === 'counterexample' ? findings[0]!.rule : verdict;
}

test('a warp, or a CTA, that exits before a cluster barrier', async () => {
  assert.equal(await ruleOf('@%p1 bra END;', MEET), 'certified');
  assert.equal(await ruleOf(MEET, '@%p1 bra END;', MEET, MEET), 'certified');
  assert.equal(await ruleOf(MEET, '@%p2 bra END;', MEET), 'certified');
  assert.equal(
    await ruleOf('barrier.cluster.arrive;', '@%p1 bra END;', MEET),
    'cluster-barrier-misuse',
  );
});

test('memory of a CTA whose threads exited', async () => {
  assert.equal(await ruleOf(MEET, '@%p1 bra END;', READ, MEET), 'certified');
  assert.equal(await ruleOf(MEET, '@%p2 bra END;', READ), 'missing-drain');
});

test('an arrival before the end without a wait orders nothing', async () => {
  const [arrive, wait] = ['barrier.cluster.arrive;', 'barrier.cluster.wait;'];
  const write = '@%p0 st.shared::cluster.u32 [%r2], 1;';
  assert.equal(await ruleOf(MEET, write, arrive), 'missing-drain');
  assert.equal(await ruleOf(MEET, write, arrive, '@%p2 bra END;', wait), 'missing-drain');
  assert.equal(await ruleOf(MEET, write, arrive, wait), 'certified');
  // No thread reaches into the second CTA, which does not wait.
  const ofSecond = '@%p2 bra NEXT; @%p0 st.shared::cluster.u32 [%r2], 1; NEXT:';
  assert.equal(await ruleOf(MEET, ofSecond, arrive, '@!%p2 bra END;', wait), 'certified');
});

test('a warp that waits for others is awaited at the cluster barrier', async () => {
  const waits = `@!%p1 bra MAIN; ${WAIT} bra END; MAIN:`;
  assert.equal(await ruleOf(INIT, MEET, waits, ARRIVE, MEET), 'certified');
  assert.equal(await ruleOf(INIT, MEET, waits, MEET, ARRIVE), 'deadlock');
});
