// The bytes of a barrier as memory: data in them is ordered with its uses (I05).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../accepting.ts';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../kernel-text.ts';

const INIT = '@!%p0 mbarrier.init.shared::cta.b64 [memory], 1;\nbar.sync 0;';
const ARRIVE = '@%p1 mbarrier.arrive.shared::cta.b64 _, [memory];';
const WAIT =
  '@!%p2 bra OTHER; W: mbarrier.try_wait.parity.shared::cta.b64 %p3, [memory], 0; @!%p3 bra W; OTHER:';
const STORE = '@!%p0 st.shared.u32 [memory], %r0;';
const MEET = 'bar.sync 0;';

/** The first lane of warp 0 arrives, warp 1 waits. */
async function ruleOf(...lines: readonly string[]): Promise<string | undefined> {
  return ruleIn({}, ...lines);
}

async function ruleIn(
  options: { readonly memory?: 'isa' },
  ...lines: readonly string[]
): Promise<string | undefined> {
  const body = `mov.u32 %r0, %tid.x; setp.ne.u32 %p0, %r0, 0; setp.eq.u32 %p1, %r0, 0;
setp.ge.u32 %p2, %r0, 32;
${[INIT, ...lines, 'ret;'].join('\n')}`;
  const declarations =
    '.reg .b32 %r<4>; .reg .b64 %rd<2>; .reg .pred %p<4>; .shared .align 16 .b8 memory[64];';
  const launch = { grid: [1, 1, 1], block: [64, 1, 1], params: [] };
  const kernel = ptxKernel({
    ptx: { file: 'kernel.ptx', text: kernelText(declarations, body) },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  });
  const { verdict, findings } = await check(kernel, options);
  return verdict === 'counterexample' ? findings[0]!.rule : verdict;
}

test('data in the bytes of a barrier', async () => {
  assert.equal(await ruleOf(ARRIVE, WAIT), 'certified');
  assert.equal(await ruleOf(ARRIVE, WAIT, MEET, STORE), 'certified');
  assert.equal(await ruleOf(ARRIVE, STORE, WAIT), 'race');
  const inval = '@!%p0 mbarrier.inval.shared::cta.b64 [memory];';
  assert.equal(await ruleOf(ARRIVE, WAIT, MEET, inval, STORE), 'certified');
});

test('data over a barrier that nothing uses any more, without mbarrier.inval', async () => {
  const over = [ARRIVE, WAIT, MEET, STORE];
  assert.equal(await ruleOf(...over), 'certified');
  assert.equal(await ruleIn({ memory: 'isa' }, ...over), 'invalid-operation');
  assert.equal(await ruleIn({ memory: 'isa' }, STORE), 'invalid-operation');
  const inval = '@!%p0 mbarrier.inval.shared::cta.b64 [memory];';
  assert.equal(await ruleIn({ memory: 'isa' }, ARRIVE, WAIT, MEET, inval, STORE), 'certified');
  const beside = STORE.replace('memory', 'memory+8');
  assert.equal(await ruleIn({ memory: 'isa' }, ARRIVE, WAIT, MEET, beside), 'certified');
});

test('a copy over the bytes of a barrier that was invalidated', async () => {
  const body = [ARRIVE, WAIT, MEET, '@!%p0 mbarrier.inval.shared::cta.b64 [memory];', MEET];
  const copy = `mov.u64 %rd0, 4096; @!%p0 mbarrier.init.shared::cta.b64 [memory+32], 1; ${MEET}
    @!%p0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [memory+32], 16;
    @!%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes
      [memory], [%rd0], 16, [memory+32];
    C: mbarrier.try_wait.parity.shared::cta.b64 %p3, [memory+32], 0; @!%p3 bra C;`;
  assert.equal(await ruleOf(...body, copy), 'certified');
  // The text of the ISA asks for a proxy fence between the two.
  assert.equal(await ruleIn({ memory: 'isa' }, ...body, copy), 'missing-proxy-fence');
  const fenced = [...body, '@!%p0 fence.proxy.async;', copy];
  assert.equal(await ruleIn({ memory: 'isa' }, ...fenced), 'certified');
  // Nor may it come before the last wait.
  assert.notEqual(await ruleOf(ARRIVE, body[3]!, copy, WAIT), 'certified');
});

test('data beside a barrier', async () => {
  const beside = STORE.replace('[memory]', '[memory+8]');
  assert.equal(await ruleOf(ARRIVE, beside, WAIT), 'certified');
  assert.equal(await ruleOf(ARRIVE, STORE.replace('[memory]', '[memory+4]'), WAIT), 'race');
});
