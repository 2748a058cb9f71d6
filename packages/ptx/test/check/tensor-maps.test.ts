// Tensor maps that a kernel changes: released, acquired, and not in use meanwhile.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../accepting.ts';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../kernel-text.ts';

const DECLARATIONS = `.reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .pred %p<4>;
.shared .align 128 .b8 tile[1024];
.shared .align 128 .b8 sm[128];
.shared .align 8 .b64 full;`;
const PARAMETERS = '.param .u64 a, .param .u64 b, .param .u64 data';
const BEGIN = `ld.param.u64 %rd0, [a]; ld.param.u64 %rd1, [b]; ld.param.u64 %rd2, [data];
mov.u32 %r0, %tid.x; setp.ne.u32 %p0, %r0, 0; mov.u32 %r1, 0; mov.u32 %r7, %cluster_ctarank;
@!%p0 mbarrier.init.shared::cta.b64 [full], 1;
@!%p0 fence.mbarrier_init.release.cluster; bar.warp.sync -1;`;

const MAP = { kind: 'pointer', bytes: 128, content: 'tensormap', boxBytes: 64 };
const LAUNCH = {
  block: [32, 1, 1],
  params: [MAP, MAP, { kind: 'pointer', bytes: 4096 }],
};

const EXPECT = '@!%p0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [full], 64;';
const LOAD = `${EXPECT}
@!%p0 cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd0, {%r1}], [full];`;
const wait = (parity: number): string =>
  `W${parity}: mbarrier.try_wait.parity.shared::cta.b64 %p1, [full], ${parity}; @!%p1 bra W${parity};`;
const replace = (map: string): string =>
  `@!%p0 tensormap.replace.tile.global_address.global.b1024.b64 [${map}], %rd2;`;
const REPLACE_SHARED =
  '@!%p0 tensormap.replace.tile.global_address.shared::cta.b1024.b64 [sm], %rd2;\nbar.warp.sync -1;';
const copyTo = (map: string): string =>
  `tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [${map}], [sm], 128;`;
const RELEASE = '@!%p0 fence.proxy.tensormap::generic.release.gpu;';
const acquire = (map: string): string =>
  `@!%p0 fence.proxy.tensormap::generic.acquire.gpu [${map}], 128;`;
const STORE = `@!%p0 cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%rd0, {%r1}], [tile];
@!%p0 cp.async.bulk.commit_group;`;

async function verdictOf(lines: readonly string[], ctas = 1, map: object = MAP) {
  const body = [BEGIN, ...lines, 'ret;'].join('\n');
  const text = kernelText(DECLARATIONS, body, PARAMETERS);
  const size = { grid: [ctas, 1, 1], cluster: [ctas, 1, 1] };
  const kernel = ptxKernel({
    ptx: { file: 'kernel.ptx', text },
    launch: {
      file: 'launch.json',
      text: JSON.stringify({ ...LAUNCH, params: [map, map, LAUNCH.params[2]], ...size }),
    },
  });
  const { verdict, findings, reason, scope } = await check(kernel);
  const rule = findings[0]?.rule;
  const message = findings[0]?.message;
  return { verdict, rule, message, reason, assumptions: scope.assumptions };
}

async function isRight(...lines: string[]): Promise<void> {
  const { verdict, rule, reason } = await verdictOf(lines);
  assert.equal(verdict, 'certified', `${rule} ${reason}`);
}

async function isWrong(expected: string, ...lines: string[]): Promise<void> {
  const { verdict, rule, reason } = await verdictOf(lines);
  assert.deepEqual([verdict, rule], ['counterexample', expected], reason);
}

test('a map that is copied out of shared memory', async () => {
  const copied = [REPLACE_SHARED, copyTo('%rd0')];
  await isRight(...copied, acquire('%rd0'), LOAD, wait(0));
  await isWrong('unfenced-tensormap', ...copied, LOAD, wait(0));
  // The copy is through another map than the one that is acquired.
  await isWrong('unfenced-tensormap', ...copied, acquire('%rd1'), LOAD, wait(0));
  // The lanes do not join before the warp copies.
  const [alone] = REPLACE_SHARED.split('\n');
  const end = [acquire('%rd0'), LOAD, wait(0)];
  const { verdict } = await verdictOf([alone!, copyTo('%rd0'), ...end]);
  assert.equal(verdict, 'certified', 'an instruction of the whole warp joins its lanes');
});

test('a box without its bytes is sized by its elements, and a map without a box is solved', async () => {
  const map = { kind: 'pointer', bytes: 128, content: 'tensormap' };
  const lines = [LOAD, wait(0)];
  const sized = { ...map, element: 'f32', box: [16] };
  assert.equal((await verdictOf(lines, 1, sized)).verdict, 'certified');
  const other = { ...map, element: 'f32', box: [8] };
  assert.equal((await verdictOf(lines, 1, other)).rule, 'deadlock');
  const { verdict, reason } = await verdictOf(lines, 1, map);
  assert.deepEqual(
    [verdict, /boxBytes.*--assume boxes/.test(reason ?? '')],
    ['inconclusive', true],
  );
});

test('a map is named by the parameter that points to it', async () => {
  const { message } = await verdictOf([REPLACE_SHARED, copyTo('%rd1'), LOAD, wait(0)]);
  assert.equal(message, undefined, 'another map is changed');
  const own = await verdictOf([REPLACE_SHARED, copyTo('%rd0'), LOAD, wait(0)]);
  assert.match(own.message ?? '', /uses tensor map a, /);
});

test('a map that is changed where it lies', async () => {
  const fenced = [RELEASE, acquire('%rd0')];
  await isRight(replace('%rd0'), ...fenced, LOAD, wait(0));
  await isWrong('unfenced-tensormap', replace('%rd0'), acquire('%rd0'), LOAD, wait(0));
  await isWrong('unfenced-tensormap', ...fenced, replace('%rd0'), LOAD, wait(0));
  await isRight(LOAD, wait(0), replace('%rd0'), ...fenced, LOAD, wait(1));
  await isWrong('tensormap-in-flight', LOAD, replace('%rd0'), ...fenced, wait(0));
  // A change of another map does not matter.
  await isRight(LOAD, replace('%rd1'), wait(0));
});

test('stores to a map are changes of it', async () => {
  const store = '@!%p0 st.global.u64 [%rd0+8], %rd2;';
  await isWrong('unfenced-tensormap', store, LOAD, wait(0));
  await isRight(store, RELEASE, acquire('%rd0'), LOAD, wait(0));
  // Each lane stores a word.
  const each =
    'cvt.u64.u32 %rd3, %r0; shl.b64 %rd3, %rd3, 2; add.u64 %rd4, %rd0, %rd3; st.global.u32 [%rd4], %r0;';
  const release = 'fence.proxy.tensormap::generic.release.gpu;\nbar.warp.sync -1;';
  await isRight(each, release, acquire('%rd0'), LOAD, wait(0));
  await isWrong('unfenced-tensormap', each, 'bar.warp.sync -1;', acquire('%rd0'), LOAD, wait(0));
  // No instruction before says that there is a map behind the data.
  const early = '@!%p0 st.global.u64 [%rd2+264], %rd2;';
  const byAddress = `add.u64 %rd5, %rd2, 256;\n${replace('%rd5')}`;
  const use = LOAD.replace('[%rd0,', '[%rd5,');
  const fields = ['box_dim', 'rank', 'elemtype'].map((field) => {
    const value = { box_dim: '0, 64', rank: '0', elemtype: '0' }[field];
    return `@!%p0 tensormap.replace.tile.${field}.global.b1024.b32 [%rd5], ${value};`;
  });
  const begin = [early, byAddress, ...fields];
  await isRight(...begin, RELEASE, acquire('%rd5'), use, wait(0));
});

test('a copy out of shared memory uses its map until its reads are over', async () => {
  const again = [replace('%rd0'), RELEASE, acquire('%rd0')];
  await isRight(STORE, '@!%p0 cp.async.bulk.wait_group.read 0;', ...again);
  await isWrong('tensormap-in-flight', STORE, ...again, '@!%p0 cp.async.bulk.wait_group 0;');
  const end = '@!%p0 cp.async.bulk.wait_group 0;';
  await isWrong('unfenced-tensormap', replace('%rd0'), STORE, end);
});

test('a prefetch through a map that is not acquired', async () => {
  const prefetch = '@!%p0 cp.async.bulk.prefetch.tensor.1d.L2.global [%rd0, {%r1}];';
  await isWrong('unfenced-tensormap', replace('%rd0'), RELEASE, prefetch);
  await isRight(replace('%rd0'), RELEASE, acquire('%rd0'), prefetch);
});

test('a release of one map releases no other', async () => {
  const lines = [replace('%rd0'), REPLACE_SHARED, copyTo('%rd1'), acquire('%rd0'), LOAD, wait(0)];
  await isWrong('unfenced-tensormap', ...lines);
});

test('a map is the same for all CTAs of a cluster', async () => {
  const meet = 'barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;';
  const isPeer = 'setp.eq.u32 %p2, %r7, 1; @%p2 bra PEER;';
  const change = [replace('%rd0'), RELEASE];
  const peer = (early: string, late: string): string =>
    ['bra END;', 'PEER:', early, meet, late, meet, 'END:'].join('\n');
  const load = [meet, acquire('%rd0'), LOAD, wait(0), meet];
  const right = await verdictOf([isPeer, ...load, peer(change.join('\n'), '')], 2);
  assert.equal(right.verdict, 'certified', `${right.rule} ${right.reason}`);
  const early = await verdictOf([isPeer, ...load, peer(change[0]!, '')], 2);
  assert.equal(early.rule, 'unfenced-tensormap');
  const late = await verdictOf([isPeer, ...load, peer('', change.join('\n'))], 2);
  assert.equal(late.rule, 'tensormap-in-flight');
});

test('a map that is not known proves nothing', async () => {
  const unknown = 'ld.global.u64 %rd6, [%rd2];';
  const { verdict, reason } = await verdictOf([unknown, replace('%rd6'), LOAD, wait(0)]);
  assert.deepEqual([verdict, /which tensor map/.test(reason ?? '')], ['inconclusive', true]);
  const { assumptions } = await verdictOf([replace('%rd0'), RELEASE]);
  assert.ok(assumptions.some(({ text }) => text.includes('tensor map')));
});
